#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "host/case/describe.hpp"
#include "host/text/text.hpp"
#include "scree/time_table.hpp"

/// Goals of controls in case files: numbers, or tables over time.
namespace scree {

inline auto describe(Of<ConstantGoal>) {
  return single("The same value all the time.", required("value", &ConstantGoal::value, "", "Value."));
}
inline auto describe(Of<TabledGoal>) {
  return single(
      "Rows [time, value], linear in between, constant outside; times count from the moment at which the goal begins "
      "to hold.",
      required("rows", &TabledGoal::rows, "", "Rows.", some_items()));
}
inline void check(const TabledGoal& goal, Complaints& complaints) {
  for (std::size_t k = 0; k < goal.rows.size(); ++k) {
    const double time = goal.rows[k][0];
    if (k == 0 && time < 0) complaints.add("0.0", "must be at least 0, got " + number_text(time));
    if (k > 0 && !(time > goal.rows[k - 1][0])) {
      complaints.add(std::to_string(k) + ".0", "must be greater than the time before, " +
                                                   number_text(goal.rows[k - 1][0]) + ", got " + number_text(time));
    }
  }
}
inline auto describe(Of<GoalCourse>) {
  return keyed("A number, or a table over time.", alternative<ConstantGoal>(""), alternative<TabledGoal>(""));
}

/// The rows of a goal; a number becomes one row.
inline TimeTable rows_of(const GoalCourse& goal) {
  if (const auto* constant = std::get_if<ConstantGoal>(&goal)) return {{0.0, constant->value}};
  return std::get<TabledGoal>(goal).rows;
}
inline std::optional<TimeTable> table_of(const std::optional<GoalCourse>& goal) {
  return goal ? std::optional(rows_of(*goal)) : std::nullopt;
}
/// The largest magnitude that a goal asks for.
inline double most_of(const GoalCourse& goal) {
  double most = 0;
  for (const auto& row : rows_of(goal)) most = std::max(most, std::fabs(row[1]));
  return most;
}

/// Complains about values below 0 of the goal `key`.
inline void check_not_negative(const std::string& key, const std::optional<GoalCourse>& goal, Complaints& complaints) {
  if (!goal) { return; }
  const bool is_table = std::holds_alternative<TabledGoal>(*goal);
  const TimeTable rows = rows_of(*goal);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k][1] >= 0) { continue; }
    const std::string place = is_table ? key + "." + std::to_string(k) + ".1" : key;
    complaints.add(place, "must be at least 0, got " + number_text(rows[k][1]));
  }
}

static_assert(lists_every_member<ConstantGoal> && lists_every_member<TabledGoal>);

}  // namespace scree
