#include "host/run/missed_goals.hpp"

#include <algorithm>
#include <cmath>

#include "host/measure/cell_meters.hpp"
#include "host/run/servos.hpp"
#include "host/run/stages.hpp"
#include "host/scene/bonds_at_start.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Whether a condition other than its duration may end a stage.
bool has_conditions(const CellStage& stage) {
  const bool by_amplitude = stage.repeat && stage.repeat->double_amplitude != CellTensor{};
  return by_amplitude || stage.stress_error > 0 || stage.unbalanced_force > 0 || stage.reversals > 0 ||
         stage.void_ratio_above || stage.void_ratio_below ||
         std::any_of(stage.strain.begin(), stage.strain.end(), [](double strain) { return strain > 0; }) ||
         std::any_of(stage.stress.begin(), stage.stress.end(), [](const auto& stress) { return stress.has_value(); });
}

/// `what` is a stage of the run or of the cell. The Python package knows by their first words which warnings are about
/// the end of a run (run_log.py): they are void when the run is resumed.
std::string cut_short(const std::string& what, const std::string& where) {
  return "the run ended before " + what + " did; what should end it did not come about " + where;
}

/// A sentence if stresses of the cell are far from constant goals of its last stage.
std::optional<std::string> missed_stress(const Scene& scene, Engine& engine) {
  constexpr double tolerated = 0.1;  // of the largest goal
  const auto cell = engine.cell();
  if (!cell || scene.cell->stages.empty() || engine.step() == 0) { return std::nullopt; }
  const CellStage& stage = scene.cell->stages[std::min<std::size_t>(cell->stage, scene.cell->stages.size() - 1)];
  const auto is_constant = [](const CellGoal& goal) {
    return goal.kind == CellGoal::Kind::stress && goal.table.size() == 1 && goal.plus == CellTensor{};
  };
  double largest = 0;
  for (const CellGoal& goal : stage.goals) {
    if (is_constant(goal)) { largest = std::max(largest, std::abs(goal.table.front()[1])); }
  }
  if (!(largest > 0)) { return std::nullopt; }
  const CellTensor stress = measure_cell(MeasuredState(engine), scene).stress;
  std::string found;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (!is_constant(stage.goals[k])) { continue; }
    const double goal = stage.goals[k].table.front()[1];
    if (!(std::abs(stress[k] - goal) > tolerated * largest)) { continue; }
    found += (found.empty() ? "stress_" : ", stress_") + std::string(cell_component_names[k]) + " is " +
             short_number_text(stress[k], 3) + " Pa and should be " + short_number_text(goal, 3) + " Pa";
  }
  if (found.empty()) { return std::nullopt; }
  return "at the end of the run the cell does not have the stress that domain.control asks for: " + found +
         "; a longer run, slower strains and walls, or a larger inertial_number helps";
}

}  // namespace

std::vector<std::string> missed_goals(const Scene& scene, Engine& engine, const Stages& stages, const Servos& servos,
                                      const std::string& where) {
  std::vector<std::string> sentences = servos.shortfalls(engine);
  for (std::string& sentence : servos.excesses()) { sentences.push_back(std::move(sentence)); }
  if (stages.cut_short(engine)) { sentences.push_back(cut_short("stage \"" + stages.name() + "\"", where)); }
  // If all stages of the run have ended, they have ended the run.
  const auto cell = stages.finished() ? std::nullopt : engine.cell();
  const auto stage = cell ? unfinished_cell_stage(scene, *cell, where) : std::nullopt;
  if (stage) {
    sentences.push_back(*stage);
  } else if (const auto stress = missed_stress(scene, engine)) {
    sentences.push_back(*stress);
  }
  if (scene.forms_bonds()) {
    if (const auto none = missing_bonds(scene, engine.counts(), true)) { sentences.push_back(*none); }
  }
  return sentences;
}

std::vector<std::string> ended_before(Engine& engine, const Stages& stages) {
  if (!engine.finished() && !stages.finished()) { return {}; }
  return {
      "the checkpoint is the end of this run: its last stage was over there, so no step is made; another case can "
      "\"start\" from it"};
}

std::optional<std::string> unfinished_cell_stage(const Scene& scene, const CellState& cell, const std::string& where) {
  if (!scene.cell || cell.stage >= scene.cell->stages.size()) { return std::nullopt; }
  const CellStage& stage = scene.cell->stages[cell.stage];
  const bool is_last = cell.stage + 1 == scene.cell->stages.size();
  // A last stage with a duration may end together with the run.
  if (is_last && (!has_conditions(stage) || std::isfinite(stage.duration))) { return std::nullopt; }
  return cut_short("the stage \"" + stage.name + "\" of domain.control", where);
}

std::optional<std::string> missing_bonds(const Scene& scene, const EngineCounts& counts, bool over) {
  if (!scene.has_bonds() || counts.bonds + counts.broken_bonds > 0) { return std::nullopt; }
  if (scene.forms_bonds()) {
    if (!over) { return std::nullopt; }
    return "contacts: no bond has formed: no two particles came within \"interaction_range\"";
  }
  if (!makes_bonds_at_start(scene)) {
    return "contacts: the checkpoint of the start brings no whole bond, and \"form\": \"kept\" makes none";
  }
  return "contacts: no bond was made: at the start no two particles were within \"interaction_range\" (of level-set "
         "grains: \"gap\"); a larger one, a denser packing, or \"form\": \"near\" makes some";
}

std::optional<std::string> bonds_at_start(const Scene& scene, const EngineCounts& counts) {
  if (!scene.has_bonds()) { return std::nullopt; }
  return "bonds       " + count_text(counts.bonds + counts.broken_bonds) + " at the start" +
         (scene.forms_bonds() ? "; more form where particles come near" : "");
}

}  // namespace scree
