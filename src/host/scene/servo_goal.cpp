#include "host/scene/servo_goal.hpp"

#include <algorithm>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/measure/displacement.hpp"

namespace scree {
namespace {

/// [m] The present length of a cylinder between the planes across its axis.
double length_between(const Scene& scene, const SceneServo& servo, const std::vector<BoundaryLoad>& loads) {
  const auto& shell = std::get<CylinderBoundary>(scene.boundaries.at(*servo.tube).shape);
  Real3 from = shell.from, axis = geometry::subtract(shell.to, shell.from);
  double low = 0, high = geometry::length(axis);
  axis = geometry::unit(axis);
  if (!loads.empty()) {
    const BoundaryLoad& load = loads[*servo.tube];
    const auto turned = [&](const Real3& v) {
      return Real3{geometry::dot(load.rotation[0], v), geometry::dot(load.rotation[1], v),
                   geometry::dot(load.rotation[2], v)};
    };
    from = geometry::add(turned(from), load.offset), axis = turned(axis);
  }
  for (const std::uint32_t plane : servo.platens) {
    const Real3& normal = std::get<PlaneBoundary>(scene.boundaries.at(plane).shape).normal;
    const double place = geometry::dot(geometry::subtract(place_of_plane(scene, plane, loads), from), axis);
    if (geometry::dot(normal, axis) > 0) {
      low = std::max(low, place);
    } else {
      high = std::min(high, place);
    }
  }
  return std::max(0.0, high - low);
}

}  // namespace

double radius_now(const Scene& scene, std::uint32_t cylinder, const std::vector<BoundaryLoad>& loads) {
  const double start = std::get<CylinderBoundary>(scene.boundaries.at(cylinder).shape).radius;
  return loads.empty() ? start : start + loads[cylinder].growth;
}

double pushed_with(const SceneServo& servo, const BoundaryLoad& load) {
  return servo.radial ? load.radial_force : -geometry::dot(load.force, servo.direction);
}

double area_now(const Scene& scene, const SceneServo& servo, const std::vector<BoundaryLoad>& loads) {
  if (servo.area > 0) { return servo.area; }
  if (servo.tube) {
    const double radius = radius_now(scene, *servo.tube, loads);
    return std::numbers::pi * radius * (servo.radial ? 2 * length_between(scene, servo, loads) : radius);
  }
  double area = 1;
  for (const auto& pair : servo.sides) {
    if (pair[0] == pair[1]) { return 0; }  // no planes are given: a servo with a force needs no area
    const Real3& normal = std::get<PlaneBoundary>(scene.boundaries.at(pair[0]).shape).normal;
    const Real3 apart =
        geometry::subtract(place_of_plane(scene, pair[1], loads), place_of_plane(scene, pair[0], loads));
    area *= std::max(0.0, geometry::dot(apart, normal));
  }
  return area;
}

double goal_at(const SceneServo& servo, double time) {
  return value_at(servo.force ? *servo.force : *servo.stress, time - servo.since);
}

}  // namespace scree
