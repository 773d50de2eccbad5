#include <algorithm>

#include "kernels/cell/control_plan.hpp"
#include "kernels/math/functions.hpp"
#include "scree/time_table.hpp"

/// Decides when stages of the control of a cell end, and begins the next ones.
namespace scree::inline SCREE_BACKEND {

bool CellControl::is_over(const StepTimes& times, const CellTensor& strain, const CellMeasure* measure) const {
  const double time = times.now - state_.stage_began;
  if (time + 0.5 * times.next >= stage().duration) { return true; }  // ends at the step nearest to the duration
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const double wanted = stage().strain[k];
    if (wanted > 0 && math::abs(strain[k] - state_.strain_began[k]) >= wanted * (1 - 1e-9)) { return true; }
    const auto& passed = stage().stress[k];
    if (measure != nullptr && passed && progress_.sides[k] * (measure->stress[k] - *passed) < 0) { return true; }
  }
  if (stage().reversals > 0 && progress_.reversals >= stage().reversals) { return true; }
  if (is_wide()) { return true; }
  const Plan::Dilation& limits = plan_->dilation[state_.stage];
  const double dilation = strain[0] + strain[1] + strain[2];
  if (dilation >= limits.above - 1e-9 || dilation <= limits.below + 1e-9) { return true; }
  return measure != nullptr && is_balanced(time, strain, *measure);
}

/// Whether the conditions on stress error and unbalanced force hold, all paths are over, and strains have reached their
/// goals.
bool CellControl::is_balanced(double time, const CellTensor& strain, const CellMeasure& measure) const {
  const CellStage& now = stage();
  if (!(now.stress_error > 0) && !(now.unbalanced_force > 0)) { return false; }
  if (now.unbalanced_force > 0 && (measure.contacts == 0 || measure.unbalanced_force > now.unbalanced_force)) {
    return false;
  }
  double largest = 0, missing = 0;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const CellGoal& goal = now.goals[k];
    if (goal.kind == CellGoal::Kind::strain_rate || goal.kind == CellGoal::Kind::follows) { continue; }
    if (time < goal.table.back()[0]) { return false; }
    const double aim = goal.table.back()[1] + stress_of_others(goal, measure.stress);
    if (goal.kind == CellGoal::Kind::stress) {
      largest = math::max(largest, math::abs(aim));
      missing = math::max(missing, math::abs(aim - measure.stress[k]));
    } else if (math::abs(aim - (strain[k] - state_.strain_began[k])) > 1e-9 * math::max(1.0, math::abs(aim))) {
      return false;
    }
  }
  // If all goals of stress are 0, the error is relative to the goals of the other stages.
  if (largest == 0) { largest = math::max(plan_->largest_goal, plan_->least_pressure); }
  return !(now.stress_error > 0) || missing <= now.stress_error * largest;
}

bool CellControl::has_amplitudes() const {
  const auto& stages = plan_->cell.stages;
  return std::any_of(stages.begin(), stages.end(), [](const CellStage& stage) {
    return stage.repeat && stage.repeat->double_amplitude != CellTensor{};
  });
}

/// Updates the extremes of the strains of a round. Calling it again with the same strain changes nothing.
void CellControl::note_extremes(const CellTensor& strain) {
  if (!stage().repeat || stage().repeat->double_amplitude == CellTensor{}) { return; }
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    progress_.low[k] = math::min(progress_.low[k], strain[k]);
    progress_.high[k] = math::max(progress_.high[k], strain[k]);
  }
}

/// Whether a strain has gone to and fro so far that all rounds of the stage end.
bool CellControl::is_wide() const {
  if (!stage().repeat) { return false; }
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const double wanted = stage().repeat->double_amplitude[k];
    if (wanted > 0 && progress_.high[k] - progress_.low[k] >= wanted * (1 - 1e-9)) { return true; }
  }
  return false;
}

std::size_t CellControl::next_stage() const { return is_wide() ? stage().repeat->behind : state_.stage + 1; }

/// Begins the next stage. A component whose stress is controlled before and after keeps its rate.
void CellControl::begin_next(const StepTimes& times, const CellTensor& strain) {
  const CellControlState old = state_;
  const StageProgress passed = progress_;
  const CellStage& before = stage();
  const std::size_t next = next_stage();
  state_ = CellControlState{};
  progress_ = StageProgress{};
  state_.stage = next;
  state_.stage_began = times.now;
  state_.strain_began = strain;
  state_.pressure = old.pressure;
  if (finished()) { return; }
  if (stage().repeat && stage().repeat->double_amplitude != CellTensor{}) {
    const bool new_round = next == stage().repeat->first;
    progress_.low = new_round ? strain : passed.low;
    progress_.high = new_round ? strain : passed.high;
  }
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (before.goals[k].kind != CellGoal::Kind::stress || stage().goals[k].kind != CellGoal::Kind::stress) { continue; }
    state_.rate[k] = old.rate[k];
    state_.integral[k] = old.integral[k];
  }
}

/// Uses a new measure for all but the servos: reverses rates that have reached their stress, and records from which
/// side the stage approaches the stresses that it waits for.
void CellControl::look(const StepTimes& times, const CellMeasure& measure) {
  const double time = times.now - state_.stage_began;
  const CellTensor& stress = measure.stress;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    const auto& passed = stage().stress[k];
    if (passed && progress_.sides[k] == 0) { progress_.sides[k] = stress[k] < *passed ? -1 : 1; }
    const CellGoal& goal = stage().goals[k];
    if (goal.kind != CellGoal::Kind::strain_rate || !(goal.reverse_at_stress > 0)) { continue; }
    const double rate = state_.sign[k] * value_at(goal.table, time);
    const double reached = stress[k] + stress_of_others(goal, stress);
    if ((rate > 0 && reached >= goal.reverse_at_stress) || (rate < 0 && reached <= -goal.reverse_at_stress)) {
      state_.sign[k] = -state_.sign[k];
      ++progress_.reversals;
    }
  }
  ++state_.measures;
}

}  // namespace scree::inline SCREE_BACKEND
