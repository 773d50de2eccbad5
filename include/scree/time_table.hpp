#pragma once

#include <array>
#include <variant>
#include <vector>

/// Values that change over time, as in a case file.
namespace scree {

/// [n_rows] time [s] and a value; the times ascend.
using TimeTable = std::vector<std::array<double, 2>>;

/// The value at a time [s]: linear between the rows, constant outside. The table has at least one row.
[[nodiscard]] inline double value_at(const TimeTable& rows, double time) {
  if (time <= rows.front()[0]) { return rows.front()[1]; }
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto& [t0, y0] = rows[k - 1];
    const auto& [t1, y1] = rows[k];
    if (time < t1) { return y0 + (time - t0) * ((y1 - y0) / (t1 - t0)); }
  }
  return rows.back()[1];
}

struct ConstantGoal {
  double value = 0;
};
struct TabledGoal {
  TimeTable rows;  ///< times from the moment at which the goal begins to hold
};
/// A goal of a control: a number, or a table over time.
using GoalCourse = std::variant<ConstantGoal, TabledGoal>;

}  // namespace scree
