#pragma once

#include <array>
#include <cstddef>
#include <variant>
#include <vector>

/// Values that change over time, as in a case file.
namespace scree {

/// Time [s] and a value.
using TimeRow = std::array<double, 2>;
/// [n_rows] the times ascend.
using TimeTable = std::vector<TimeRow>;

/// The value of a column of `n` rows at a time [s], which is column 0: linear between the rows, constant outside. There
/// is at least one row. Kernels call this, too.
template <std::size_t width>
[[nodiscard]] constexpr double value_at(const std::array<double, width>* rows, std::size_t n, double time,
                                        std::size_t column = 1) {
  if (time <= rows[0][0]) { return rows[0][column]; }
  for (std::size_t k = 1; k < n; ++k) {
    const double t0 = rows[k - 1][0], y0 = rows[k - 1][column], t1 = rows[k][0], y1 = rows[k][column];
    if (time < t1) { return y0 + (time - t0) * ((y1 - y0) / (t1 - t0)); }
  }
  return rows[n - 1][column];
}
[[nodiscard]] inline double value_at(const TimeTable& rows, double time) {
  return value_at(rows.data(), rows.size(), time);
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
