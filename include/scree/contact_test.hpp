#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "scree/scene.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// Two bodies that touch, driven along a prescribed path: the element test of a contact law. It runs the kernels of the
/// host backend, so a path that an engine took gives the forces of the engine, bit for bit.
struct ContactSetting {
  std::array<std::uint32_t, 2> material{};  ///< of body 1 and body 2, as in Scene::materials
  std::array<double, 2> radius{};           ///< [m] that of body 1 is not used with a wall
  bool wall = false;                        ///< body 1 is a plane at rest through the origin, its normal along x
};

/// One step: where it ends, and the velocities that led there.
struct ContactMove {
  double time_step = 0;                     ///< [s]
  std::array<Real3, 2> position{};          ///< [m] of body 1 and body 2
  std::array<Real3, 2> velocity{}, spin{};  ///< [m/s], [rad/s] of the middle of the step
};

/// The contact after a step. Sums of energies [J] begin with the first step.
struct ContactAnswer {
  bool touching = false;
  double overlap = 0;                              ///< [m] negative: the gap
  Real3 normal{};                                  ///< [-] from body 1 to body 2
  Real3 force{};                                   ///< [N] on body 2
  std::array<Real3, 2> torque{};                   ///< [N m] on body 1 and body 2 about their centres; of a wall zero
  Real3 shear{};                                   ///< [N] tangential force of the spring on body 2: the history
  std::vector<double> history;                     ///< what the law remembers beyond the shear
  std::uint64_t segments = 0;                      ///< of its load history (law jaeger)
  double work = 0;                                 ///< done on the contact by what moves the bodies
  double elastic = 0;                              ///< in the springs
  double friction = 0, viscous = 0, breakage = 0;  ///< lost
  double parting = 0;                              ///< left in shear springs when the contact ended; lost
};

class ContactTest {
 public:
  virtual ~ContactTest() = default;
  /// Throws KernelFault when the bodies overlap too deeply.
  virtual ContactAnswer step(const ContactMove& move) = 0;
  /// Whether the law states its energies; if not they stay zero.
  [[nodiscard]] virtual bool has_energies() const = 0;
  [[nodiscard]] virtual std::uint32_t history_size() const = 0;
  /// As it is now, at so many distances from the axis; none of laws without load histories, and while nothing touches.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(std::size_t points) const = 0;
};

/// Of `scene` only materials, their pairs, the law, no_ratcheting and the precision count.
[[nodiscard]] std::unique_ptr<ContactTest> make_contact_test(const Scene& scene, const ContactSetting& setting);

}  // namespace scree
