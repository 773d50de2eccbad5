#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "scree/scene.hpp"
#include "scree/tractions.hpp"

namespace scree {

/// The two bodies of a contact test, which drives two touching bodies along a prescribed path. The test runs the
/// kernels of the host backend. If the path is the one that two bodies took in an engine, the forces are those of that
/// engine, bit for bit.
struct ContactSetting {
  std::array<std::uint32_t, 2> material{};  ///< of body 1 and body 2, indices in Scene::materials
  std::array<double, 2> radius{};           ///< [m] of body 1 and body 2; the radius of body 1 is ignored with a wall
  bool wall = false;                        ///< body 1 is a plane at rest through the origin, its normal along x
};

/// One step, in world axes: the positions at its end, and the velocities that lead to them.
struct ContactMove {
  double time_step = 0;                     ///< [s]
  std::array<Real3, 2> position{};          ///< [m] of body 1 and body 2
  std::array<Real3, 2> velocity{}, spin{};  ///< [m/s], [rad/s] in the middle of the step
};

/// The contact after a step. Works and losses [J] are summed from the first step on.
struct ContactAnswer {
  bool touching = false;
  double overlap = 0;             ///< [m] negative: a gap
  Real3 normal{};                 ///< [-] from body 1 to body 2
  Real3 force{};                  ///< [N] on body 2
  std::array<Real3, 2> torque{};  ///< [N m] on body 1 and body 2 about their centres; zero for a wall
  Real3 shear{};                  ///< [N] tangential force of the spring on body 2, which the contact remembers
  std::vector<double> history;    ///< [history_size] further values that the law remembers
  std::uint64_t segments = 0;     ///< segments of its load history (law jaeger)
  double work = 0;                ///< work of the prescribed motion on the contact
  double elastic = 0;             ///< energy in the springs
  double friction = 0, viscous = 0, breakage = 0;  ///< lost
  double parting = 0;  ///< energy left in shear springs when the contact ended; it is lost, too
};

/// A contact on its path, made by make_contact_test(). It copies the data of the scene that it needs. At most one
/// thread may use it at a time.
class ContactTest {
 public:
  virtual ~ContactTest() = default;
  /// Makes one step. Throws KernelFault if the bodies overlap too deeply.
  virtual ContactAnswer step(const ContactMove& move) = 0;
  /// Whether the law computes energies; if not, the energies of ContactAnswer stay zero.
  [[nodiscard]] virtual bool has_energies() const = 0;
  /// Length of ContactAnswer::history.
  [[nodiscard]] virtual std::uint32_t history_size() const = 0;
  /// The present tractions, at `points` distances from the axis. Empty if the law keeps no load history, or if the
  /// bodies do not touch.
  [[nodiscard]] virtual std::optional<ContactTractions> tractions(std::size_t points) const = 0;
};

/// Starts a contact test. Of the scene it uses materials, their pairs, the law, no_ratcheting, the seed and the
/// precision. If the law makes bonds, the two bodies get the bond that the particles 0 and 1 of a run would get. Throws
/// ContractError if a material is unknown or a radius is not positive.
[[nodiscard]] std::unique_ptr<ContactTest> make_contact_test(const Scene& scene, const ContactSetting& setting);

}  // namespace scree
