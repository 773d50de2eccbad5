#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Rotation of a body about an axis that stands still, as the mean velocity over one step: v = sine e x d - versine p,
/// where d is the way from the origin and p its part across the axis e. So a body stays on its circle at any rate.
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

/// How the bodies of one group move, beyond contacts.
template <class R>
struct GroupRule {
  Vec3<R> force;           ///< [N] on each body
  Vec3<R> torque;          ///< [N m] on each body
  Vec3<R> damped_gravity;  ///< [m/s2] the part of gravity that Cundall's damping acts on
  Vec3<R> free_gravity;    ///< [m/s2] the rest of it
  R damping;               ///< [-] Cundall
  std::uint32_t fixed;     ///< bits x, y, z, rx, ry, rz: components of velocity that never change
  std::uint32_t turns;     ///< 1: the bodies follow `turn`
  AxisTurn turn;
};

/// Rules by group, and the group of each body. Looked at only in runs that have groups.
template <class R>
struct GroupTable {
  Span<GroupRule<R>> rules;
  Span<std::uint16_t> of_id;  ///< [ids] empty: all bodies are of group 0

  SCREE_INLINE const GroupRule<R>& rule_of(index_t id) const { return rules[of_id.size > 0 ? of_id[id] : 0]; }
};

}  // namespace scree::inline SCREE_BACKEND
