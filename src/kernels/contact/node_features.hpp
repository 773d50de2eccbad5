#pragma once

#include "kernels/contact/near_walk.hpp"
#include "kernels/contact/node_geometry.hpp"
#include "kernels/shapes/closest.hpp"

/// Where a node stands relative to a surface. Which side of the surface is the right one follows from the centre of its
/// grain.
namespace scree::inline SCREE_BACKEND {

struct Behind {
  Vec3d normal;  ///< from the surface to the side of the grain
  double depth;  ///< [m]
  bool on_edge;  ///< the closest point lies on the edge of a facet
};

/// Where x is relative to a shell, seen from its inside. Inside means the half space in front of each tangent plane.
struct BehindShell {
  double height;     ///< [m] above the surface, which goes on beyond the rims; negative outside
  double clearance;  ///< [m] to the space behind the surface, between its rims; 0 there
};
SCREE_HD inline BehindShell behind_shell(const BoundaryView& boundaries, const Feature& feature, const Vec3d& x) {
  const Surface shell = placed_surface(boundaries, feature);
  const Vec3d from = x - shell.point;
  if (feature.kind == FeatureKind::sphere) {
    const double height = shell.radius - norm(from);
    return {height, math::max(height, 0.0)};
  }
  // In the half plane through the axis and x the shell is a straight line.
  const double along = dot(from, shell.axis), ring = norm(from - along * shell.axis) - shell.radius;
  const double widening = feature.kind == FeatureKind::cone ? shell.second_radius - shell.radius : 0;
  const double line = math::sqrt(widening * widening + shell.length * shell.length);
  const double height = (along * widening - ring * shell.length) / line,
               place = (along * shell.length + ring * widening) / line;
  const double up = math::max(height, 0.0), beyond = math::max(math::max(-place, place - line), 0.0);
  return {height, math::sqrt(up * up + beyond * beyond)};
}

/// Whether x is inside a shell that goes on beyond its rims. Two points are on the same side of the shell if it holds
/// for both or for none. Tangent planes do not tell this: a grain that lies across a thin cylinder is behind many.
SCREE_HD inline bool is_inside_shell(const BoundaryView& boundaries, const Feature& feature, const Vec3d& x) {
  return behind_shell(boundaries, feature, x).height > 0;
}

/// [m] Height of a point above a surface, on the side of `centre`, or a value that is not larger: above the plane of a
/// facet, and above the tangent plane at the closest point of a shell.
SCREE_HD inline double surface_height(const BoundaryView& boundaries, const Feature& feature, const Vec3d& centre,
                                      const Vec3d& x) {
  if (feature.kind == FeatureKind::plane) {
    const Surface plane = placed_surface(boundaries, feature);
    return dot(x - plane.point, plane.axis);
  }
  if (feature.kind == FeatureKind::facet) {
    const Vec3d a = boundaries.vertex[feature.a];
    const Vec3d normal = cross(boundaries.vertex[feature.b] - a, boundaries.vertex[feature.c] - a);
    const double height = dot(x - a, normal) / norm(normal);
    return dot(centre - a, normal) < 0 ? -height : height;
  }
  const double distance = norm(x - closest_point(boundaries, feature, x).point);
  return is_inside_shell(boundaries, feature, x) == is_inside_shell(boundaries, feature, centre) ? distance : -distance;
}

/// Whether the closest point of a shell is no point of its rims.
SCREE_HD inline bool is_within_rims(const BoundaryView& boundaries, const Feature& feature, const Vec3d& foot,
                                    const Vec3d& away) {
  if (feature.kind == FeatureKind::sphere) { return true; }
  const Surface shell = placed_surface(boundaries, feature);
  const Vec3d axial = foot - shell.point;
  const Vec3d radial = axial - dot(axial, shell.axis) * shell.axis;
  const double ring = norm(radial);
  const double widening = feature.kind == FeatureKind::cone ? shell.second_radius - shell.radius : 0;
  if (!(ring > 0)) { return false; }
  const Vec3d line = shell.length * shell.axis + (widening / ring) * radial;
  return math::abs(dot(line, away)) <= 1e-6 * norm(line) * norm(away);
}

SCREE_HD inline bool is_shell(const Feature& feature) {
  return feature.kind != FeatureKind::plane && feature.kind != FeatureKind::facet;
}

/// Whether x is behind a surface, seen from `centre`.
SCREE_HD inline bool is_behind(const BoundaryView& boundaries, const Feature& feature, const Vec3d& centre,
                               const Vec3d& x, Behind& behind) {
  behind.on_edge = false;
  if (feature.kind == FeatureKind::plane) {
    const Surface plane = placed_surface(boundaries, feature);
    behind.normal = plane.axis;
    behind.depth = -dot(x - plane.point, plane.axis);
    return behind.depth > 0;
  }
  if (feature.kind == FeatureKind::facet) {
    const Vec3d a = boundaries.vertex[feature.a], b = boundaries.vertex[feature.b], c = boundaries.vertex[feature.c];
    const Vec3d normal = cross(b - a, c - a);
    const double length = norm(normal);
    const double side = dot(centre - a, normal) < 0 ? -1.0 : 1.0;
    behind.normal = (side / length) * normal;
    behind.depth = -dot(x - a, behind.normal);
    if (!(behind.depth > 0)) { return false; }
    const ClosestOnTriangle closest = closest_on_triangle(x, a, b, c);
    behind.on_edge = closest.region != TriangleRegion::face;
    const Vec3d away = x - closest.point;  // of length `depth` where the foot of x lies on the facet
    return dot(away, away) <= (1 + 1e-9) * behind.depth * behind.depth;
  }
  if (feature.is_far_side()) { return false; }
  const Vec3d foot = closest_point(boundaries, feature, x).point;
  const Vec3d away = x - foot;
  behind.depth = norm(away);
  const bool same_side = is_inside_shell(boundaries, feature, x) == is_inside_shell(boundaries, feature, centre);
  if (!(behind.depth > 0) || same_side) { return false; }
  behind.normal = (-1 / behind.depth) * away;
  return is_within_rims(boundaries, feature, foot, away);
}

/// Nodes of a grain and one feature of a boundary. Lengths are those of the world; the frame is that of the boundary as
/// the scene describes it. See NearWalk.
template <class R>
struct FeaturePass {
  using Length = double;
  const BoundaryView& boundaries;
  Feature feature;
  const NodeBody<R>& grain;
  Vec3d centre;
  NodeMap<double> map;
  double limit, skin, slack;
  const GrainViews<R>& grains;
  double path, per_path = 1, swell;

