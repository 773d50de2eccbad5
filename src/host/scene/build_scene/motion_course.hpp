#pragma once

#include <optional>
#include <string>

#include "host/geometry/real3.hpp"
#include "scree/motions.hpp"

namespace scree {

/// The direction of the velocity of a motion. Its magnitude does not count, since it changes with time.
struct MotionCourse {
  std::string key;  ///< of the case, with the direction
  Real3 direction;  ///< of length 1
  bool turns;       ///< about an axis, which is this direction
  Real3 origin;     ///< [m] of this axis

  [[nodiscard]] Real3 velocity(const Real3& x) const;
  /// Whether the direction is parallel to an axis of length 1.
  [[nodiscard]] bool is_along(const Real3& axis) const;
  /// Whether it turns about the line through `point` along an axis of length 1.
  [[nodiscard]] bool is_about(const Real3& axis, const Real3& point) const;
  /// Whether no part of a flat surface with this normal moves along the normal.
  [[nodiscard]] bool is_across(const Real3& normal) const;
};

/// None if it rests. Axes and directions have length 1.
[[nodiscard]] std::optional<MotionCourse> course_of(const MotionKind& motion);

}  // namespace scree
