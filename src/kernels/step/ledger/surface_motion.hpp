#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

/// The motion of the surface of a boundary at a contact, as far as it does work.
struct SurfaceMotion {
  Vec3d velocity;  ///< [m/s] at the contact point
  Vec3d spin;      ///< [rad/s] with which couples do work

  /// The power [W] of the boundary on a body that it pushes with a force [N] and a couple [N m].
  template <class R>
  [[nodiscard]] SCREE_HD double power(const Vec3<R>& force, const Vec3<R>& couple) const {
    return dot(convert<double>(force), velocity) + dot(convert<double>(couple), spin);
  }

  /// [m/s] Velocity of the surface relative to the boundary, for a node of a level-set grain at x. On a plane it is the
  /// velocity at the foot of x. With the velocity at x itself, the work of nodes at different depths would not follow
  /// from the sum of their forces and its couple.
  [[nodiscard]] SCREE_HD static Vec3d below_node(const BoundaryView& boundaries, const Feature& feature,
                                                 const Pose& pose, const Vec3d& x, const Vec3d& normal) {
    if (!is_flat(feature)) { return pose.surface_velocity + cross(pose.surface_spin, x); }  // x lies in the shell
    const Vec3d on_plane = pose.place(feature.kind == FeatureKind::facet ? boundaries.reference_vertex[feature.a]
                                                                         : boundaries.surface[feature.a].point);
    return pose.sliding(x - dot(x - on_plane, normal) * normal, normal);
  }

  /// The motion of a surface relative to its boundary; see Pose::sliding. `of_nodes`: the contact is that of the nodes
  /// of a level-set grain.
  ///
  /// The couple of nodes stems from their forces f at arms r. Along a plane with normal n, each of them does the work
  /// f . P(w x r), with P the projection on the plane; in sum this is (w . n) times the couple about n. The couple of a
  /// sphere is that of rolling resistance, which sees the whole spin. A shell slides as if it moved as a whole, so
  /// there the whole spin is right for both.
  template <class R>
  [[nodiscard]] SCREE_HD static SurfaceMotion sliding(const BoundaryView& boundaries, const Pose& pose,
                                                      const BoundarySlot<R>& slot, bool of_nodes) {
    const Vec3d n = convert<double>(slot.normal);
    if (!of_nodes) { return {pose.sliding(slot.point, n), pose.surface_spin}; }
    const Feature feature = boundaries.feature[slot.feature];
    return {below_node(boundaries, feature, pose, slot.point, n),
            is_flat(feature) ? dot(pose.surface_spin, n) * n : pose.surface_spin};
  }

  /// At the contact of a slot, with the boundaries at these poses.
  template <class R>
  [[nodiscard]] SCREE_HD static SurfaceMotion at(const BoundaryView& boundaries, const Span<Pose>& poses,
                                                 const BoundarySlot<R>& slot, bool of_nodes) {
    const Feature feature = boundaries.feature[slot.feature];
    const Pose& pose = poses[feature.boundary];
    SurfaceMotion motion{pose.velocity + cross(pose.spin, slot.point), pose.spin};
    if (boundaries.grows != 0) { motion.velocity += growth_velocity(boundaries, feature, pose, slot.point); }
    if (boundaries.slides != 0) {
      const SurfaceMotion relative = sliding(boundaries, pose, slot, of_nodes);
      motion.velocity += relative.velocity;
      motion.spin += relative.spin;
    }
    return motion;
  }

 private:
  [[nodiscard]] SCREE_HD static bool is_flat(const Feature& feature) {
    return feature.kind == FeatureKind::plane || feature.kind == FeatureKind::facet;
  }
};

}  // namespace scree::inline SCREE_BACKEND