  /// `motion` is about how far the grain moves in a step [m].
  SCREE_HD static FeaturePass of(const BoundaryView& boundaries, const GrainViews<R>& grains, const Feature& feature,
                                 const NodeBody<R>& grain, const Vec3d& centre, double motion) {
    const Pose& pose = boundaries.pose[feature.boundary];
    const Mat3d back = transpose(Mat3d{pose.row_x, pose.row_y, pose.row_z});
    const NodeMap<double> map{back * (grain.size * grain.turn), pose.place_back(centre)};
    const double spacing = grain.size * grain.form->spacing;
    // Which side of a facet or a shell is the right one depends on the centre. Nothing is known beforehand of nodes
    // outside of a shell.
    const double limit = feature.kind == FeatureKind::plane   ? 1e300
                         : feature.kind == FeatureKind::facet ? surface_height(boundaries, feature, centre, centre)
                                                              : behind_shell(boundaries, feature, centre).height;
    return {.boundaries = boundaries,
            .feature = feature,
            .grain = grain,
            .centre = centre,
            .map = map,
            .limit = math::max(limit, 0.0),
            .skin = limit > 0 ? best_skin(spacing, motion) : 0,
            .slack = 1e-4 * spacing + place_error<double> * (norm(centre) + norm(pose.shift)),
            .grains = grains,
            .path = grain.path,
            .swell = grain.swell / grain.size};
  }

  SCREE_HD Vec3<R> place_of(std::uint32_t k) const { return convert<R>(grain.place_of(grains, k)); }

  SCREE_HD double clearance_of(const Vec3<R>& place) const { return clearance(place, R(0)); }
  /// A node of a facet touches behind the triangle. It must come to the triangle first, or get into the space behind it
  /// from the side.
  SCREE_HD double clearance(const Vec3<R>& place, R radius) const {
    const Vec3d x = centre + grain.turn * (grain.size * convert<double>(place));
    const double reach = grain.size * double(radius) + slack;
    if (is_shell(feature) && limit > 0) { return behind_shell(boundaries, feature, x).clearance - reach; }
    const double height = surface_height(boundaries, feature, centre, x);
    if (feature.kind != FeatureKind::facet || height > reach + skin) { return height - reach; }
    const Vec3d away = x - closest_point(boundaries, feature, x).point;
    const double square = dot(away, away);
    return math::sqrt(height > 0 ? square : math::max(square - height * height, 0.0)) - reach;
  }
};

}  // namespace scree::inline SCREE_BACKEND
