#include "host/scene/servo_goal.hpp"

#include <algorithm>

#include "host/geometry/real3.hpp"
#include "host/measure/displacement.hpp"

namespace scree {

double area_now(const Scene& scene, const SceneServo& servo, const std::vector<BoundaryLoad>& loads) {
  if (servo.area > 0) { return servo.area; }
  double area = 1;
  for (const auto& pair : servo.sides) {
    if (pair[0] == pair[1]) { return 0; }  // a force needs no area
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
