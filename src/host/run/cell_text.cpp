#include "host/run/cell_text.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

constexpr std::array<const char*, 3> axes{"x", "y", "z"};

std::string joined(const std::vector<std::string>& parts, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : i + 1 < parts.size() ? ", " : last) + parts[i];
  return text;
}

bool is_box(const Matrix3& edges) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (i != j && edges[i][j] != 0) return false;
    }
  }
  return true;
}

std::string size_text(const PeriodicCell& cell) {
  std::string text;
  if (is_box(cell.edges)) {
    for (std::size_t k = 0; k < 3; ++k) text += (k == 0 ? "" : " x ") + short_number_text(cell.edges[k][k]);
  } else {
    text = "edges";
    for (const Real3& edge : cell.edges) {
      text += " (" + short_number_text(edge[0]) + ", " + short_number_text(edge[1]) + ", " +
              short_number_text(edge[2]) + ")";
    }
  }
  std::vector<std::string> along;
  for (std::size_t k = 0; k < 3; ++k) {
    if (cell.periodic[k]) along.emplace_back(axes[k]);
  }
  return text + " m, volume " + short_number_text(geometry::CellFrame(cell).volume()) + " m3, periodic along " +
         (is_box(cell.edges) ? joined(along, " and ") : "all edges");
}

/// The half-cell restriction, and how far the cell may shrink.
std::string room_text(const Scene& scene) {
  const geometry::CellFrame cell(*scene.cell);
  std::size_t narrowest = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!cell.periodic(k)) continue;
    if (narrowest == 3 || cell.width(k) < cell.width(narrowest)) narrowest = k;
  }
  const double width = cell.width(narrowest), needed = least_cell_width * largest_reach(scene);
  return short_number_text(width) + " m between the nearest faces; more than " + short_number_text(needed) +
         " m is needed, so it may shrink to " + short_number_text(100 * needed / width, 3) + " % of that";
}

/// The values of a table after the first one. Of a long table only the last value, and the range of all values.
std::string rows_text(const TimeTable& table) {
  constexpr std::size_t most_rows = 4;
  std::string text;
  if (table.size() <= most_rows) {
    for (std::size_t k = 1; k < table.size(); ++k) { text += " to " + short_number_text(table[k][1]); }
    return text;
  }
  const auto [low, high] =
      std::minmax_element(table.begin(), table.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
  return " to " + short_number_text(table.back()[1]) + " between " + short_number_text((*low)[1]) + " and " +
         short_number_text((*high)[1]);
}

/// " + 0.5 times the stress xx - 0.5 times the stress yy"; `of` is "the stress" here.
std::string multiples_text(const CellTensor& multiples, const std::string& of) {
  std::string text;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (multiples[k] == 0) continue;
    text += (multiples[k] < 0 ? " - " : " + ") + short_number_text(std::fabs(multiples[k])) + " times " + of + " " +
            cell_component_names[k];
  }
  return text;
}

std::string goal_text(const std::string& name, const CellGoal& goal) {
  if (goal.kind == CellGoal::Kind::follows) {
    const std::string sum = multiples_text(goal.follows, "the strain");
    return name + " at " + (sum.starts_with(" - ") ? "-" : "") + sum.substr(3);
  }
  const auto [word, unit] = [&]() -> std::pair<std::string, std::string> {
    switch (goal.kind) {
      case CellGoal::Kind::strain_rate: return {" at ", " /s"};
      case CellGoal::Kind::strain: return {" to a strain of ", ""};
      case CellGoal::Kind::stress: return {" under ", " Pa"};
      case CellGoal::Kind::follows: break;
    }
    return {};
  }();
  const TimeTable& table = goal.table;
  std::string text = name + word + short_number_text(table.front()[1]) + (table.size() == 1 ? unit : "");
  if (table.size() > 1) { text += rows_text(table) + unit + " in " + short_number_text(table.back()[0]) + " s"; }
  if (!(goal.reverse_at_stress > 0)) { text += multiples_text(goal.plus, "the stress"); }
  if (goal.reverse_at_stress > 0) {
    const bool of_several = goal.plus != CellTensor{};
    text += std::string(", back and forth between ") + (of_several ? "combined stresses" : "stresses") + " of " +
            short_number_text(goal.reverse_at_stress) + " Pa";
  }
  return text;
}

