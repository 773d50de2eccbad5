#include "host/geometry/boundary_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "host/geometry/outlines.hpp"
#include "host/geometry/real3.hpp"

namespace scree::geometry {
namespace {

// Each shape has overloads of parts(), distance() and triangles(), and of sides() if it consists of planes.

template <class Shape>
std::vector<Side> sides(const Shape&) {
  return {};
}

// --- plane -----------------------------------------------------------------------------------------------------

std::vector<Side> sides(const PlaneBoundary& plane) { return {{plane.point, plane.normal}}; }
std::vector<Part> parts(const PlaneBoundary&) { return {}; }
double distance(const PlaneBoundary& plane, const Real3& point) {
  return dot(subtract(point, plane.point), plane.normal);
}
TriangleMesh triangles(const PlaneBoundary&) { return {}; }

// --- box -------------------------------------------------------------------------------------------------------

std::vector<Side> sides(const BoxBoundary& box) {
  std::vector<Side> all;
  for (std::size_t k = 0; k < 3; ++k) {
    Real3 inward{};
    inward[k] = 1;
    all.push_back({box.min, inward});
    all.push_back({box.max, scaled(inward, -1)});
  }
  return all;
}
std::vector<Part> parts(const BoxBoundary& box) {
  std::vector<Part> corners;
  for (const Real3& corner : box_outline(box.min, box.max).vertices) corners.push_back({.centre = corner});
  return corners;
}
double distance(const BoxBoundary& box, const Real3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3; ++k) least = std::min({least, point[k] - box.min[k], box.max[k] - point[k]});
  return least;
}
TriangleMesh triangles(const BoxBoundary& box) { return box_outline(box.min, box.max); }

// --- cylinder --------------------------------------------------------------------------------------------------

std::vector<Part> parts(const CylinderBoundary& shell) {
  const Real3 axis = subtract(shell.to, shell.from);
  return {{shell.from, shell.radius, axis}, {shell.to, shell.radius, axis}};
}
double distance(const CylinderBoundary& shell, const Real3& point) {
  const Real3 span = subtract(shell.to, shell.from), offset = subtract(point, shell.from);
  const Real3 axis = unit(span);
  const double height = dot(offset, axis);
  const double beyond = std::max({-height, height - length(span), 0.0});
  const double across = length(along(offset, -height, axis)) - shell.radius;
  return std::sqrt(beyond * beyond + across * across);
}
TriangleMesh triangles(const CylinderBoundary& shell) {
  return shell_outline(shell.from, shell.to, shell.radius, shell.radius);
}

// --- cone ------------------------------------------------------------------------------------------------------

std::vector<Part> parts(const ConeBoundary& shell) {
  const Real3 axis = subtract(shell.to, shell.from);
  return {{shell.from, shell.radius_from, axis}, {shell.to, shell.radius_to, axis}};
}
double distance(const ConeBoundary& shell, const Real3& point) {
  const Real3 span = subtract(shell.to, shell.from), offset = subtract(point, shell.from), axis = unit(span);
  const double height = dot(offset, axis), across = length(along(offset, -height, axis)) - shell.radius_from;
  const double tall = length(span), wider = shell.radius_to - shell.radius_from;
  const double share = std::clamp((across * wider + height * tall) / (wider * wider + tall * tall), 0.0, 1.0);
  const double out = across - share * wider, up = height - share * tall;
  return std::sqrt(out * out + up * up);
}
TriangleMesh triangles(const ConeBoundary& shell) {
  return shell_outline(shell.from, shell.to, shell.radius_from, shell.radius_to);
}

// --- sphere ----------------------------------------------------------------------------------------------------

std::vector<Part> parts(const SphereBoundary& sphere) { return {{.centre = sphere.center, .radius = sphere.radius}}; }
double distance(const SphereBoundary& sphere, const Real3& point) {
  return std::fabs(length(subtract(point, sphere.center)) - sphere.radius);
}
TriangleMesh triangles(const SphereBoundary& sphere) { return ball_outline(sphere.center, sphere.radius); }

// --- mesh ------------------------------------------------------------------------------------------------------

std::vector<Part> parts(const MeshBoundary&) { return {}; }
double distance(const MeshBoundary&, const Real3&) { return std::numeric_limits<double>::infinity(); }
TriangleMesh triangles(const MeshBoundary&) { return {}; }

}  // namespace

std::vector<Side> sides_of(const BoundaryShape& shape) {
  return std::visit([](const auto& kind) { return sides(kind); }, shape);
}

std::vector<Part> parts_of(const BoundaryShape& shape) {
  return std::visit([](const auto& kind) { return parts(kind); }, shape);
}

double distance_to(const BoundaryShape& shape, const Real3& point) {
  return std::visit([&](const auto& kind) { return distance(kind, point); }, shape);
}

TriangleMesh outline(const BoundaryShape& shape) {
  return std::visit([](const auto& kind) { return triangles(kind); }, shape);
}

}  // namespace scree::geometry
