#pragma once

#include "kernels/math/vec3.hpp"
#include "kernels/state/boundaries.hpp"

namespace scree::inline SCREE_BACKEND {

enum class TriangleRegion : std::uint32_t { face, edge_ab, edge_bc, edge_ca, vertex_a, vertex_b, vertex_c };

struct ClosestOnTriangle {
  Vec3d point;
  TriangleRegion region;
};

/// Point of the closed triangle abc closest to x, and the Voronoi region in which x lies. Vertices are tested first,
/// then edges, then the face.
SCREE_HD inline ClosestOnTriangle closest_on_triangle(const Vec3d& x, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, bc = c - b;
  const double a_ab = dot(x - a, ab), a_ac = dot(x - a, ac);
  if (a_ab <= 0 && a_ac <= 0) { return {a, TriangleRegion::vertex_a}; }
  const double b_ab = dot(x - b, ab), b_bc = dot(x - b, bc);
  if (b_ab >= 0 && b_bc <= 0) { return {b, TriangleRegion::vertex_b}; }
  const double c_ac = dot(x - c, ac), c_bc = dot(x - c, bc);
  if (c_ac >= 0 && c_bc >= 0) { return {c, TriangleRegion::vertex_c}; }

  // x belongs to an edge if it lies on the side of the edge's outward normal in the plane of the triangle.
  const Vec3d normal = cross(ab, ac);
  if (a_ab > 0 && b_ab < 0 && dot(x - a, cross(ab, normal)) >= 0) {
    return {a + (a_ab / (a_ab - b_ab)) * ab, TriangleRegion::edge_ab};
  }
  if (b_bc > 0 && c_bc < 0 && dot(x - b, cross(bc, normal)) >= 0) {
    return {b + (b_bc / (b_bc - c_bc)) * bc, TriangleRegion::edge_bc};
  }
  if (a_ac > 0 && c_ac < 0 && dot(x - a, cross(normal, ac)) >= 0) {
    return {a + (a_ac / (a_ac - c_ac)) * ac, TriangleRegion::edge_ca};
  }
  const double height = dot(x - a, normal) / dot(normal, normal);
  return {x - height * normal, TriangleRegion::face};
}

/// Point of the segment ab closest to x.
SCREE_HD inline Vec3d closest_on_segment(const Vec3d& x, const Vec3d& a, const Vec3d& b) {
  const Vec3d along = b - a;
  const double share = dot(x - a, along) / math::max(dot(along, along), 1e-300);
  return a + math::min(math::max(share, 0.0), 1.0) * along;
}

/// The position of x relative to an axis.
struct BesideAxis {
  Vec3d radial;     ///< [m] across the axis, towards x; if x lies on the axis, it has any direction and length
  double length;    ///< [m] of `radial`; above 0
  double distance;  ///< [m] of x from the axis
};

/// `axis` is a unit vector, and `along` is the coordinate on it of `foot`, the point of the axis closest to x. The foot
/// is rounded. Near the axis the rounding would leave a component along the axis as large as the distance, so it is
/// removed there.
SCREE_HD inline BesideAxis beside_axis(const Vec3d& x, const Vec3d& foot, const Vec3d& axis, double along) {
  const Vec3d radial = x - foot;
  const double length = norm(radial);
  const double rounded = math::abs(foot.x) + math::abs(foot.y) + math::abs(foot.z) + math::abs(along);
  if (length > 1e-6 * rounded) { return {radial, length, length}; }
  const Vec3d across = radial - dot(radial, axis) * axis;
  const double distance = norm(across);
  if (distance > 1e-3 * length) { return {across, distance, distance}; }
  const Vec3d any = math::abs(axis.x) < 0.9 ? cross(axis, Vec3d{1, 0, 0}) : cross(axis, Vec3d{0, 1, 0});
  return {any, norm(any), 0};
}

/// Point of the open cylindrical shell closest to x.
SCREE_HD inline Vec3d closest_on_shell(const Vec3d& x, const Surface& shell) {
  const double along = dot(x - shell.point, shell.axis);
  const Vec3d foot = shell.point + along * shell.axis;
  const BesideAxis beside = beside_axis(x, foot, shell.axis, along);
  const double clamped = math::min(math::max(along, 0.0), shell.length);
  return shell.point + clamped * shell.axis + (shell.radius / beside.length) * beside.radial;
}

struct ClosestOnCone {
  Vec3d point;
  double ring;    ///< [m] radius of the shell at `point`
  double radial;  ///< [m] distance of x from the axis
};

/// Point closest to x on the open shell of a truncated cone or, for the far side, on the line of the shell opposite to
/// x, across the axis. Both points lie in the half planes through the axis and x, where the shell is a straight line.
SCREE_HD inline ClosestOnCone closest_on_cone(const Vec3d& x, const Surface& cone, bool far_side) {
  const double along = dot(x - cone.point, cone.axis);
  const BesideAxis beside = beside_axis(x, cone.point + along * cone.axis, cone.axis, along);
  const double distance = beside.distance;
  const double widening = cone.second_radius - cone.radius;
  const double across = (far_side ? -distance : distance) - cone.radius;
  const double share = (across * widening + along * cone.length) / (widening * widening + cone.length * cone.length);
  const double t = math::min(math::max(share, 0.0), 1.0);
  const double ring = t < 1 ? cone.radius + t * widening : cone.second_radius;
  return {cone.point + (t * cone.length) * cone.axis + ((far_side ? -ring : ring) / beside.length) * beside.radial,
          ring, distance};
}

/// Whether the far side of a cone is a second contact of a sphere at x that reaches it. It counts only if x is inside,
/// where the near side is farther from the axis than x. At the tip it does not count, since the tip also belongs to the
/// near side. So a sphere that plugs a shell rests on two points of the ring, and prefers no side while it is in the
/// middle.
SCREE_HD inline bool far_side_counts(const Vec3d& x, const Surface& cone) {
  const ClosestOnCone near_side = closest_on_cone(x, cone, false);
  return near_side.radial < near_side.ring && closest_on_cone(x, cone, true).ring > 0;
}

/// Point of the spherical shell closest to x.
SCREE_HD inline Vec3d closest_on_sphere(const Vec3d& x, const Surface& sphere) {
  const Vec3d away = x - sphere.point;
  const double distance = norm(away);
  const Vec3d any{0, 0, 1};
  return sphere.point + (distance > 0 ? (sphere.radius / distance) * away : sphere.radius * any);
}

/// Square of the distance from a point to a box [m2]; 0 inside.
SCREE_HD inline double square_distance(const Vec3d& x, const Vec3d& min, const Vec3d& max) {
  const double dx = math::max(math::max(min.x - x.x, x.x - max.x), 0.0);
  const double dy = math::max(math::max(min.y - x.y, x.y - max.y), 0.0);
  const double dz = math::max(math::max(min.z - x.z, x.z - max.z), 0.0);
  return dx * dx + dy * dy + dz * dz;
}

/// Point of a feature in its present pose that is closest to a given point.
struct ClosestPoint {
  Vec3d point;
  double square_distance;  ///< [m2]; negative behind a plane
  TriangleRegion region;
};

/// [m2] Square of the distance from a plane, negative behind it.
SCREE_INLINE double signed_square(double distance) { return distance < 0 ? -distance * distance : distance * distance; }

/// The surface of a feature that is no facet, in its present pose.
SCREE_HD inline Surface placed_surface(const BoundaryView& boundaries, const Feature& feature) {
  const Pose& pose = boundaries.pose[feature.boundary];
  const Surface& surface = boundaries.surface[feature.a];
  return {pose.place(surface.point), pose.turn(surface.axis), surface.length, surface.radius + pose.growth,
          surface.second_radius + pose.growth};
}

/// The unit vector from the axis of a cylinder in this pose towards x, which is not on the axis.
SCREE_HD inline Vec3d away_from_axis(const Surface& cylinder, const Pose& pose, const Vec3d& x) {
  const Vec3d axis = pose.turn(cylinder.axis), from = x - pose.place(cylinder.point);
  const Vec3d across = from - dot(from, axis) * axis;
  return (1 / norm(across)) * across;
}

/// [m/s] Velocity of the surface of a boundary in this pose, at its point x, due to the growth of its radius.
SCREE_HD inline Vec3d growth_velocity(const BoundaryView& boundaries, const Feature& feature, const Pose& pose,
                                      const Vec3d& x) {
  if (!feature.grows() || pose.growth_rate == 0) { return {0, 0, 0}; }
  return pose.growth_rate * away_from_axis(boundaries.surface[feature.a], pose, x);
}

/// The closest point of a feature that is no facet.
SCREE_HD inline ClosestPoint closest_on_surface(const BoundaryView& boundaries, const Feature& feature,
                                                const Vec3d& x) {
  ClosestPoint result{};
  const Surface surface = placed_surface(boundaries, feature);
  if (feature.kind == FeatureKind::plane) {
    const double distance = dot(x - surface.point, surface.axis);
    result.point = x - distance * surface.axis;
    result.square_distance = signed_square(distance);
    return result;
  }
  if (feature.kind == FeatureKind::cylinder) {
    result.point = closest_on_shell(x, surface);
  } else if (feature.kind == FeatureKind::cone) {
    result.point = closest_on_cone(x, surface, feature.b == 1).point;
  } else {
    result.point = closest_on_sphere(x, surface);
  }
  const Vec3d away = x - result.point;
  result.square_distance = dot(away, away);
  return result;
}

SCREE_HD inline ClosestPoint closest_point(const BoundaryView& boundaries, const Feature& feature, const Vec3d& x) {
  if (feature.kind != FeatureKind::facet) { return closest_on_surface(boundaries, feature, x); }
  const ClosestOnTriangle closest =
      closest_on_triangle(x, boundaries.vertex[feature.a], boundaries.vertex[feature.b], boundaries.vertex[feature.c]);
  ClosestPoint result{closest.point, 0, closest.region};
  const Vec3d away = x - result.point;
  result.square_distance = dot(away, away);
  return result;
}

/// Direction and distance from a feature to a point x.
struct Separation {
  Vec3d normal;     ///< unit normal from the feature to x
  double distance;  ///< [m] signed for planes
};

SCREE_HD inline Separation separation_from_point(const Vec3d& x, const Vec3d& point) {
  const Vec3d away = x - point;
  const double distance = norm(away);
  return {(1.0 / distance) * away, distance};
}

/// Separation of x from a feature; `point` is the feature's closest point to x.
SCREE_HD inline Separation separation(const BoundaryView& boundaries, const Feature& feature, const Vec3d& x,
                                      const Vec3d& point) {
  if (feature.kind == FeatureKind::plane) {
    const Surface plane = placed_surface(boundaries, feature);
    return {plane.axis, dot(x - plane.point, plane.axis)};
  }
  const Vec3d away = x - point;
  const double distance = norm(away);
  if (distance > 0) { return {(1.0 / distance) * away, distance}; }
  Vec3d last_resort{0, 0, 1};
  if (feature.kind == FeatureKind::facet) {
    const Vec3d a = boundaries.vertex[feature.a];
    last_resort = cross(boundaries.vertex[feature.b] - a, boundaries.vertex[feature.c] - a);
    last_resort = (1.0 / norm(last_resort)) * last_resort;
  }
  return {last_resort, 0};
}

}  // namespace scree::inline SCREE_BACKEND
