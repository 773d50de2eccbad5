#include <algorithm>
#include <cmath>
#include <limits>

#include "host/scene/build_scene/cell.hpp"
#include "host/text/text.hpp"
#include "scree/time_table.hpp"

namespace scree {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// [s] The time at which the integral of a rate reaches `sum`. The rate changes linearly from `first` to `last` (both
/// >= 0) within `span` [s]. The result is `never` if the integral over `span` is smaller than `sum`.
double time_of_sum(double first, double last, double span, double sum) {
  if (0.5 * (first + last) * span < sum) { return never; }
  const double growth = (last - first) / span;
  const double root = std::sqrt(std::max(first * first + 2 * growth * sum, 0.0));
  return std::min(span, 2 * sum / (first + root));
}

/// [s] The earliest time at which the integral of the magnitude of a rate reaches a strain. The magnitude of the strain
/// is never larger than this integral, even if the rate changes its sign.
double earliest_by_rate(const TimeTable& rows, double strain) {
  double sum = 0, begin = 0;
  const auto pass = [&](double first, double last, double end) {
    const double time = end > begin ? time_of_sum(first, last, end - begin, strain - sum) : never;
    const double at = begin + time;
    sum += 0.5 * (first + last) * (end - begin), begin = end;
    return at;
  };
  for (const auto& [end, rate] : rows) {
    if (!(end > begin)) { continue; }
    const double first = value_at(rows, begin);
    double at = never;
    if (first * rate < 0) {  // the rate passes through 0
      const double zero = begin + (end - begin) * first / (first - rate);
      at = pass(std::fabs(first), 0, zero);
      if (at == never) { at = pass(0, std::fabs(rate), end); }
    } else {
      at = pass(std::fabs(first), std::fabs(rate), end);
    }
    if (at < never) { return at; }
  }
  const double last = std::fabs(rows.back()[1]);
  return last > 0 ? begin + (strain - sum) / last : never;
}

/// [s] The earliest time at which a stage can reach a strain of one component; 0 if this is not known in advance.
double earliest_strain(const CellGoal& goal, double strain) {
  constexpr double rounding = 1e-9;  // a run accepts a strain that is too small by this fraction
  return goal.kind == CellGoal::Kind::strain_rate ? earliest_by_rate(goal.table, strain * (1 - rounding)) : 0;
}

bool waits_for_strain(const CellStage& stage) {
  return std::any_of(stage.strain.begin(), stage.strain.end(), [](double strain) { return strain > 0; });
}

/// [s] The earliest time at which a strain can end a stage; `never` if no strain ends it.
double end_by_strain(const CellStage& stage) {
  double earliest = never;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (stage.strain[k] > 0) { earliest = std::min(earliest, earliest_strain(stage.goals[k], stage.strain[k])); }
  }
  return earliest;
}

bool ends_by_state(const CellStage& stage) {
  const bool by_amplitude = stage.repeat && stage.repeat->double_amplitude != CellTensor{};
  return by_amplitude || stage.stress_error > 0 || stage.unbalanced_force > 0 || stage.reversals > 0 ||
         stage.void_ratio_above || stage.void_ratio_below ||
         std::any_of(stage.stress.begin(), stage.stress.end(), [](const auto& stress) { return stress.has_value(); });
}

}  // namespace

void warn_of_short_control(const Scene& scene, double duration, std::vector<std::string>& warnings) {
  if (!scene.cell) { return; }
  constexpr double rounding = 1e-9;
  double begin = 0;  // [s] the earliest begin of the present stage
  const std::vector<CellStage>& stages = scene.cell->stages;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const CellStage& stage = stages[s];
    if (ends_by_state(stage)) { continue; }  // it may end at once: the strain is only an upper limit
    const double by_strain = end_by_strain(stage), end = std::min(by_strain, stage.duration);
    const double left = duration - begin;
    if (end == never && waits_for_strain(stage)) {
      warnings.push_back("domain.control: stage " + std::to_string(s) + " \"" + stage.name +
                         "\" never reaches its strain: its rates end at 0 before");
      return;
    }
    if (by_strain < never && by_strain == end && end > left * (1 + rounding)) {
      warnings.push_back(
          "domain.control: stage " + std::to_string(s) + " \"" + stage.name + "\" needs at least " +
          short_number_text(end, 3) + " s to reach its strain, " +
          (begin > 0 ? "and the stages before it leave at most " + short_number_text(left, 3) + " s of time.duration"
                     : "the run has " + short_number_text(left, 3) + " s"));
      return;
    }
    begin += end;
    if (!(begin < duration)) { return; }  // later stages do not begin
  }
}

}  // namespace scree
