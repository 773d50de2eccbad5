#pragma once

#include <optional>
#include <string>

#include "host/geometry/real3.hpp"
#include "scree/motions.hpp"

namespace scree {

/// The direction of the velocity of a motion, without its magnitude, which changes with time.
struct MotionCourse {
  std::string key;  ///< key of the case that gives the direction
  Real3 direction;  ///< of length 1
  bool turns;       ///< it is a rotation, and `direction` is its axis
  Real3 origin;     ///< [m] a point of the axis

  /// The direction of the velocity at x [m]; for a rotation, the velocity at a rate of 1 rad/s.
  [[nodiscard]] Real3 velocity(const Real3& x) const;
  /// Whether the direction is parallel to an axis of length 1.
  [[nodiscard]] bool is_along(const Real3& axis) const;
  /// Whether it turns about the line through `point` along an axis of length 1.
  [[nodiscard]] bool is_about(const Real3& axis, const Real3& point) const;
  /// Whether no part of a flat surface with this normal moves along the normal.
  [[nodiscard]] bool is_across(const Real3& normal) const;
};

/// The course of a motion whose axes and directions have length 1; none for a translation without velocity.
[[nodiscard]] std::optional<MotionCourse> course_of(const MotionKind& motion);

}  // namespace scree