bool rests(const CellGoal& goal) {
  return goal.kind == CellGoal::Kind::strain_rate &&
         std::all_of(goal.table.begin(), goal.table.end(), [](const auto& row) { return row[1] == 0; });
}

std::string end_text(const CellStage& stage) {
  std::vector<std::string> ends;
  if (std::isfinite(stage.duration)) ends.push_back("for " + short_number_text(stage.duration) + " s");
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!(stage.strain[k] > 0)) continue;
    ends.push_back("until a strain " + std::string(cell_component_names[k]) + " of " +
                   short_number_text(stage.strain[k]));
  }
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!stage.stress[k]) continue;
    ends.push_back("until the stress " + std::string(cell_component_names[k]) + " passes " +
                   short_number_text(*stage.stress[k]) + " Pa");
  }
  if (stage.reversals > 0) ends.push_back("until reversal " + std::to_string(stage.reversals));
  if (stage.void_ratio_below)
    ends.push_back("until a void ratio of at most " + short_number_text(*stage.void_ratio_below));
  if (stage.void_ratio_above)
    ends.push_back("until a void ratio of at least " + short_number_text(*stage.void_ratio_above));
  std::vector<std::string> balance;
  if (stage.stress_error > 0) balance.push_back("stress error " + short_number_text(stage.stress_error));
  if (stage.unbalanced_force > 0) balance.push_back("unbalanced force " + short_number_text(stage.unbalanced_force));
  if (!balance.empty()) ends.push_back("until " + joined(balance, " and "));
  return ends.empty() ? "to the end of the run" : joined(ends, " or ");
}

/// "the 2 stages from here come 20 times, up to stage 40" for the first of several stages; "comes 20 times" for a
/// single one.
std::string rounds_text(std::size_t s, const CellStage& stage) {
  const CellRound& place = *stage.repeat;
  if (s != place.first) { return "; repeated with the stages before"; }
  const std::uint64_t n = (place.behind - place.first) / place.times;
  std::string text = n == 1 ? "; comes " : "; the " + std::to_string(n) + " stages from here come ";
  text += std::to_string(place.times) + " times, up to stage " + std::to_string(place.behind - 1);
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!(place.double_amplitude[k] > 0)) continue;
    text += std::string(", or until a double amplitude ") + cell_component_names[k] + " of " +
            short_number_text(place.double_amplitude[k]);
  }
  return text;
}

std::string stage_text(const CellStage& stage, const Scene& scene) {
  std::vector<std::string> goals;
  bool servo = false;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!rests(stage.goals[k])) goals.push_back(goal_text(cell_component_names[k], stage.goals[k]));
    servo = servo || stage.goals[k].kind == CellGoal::Kind::strain || stage.goals[k].kind == CellGoal::Kind::stress;
  }
  std::string text = stage.name + ": " + (goals.empty() ? "at rest" : joined(goals, ", ")) + "; " + end_text(stage);
  if (servo) text += "; rates up to an inertial number of " + short_number_text(stage.inertial_number);
  const double number = prescribed_inertial_number(stage, scene);
  if (number > 0) text += "; prescribed rates mean " + short_number_text(number, 3);
  return text;
}

std::string gradient_text(const Matrix3& gradient) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (gradient[i][j] == 0) continue;
      parts.push_back(std::string("dv") + axes[i] + "/d" + axes[j] + " = " + short_number_text(gradient[i][j]) + " /s");
    }
  }
  return parts.empty() ? "the cell rests" : joined(parts, ", ");
}

