#pragma once

#include "kernels/shapes/closest.hpp"
#include "kernels/step/nodes/near_walk.hpp"
#include "kernels/step/nodes/node_geometry.hpp"

/// Where a node stands relative to a surface. The front of the surface is the side of the centre of the grain. A facet
/// or a shell ends somewhere, so a node behind its plane may still be beside it: the node has gone through the surface
/// only if the straight line from the centre to the node does.
namespace scree::inline SCREE_BACKEND {

struct Behind {
  Vec3d normal;  ///< from the surface to the side of the grain
  double depth;  ///< [m]
};

/// The position of x relative to a shell, as seen from its inside. The inside is the half space in front of each
/// tangent plane.
struct BehindShell {
  double height;     ///< [m] above the surface, continued beyond the rims; negative outside
  double clearance;  ///< [m] to the space behind the surface, between its rims; 0 in this space
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

/// Whether x is inside a shell that is continued beyond its rims. Two points are on the same side of the shell if both
/// or neither are inside. Tangent planes cannot tell this: a grain that lies across a thin cylinder is behind many of
/// them.
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

/// [m] A bound of the rounding error of a point that is computed in the world.
SCREE_HD inline double rounding_at(const Vec3d& x) {
  return 1e-15 * (math::abs(x.x) + math::abs(x.y) + math::abs(x.z));
}

/// Whether the closest point of a shell does not lie on its rims.
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
  return math::abs(dot(line, away)) <= norm(line) * (1e-6 * norm(away) + rounding_at(foot));
}

SCREE_HD inline bool is_shell(const Feature& feature) {
  return feature.kind != FeatureKind::plane && feature.kind != FeatureKind::facet;
}

/// The point in which the line from `centre` to x meets a shell or its continuation beyond the rims. The two points lie
/// on different sides of the shell. A shell is convex, so there is one such point.
SCREE_HD inline Vec3d place_in_shell(const BoundaryView& boundaries, const Feature& feature, const Vec3d& centre,
                                     const Vec3d& x) {
  const bool inside = is_inside_shell(boundaries, feature, centre);
  Vec3d near = centre, far = x;
  for (int k = 0; k < 40; ++k) {
    const Vec3d middle = 0.5 * (near + far);
    (is_inside_shell(boundaries, feature, middle) == inside ? near : far) = middle;
  }
  return far;
}

/// Whether the line from `centre` to x, two points on different sides of a shell, goes through the shell between its
/// rims.
SCREE_HD inline bool goes_through_shell(const BoundaryView& boundaries, const Feature& feature, const Vec3d& centre,
                                        const Vec3d& x) {
  if (feature.kind == FeatureKind::sphere) { return true; }
  const Surface shell = placed_surface(boundaries, feature);
  const auto is_between = [&](const Vec3d& place) {
    const double along = dot(place - shell.point, shell.axis);
    return along >= 0 && along <= shell.length;
  };
  return (is_between(centre) && is_between(x)) || is_between(place_in_shell(boundaries, feature, centre, x));
}

/// Whether a point is outside of the box about a triangle by more than a margin [m]: a quick answer for most facets.
SCREE_INLINE bool is_far_beside(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c, double margin) {
  const auto is_off = [margin](double at, double p, double q, double r) {
    return at < math::min(p, math::min(q, r)) - margin || at > math::max(p, math::max(q, r)) + margin;
  };
  return is_off(x.x, a.x, b.x, c.x) || is_off(x.y, a.y, b.y, c.y) || is_off(x.z, a.z, b.z, c.z);
}

/// Whether the line from p to q goes through a facet. If so, `through` becomes the intersection. A line through the
/// common edge of two facets goes through exactly one of them: both compute the same number for the edge, and both
/// treat a zero as a line on the same side of the edge.
SCREE_HD inline bool goes_through_facet(const BoundaryView& boundaries, const Feature& facet, const Vec3d& p,
                                        const Vec3d& q, Vec3d& through) {
  const Vec3d a = boundaries.vertex[facet.a], b = boundaries.vertex[facet.b], c = boundaries.vertex[facet.c];
  const Vec3d normal = cross(b - a, c - a);
  const double from_height = dot(p - a, normal), to_height = dot(q - a, normal);
  if ((from_height >= 0) == (to_height >= 0)) { return false; }
  const Vec3d there = q + (to_height / (to_height - from_height)) * (p - q);
  if (is_far_beside(there, a, b, c, 1e-6 * norm(p - q))) { return false; }
  const auto is_left_of = [&](index_t from, index_t to) {
    const bool ordered = from < to;
    const Vec3d first = boundaries.vertex[ordered ? from : to] - p, second = boundaries.vertex[ordered ? to : from] - p;
    const double volume = dot(q - p, cross(first, second));
    return ordered ? volume >= 0 : volume < 0;
  };
  const bool left = is_left_of(facet.a, facet.b);
  if (left != is_left_of(facet.b, facet.c) || left != is_left_of(facet.c, facet.a)) { return false; }
  through = there;
  return true;
}

/// Whether x is behind a surface, seen from `centre`. For a facet only its plane counts: see NodeBoundarySearch.
SCREE_HD inline bool is_behind(const BoundaryView& boundaries, const Feature& feature, const Vec3d& centre,
                               const Vec3d& x, Behind& behind) {
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
    if (is_far_beside(x + behind.depth * behind.normal, a, b, c, 1e-3 * behind.depth)) { return false; }
    const ClosestOnTriangle closest = closest_on_triangle(x, a, b, c);
    if (closest.region == TriangleRegion::face) { return true; }
    // If the foot lies on an edge, the distance is the depth, up to the rounding of places in the world.
    const Vec3d away = x - closest.point;
    const double most = (1 + 5e-10) * behind.depth + rounding_at(x) + 1e-15 * (norm(b - a) + norm(c - a));
    return dot(away, away) <= most * most;
  }
  if (feature.is_far_side()) { return false; }
  const Vec3d foot = closest_point(boundaries, feature, x).point;
  const Vec3d away = x - foot;
  behind.depth = norm(away);
  const bool same_side = is_inside_shell(boundaries, feature, x) == is_inside_shell(boundaries, feature, centre);
  if (!(behind.depth > 0) || same_side) { return false; }
  behind.normal = (-1 / behind.depth) * away;
  return is_within_rims(boundaries, feature, foot, away) && goes_through_shell(boundaries, feature, centre, x);
}

/// The nodes of a grain and one feature of a boundary, for NearWalk. Lengths are those of the world; the frame is that
/// of the boundary as the scene describes it.
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

  /// `motion` [m] is an estimate of how far the grain moves in a step.
  SCREE_HD static FeaturePass of(const BoundaryView& boundaries, const GrainViews<R>& grains, const Feature& feature,
                                 const NodeBody<R>& grain, const Vec3d& centre, double motion) {
    const Pose& pose = boundaries.pose[feature.boundary];
    const Mat3d back = transpose(Mat3d{pose.row_x, pose.row_y, pose.row_z});
    const NodeMap<double> map{back * (grain.size * grain.turn), pose.place_back(centre)};
    const double spacing = grain.size * grain.form->spacing;
    // The front of a facet or a shell depends on the centre. If the centre is outside of a shell, no clearance is
    // known.
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
  /// A node touches a facet when it is behind the triangle. To get there it must first come to the triangle, or enter
  /// the space behind it from the side.
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
