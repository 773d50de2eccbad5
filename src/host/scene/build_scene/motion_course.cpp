#include "host/scene/build_scene/motion_course.hpp"

#include <cmath>

namespace scree {
namespace {

using namespace geometry;

template <class M>
MotionCourse line_or_turn(const M& motion) {
  if (motion.direction) { return {"direction", *motion.direction, false, {}}; }
  return {"axis", *motion.axis, true, motion.origin};
}

}  // namespace

Real3 MotionCourse::velocity(const Real3& x) const { return turns ? cross(direction, subtract(x, origin)) : direction; }

bool MotionCourse::is_along(const Real3& axis) const { return length(cross(direction, axis)) <= no_lean; }

bool MotionCourse::is_about(const Real3& axis, const Real3& point) const {
  const Real3 away = subtract(point, origin);
  return turns && is_along(axis) && length(cross(direction, away)) <= no_lean * (length(point) + length(origin));
}

bool MotionCourse::is_across(const Real3& normal) const {
  return turns ? is_along(normal) : std::fabs(dot(direction, normal)) <= no_lean;
}

std::optional<MotionCourse> course_of(const MotionKind& motion) {
  if (const auto* line = std::get_if<Translation>(&motion)) {
    if (line->velocity == Real3{}) { return std::nullopt; }
    return MotionCourse{"velocity", unit(line->velocity), false, {}};
  }
  if (const auto* turn = std::get_if<Rotation>(&motion)) {
    return MotionCourse{"axis", turn->axis, true, turn->origin};
  }
  if (const auto* swing = std::get_if<Oscillation>(&motion)) { return line_or_turn(*swing); }
  return line_or_turn(std::get<TableMotion>(motion));
}

}  // namespace scree