/// [Pa] The stress at which all three normal stresses are equal and meet the goal, which may include multiples of the
/// others; 0 if the goal fixes no such stress.
double isotropic_goal(const CellGoal& goal) {
  constexpr double rounding = 1e-9;
  const double own = 1 - goal.plus[0] - goal.plus[1] - goal.plus[2];
  return std::fabs(own) > rounding ? goal.table.back()[1] / own : 0;
}

/// [1/s] The largest magnitude of a rate that the case prescribes: a strain rate, or the steepest slope of a path of
/// strain. A path of one row prescribes none.
double largest_rate(const CellGoal& goal) {
  double rate = 0;
  const TimeTable& table = goal.table;
  for (std::size_t n = 0; n < table.size(); ++n) {
    if (goal.kind == CellGoal::Kind::strain_rate) rate = std::max(rate, std::fabs(table[n][1]));
    if (goal.kind != CellGoal::Kind::strain || n == 0 || !(table[n][0] > table[n - 1][0])) continue;
    rate = std::max(rate, std::fabs((table[n][1] - table[n - 1][1]) / (table[n][0] - table[n - 1][0])));
  }
  return rate;
}

}  // namespace

double prescribed_inertial_number(const CellStage& stage, const Scene& scene) {
  double rate = 0, pressure = 0, n_pressures = 0;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const CellGoal& goal = stage.goals[k];
    rate = std::max(rate, largest_rate(goal));
    if (goal.kind != CellGoal::Kind::stress || k >= 3) continue;
    const double alone = isotropic_goal(goal);
    if (alone == 0 && goal.plus != CellTensor{}) continue;
    pressure += std::fabs(alone);
    ++n_pressures;
  }
  if (!(rate > 0) || !(pressure > 0) || scene.particles.size() == 0) return 0;
  double n = 0, diameters = 0, mass = 0, volume = 0;
  visit_whole_particles(scene, [&](double radius, std::uint32_t material) {
    const double cube = std::pow(radius, 3);
    ++n;
    diameters += 2 * radius;
    mass += cube * scene.materials[material].density;
    volume += cube;
  });
  // the pressure may be close to zero
  return rate * (diameters / n) * std::sqrt(mass / volume) * std::sqrt(n_pressures) / std::sqrt(pressure);
}

std::vector<std::pair<std::string, std::string>> cell_lines(const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (!scene.cell) return lines;
  lines.emplace_back("cell", size_text(*scene.cell));
  lines.emplace_back("cell width", room_text(scene));
  for (std::size_t s = 0; s < scene.cell->stages.size(); ++s) {
    const CellStage& stage = scene.cell->stages[s];
    if (comes_again(stage)) continue;
    lines.emplace_back("stage " + std::to_string(s),
                       stage_text(stage, scene) + (stage.repeat ? rounds_text(s, stage) : ""));
  }
  if (scene.cell->stages.empty()) lines.emplace_back("cell rate", gradient_text(scene.cell->velocity_gradient));
  return lines;
}

std::string cell_state_text(const CellState& state, const PeriodicCell& cell) {
  std::string text;
  if (!cell.stages.empty()) {
    const bool all = state.stage >= cell.stages.size();
    text = all ? "all stages are over; "
               : "in stage " + std::to_string(state.stage) + ", " + cell.stages[state.stage].name;
    const auto& place = all ? std::optional<CellRound>() : cell.stages[state.stage].repeat;
    if (place) { text += " of round " + std::to_string(place->round + 1) + " of " + std::to_string(place->times); }
    text += all ? "" : "; ";
  }
  text += "strain";
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    text += std::string(k == 0 ? " " : ", ") + cell_component_names[k] + " " + short_number_text(state.strain[k]);
  }
  return text + "; volume " + short_number_text(state.volume) + " m3";
}

}  // namespace scree
