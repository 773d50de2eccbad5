#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

/// How the surface of a boundary moves at a contact, as far as work is concerned.
struct SurfaceMotion {
  Vec3d velocity;  ///< [m/s] at the contact point
  Vec3d spin;      ///< [rad/s] with which couples do work

  /// The power [W] of the boundary on a body that it pushes with a force [N] and a couple [N m].
  template <class R>
  [[nodiscard]] SCREE_HD double power(const Vec3<R>& force, const Vec3<R>& couple) const {
    return dot(convert<double>(force), velocity) + dot(convert<double>(couple), spin);
  }

  /// The part that a surface has relative to its boundary; see Pose::sliding. `of_nodes`: the contact is that of the
  /// nodes of a level-set grain.
  ///
  /// The couple of nodes stems from their forces f at arms r. Along a plane with normal n, each of them does the work
  /// f . P(w x r), with P the projection on the plane; in sum this is (w . n) times the couple about n. The couple of a
  /// sphere is that of rolling resistance, which sees the whole spin. A shell slides as if it moved as a whole, so
  /// there the whole spin is right for both.
  template <class R>
  [[nodiscard]] SCREE_HD static SurfaceMotion sliding(const Feature& feature, const Pose& pose,
                                                      const BoundarySlot<R>& slot, bool of_nodes) {
    const Vec3d n = convert<double>(slot.normal);
    const bool flat = feature.kind == FeatureKind::plane || feature.kind == FeatureKind::facet;
    return {pose.sliding(slot.point, n), of_nodes && flat ? dot(pose.surface_spin, n) * n : pose.surface_spin};
  }

  /// At the contact of a slot, with the boundaries at these poses.
  template <class R>
  [[nodiscard]] SCREE_HD static SurfaceMotion at(const BoundaryView& boundaries, const Span<Pose>& poses,
                                                 const BoundarySlot<R>& slot, bool of_nodes) {
    const Feature feature = boundaries.feature[slot.feature];
    const Pose& pose = poses[feature.boundary];
    SurfaceMotion motion{pose.velocity + cross(pose.spin, slot.point), pose.spin};
    if (boundaries.slides != 0) {
      const SurfaceMotion relative = sliding(feature, pose, slot, of_nodes);
      motion.velocity += relative.velocity;
      motion.spin += relative.spin;
    }
    return motion;
  }
};

}  // namespace scree::inline SCREE_BACKEND
