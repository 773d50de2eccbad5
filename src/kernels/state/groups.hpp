#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"
#include "kernels/state/fluid_push.hpp"

namespace scree::inline SCREE_BACKEND {

/// Rotation of a body about a fixed axis, as mean velocity over one step: v = sine e x d - versine p, where e is the
/// axis, d the vector from the origin to the body and p the part of d perpendicular to e. The body stays on its circle
/// at any rate.
struct AxisTurn {
  Vec3d axis, origin;    ///< [-] unit vector, [m]
  double sine, versine;  ///< [1/s] sin(w dt)/dt and (1 - cos(w dt))/dt
  double rate;           ///< [rad/s] w

  SCREE_INLINE Vec3d velocity(const Vec3d& x) const {
    const Vec3d d = x - origin;
    const Vec3d across = d - dot(d, axis) * axis;
    return sine * cross(axis, d) - versine * across;
  }
};

/// The motion of the bodies of one group, apart from contacts.
template <class R>
struct GroupRule {
  Vec3<R> force;           ///< [N] on each body
  Vec3<R> torque;          ///< [N m] on each body
  Vec3<R> damped_gravity;  ///< [m/s2] the part of gravity that Cundall's damping acts on
  Vec3<R> free_gravity;    ///< [m/s2] the rest of gravity
  R damping;               ///< [-] coefficient of Cundall's damping
  std::uint32_t fixed;     ///< bits x, y, z, rx, ry, rz: components of velocity that never change
  std::uint32_t turns;     ///< 1: the bodies follow `turn`
  AxisTurn turn;
};

/// The rules of all groups, and the group of each body. Only runs with groups read it.
template <class R>
struct GroupTable {
  Span<GroupRule<R>> rules;
  Span<std::uint16_t> of_id;  ///< [n_ids] group of each body; empty: all bodies belong to group 0
  Span<Vec3<R>> pressed{};  ///< [N] forces of membranes on the bodies with the ids from first_pressed on; see Membranes
  index_t first_pressed = 0;
  Span<FluidPush<R>> fluid_on_bodies{};       ///< [n_bodies] see FluidSystem; empty without a fluid
  Span<FluidPush<double>> fluid_on_clumps{};  ///< [n_clumps]

  /// [N] The force on a body of a group that belongs to no contact.
  SCREE_INLINE Vec3<R> force_on(index_t id, const GroupRule<R>& rule) const {
    const index_t node = id - first_pressed;  // wraps around below the first one
    return node < pressed.size ? rule.force + pressed[node] : rule.force;
  }

  SCREE_INLINE const GroupRule<R>& rule_of(index_t id) const { return rules[of_id.size > 0 ? of_id[id] : 0]; }
};

/// The effect of gravity and of its group on a body.
struct GroupPull {
  Vec3d weight;         ///< [N]
  Vec3d force, torque;  ///< [N], [N m] of the group
  std::uint32_t fixed;  ///< bits of the fixed components, see GroupRule::fixed
};
/// A body of this mass [kg], where gravity is that of the scene [m/s2]. A clump has the id of its first sphere.
template <class R>
SCREE_HD GroupPull pull_on(index_t id, double mass, const Vec3d& gravity, const GroupTable<R>& groups) {
  if (groups.rules.size == 0) { return {mass * gravity, {0, 0, 0}, {0, 0, 0}, 0}; }
  const GroupRule<R>& rule = groups.rule_of(id);
  return {mass * convert<double>(rule.damped_gravity + rule.free_gravity), convert<double>(groups.force_on(id, rule)),
          convert<double>(rule.torque), rule.fixed};
}

}  // namespace scree::inline SCREE_BACKEND
