#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scree/motions.hpp"
#include "scree/values.hpp"

/// Groups of particles, with bits and indices in place of names.
namespace scree {

/// Bits of SceneGroup::fixed: x, y, z, rx, ry, rz in this order.
inline constexpr std::uint32_t fixed_translation = 7, fixed_rotation = 56;

/// Settings of a group of particles. Group 0 is the group of all particles that name none.
struct SceneGroup {
  std::string name;
  std::uint32_t fixed = 0;           ///< bits: these components of velocity and angular velocity stay constant
  std::optional<Rotation> rotation;  ///< axis of length 1; all six components are fixed
  Real3 force{};                     ///< [N] on each particle
  Real3 torque{};                    ///< [N m] on each particle
  double damping = 0;                ///< [-] Cundall's damping
  bool own_damping = false;          ///< `damping` stays as it is when the damping of the run is changed
  bool gravity = true;
  std::optional<Real3> velocity, angular_velocity;  ///< [m/s], [rad/s] imposed on fixed components at the start

  /// Whether the centres of its particles are fixed. Contacts treat such particles as infinitely heavy.
  [[nodiscard]] bool is_held() const { return (fixed & fixed_translation) == fixed_translation; }
};

/// Changes of a group during a run. A value that is left out stays as it is.
struct GroupChange {
  std::optional<std::uint32_t> fixed{};                 ///< bits, as SceneGroup::fixed
  std::optional<Real3> velocity{}, angular_velocity{};  ///< [m/s], [rad/s] imposed on the fixed components
  std::optional<Rotation> rotation{};                   ///< axis of length 1; all six components must be fixed
  std::optional<Real3> force{}, torque{};               ///< [N], [N m] on each particle
  std::optional<double> damping{};                      ///< [-] Cundall's, whatever the damping of the run
  std::optional<bool> gravity{};

  /// Whether the change affects how the particles move, and not only the forces on them. Such a change ends a rotation,
  /// unless it sets one.
  [[nodiscard]] bool moves() const { return fixed || velocity || angular_velocity || rotation; }
};

/// The group after a change.
[[nodiscard]] inline SceneGroup changed(SceneGroup group, const GroupChange& change) {
  group.fixed = change.fixed.value_or(group.fixed);
  if (change.velocity) { group.velocity = change.velocity; }
  if (change.angular_velocity) { group.angular_velocity = change.angular_velocity; }
  if (change.moves()) { group.rotation = change.rotation; }
  group.force = change.force.value_or(group.force);
  group.torque = change.torque.value_or(group.torque);
  if (change.damping) { group.damping = *change.damping, group.own_damping = true; }
  group.gravity = change.gravity.value_or(group.gravity);
  return group;
}

}  // namespace scree
