#pragma once

#include "kernels/shapes/closest.hpp"

/// Where a node stands relative to a surface. Which side of the surface is the right one follows from the centre of its
/// grain.
namespace scree::inline SCREE_BACKEND {

struct Behind {
  Vec3d normal;  ///< from the surface to the side of the grain
  double depth;  ///< [m]
  bool on_edge;  ///< the closest point lies on the edge of a facet
};

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
  const Vec3d foot = closest_point(boundaries, feature, x).point;
  const Vec3d away = x - foot;
  return dot(away, centre - foot) < 0 ? -norm(away) : norm(away);
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
  if (feature.kind == FeatureKind::cone && feature.b == 1) { return false; }
  const Vec3d foot = closest_point(boundaries, feature, x).point;
  const Vec3d away = x - foot;
  behind.depth = norm(away);
  if (!(behind.depth > 0) || !(dot(away, centre - foot) < 0)) { return false; }
  behind.normal = (-1 / behind.depth) * away;
  return is_within_rims(boundaries, feature, foot, away);
}

}  // namespace scree::inline SCREE_BACKEND
