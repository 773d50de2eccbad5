#include "host/run/missed_goals.hpp"

#include <algorithm>
#include <cmath>

#include "host/run/servos.hpp"
#include "host/run/stages.hpp"

namespace scree {
namespace {

/// Whether something else than its duration may end a stage.
bool has_conditions(const CellStage& stage) {
  return stage.stress_error > 0 || stage.unbalanced_force > 0 || stage.reversals > 0 ||
         std::any_of(stage.strain.begin(), stage.strain.end(), [](double strain) { return strain > 0; }) ||
         std::any_of(stage.stress.begin(), stage.stress.end(), [](const auto& stress) { return stress.has_value(); });
}

/// `what` is a stage of the run or of the cell.
std::string cut_short(const std::string& what, const std::string& where) {
  return "the run ended before " + what + " did; what should end it did not come about " + where;
}

}  // namespace

std::vector<std::string> missed_goals(const Scene& scene, Engine& engine, const Stages& stages, const Servos& servos,
                                      const std::string& where) {
  std::vector<std::string> sentences = servos.shortfalls(engine);
  for (std::string& sentence : servos.excesses()) { sentences.push_back(std::move(sentence)); }
  if (stages.cut_short(engine)) { sentences.push_back(cut_short("stage \"" + stages.name() + "\"", where)); }
  // Stages of the run that have all ended have ended it, too.
  const auto cell = stages.finished() ? std::nullopt : engine.cell();
  const auto stage = cell ? unfinished_cell_stage(scene, *cell, where) : std::nullopt;
  if (stage) { sentences.push_back(*stage); }
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
  // A last stage with a duration may share its end with the run.
  if (is_last && (!has_conditions(stage) || std::isfinite(stage.duration))) { return std::nullopt; }
  return cut_short("the stage \"" + stage.name + "\" of domain.control", where);
}

std::optional<std::string> missing_bonds(const Scene& scene, const EngineCounts& counts, bool over) {
  if (!scene.has_bonds() || counts.bonds + counts.broken_bonds > 0) { return std::nullopt; }
  if (scene.forms_bonds()) {
    if (!over) { return std::nullopt; }
    return "contacts: no bond has formed: no two particles came within \"interaction_range\"";
  }
  return "contacts: no bond was made: at the start no two particles were within \"interaction_range\" (of level-set "
         "grains: \"gap\"); a larger one, a denser packing, or \"form\": \"near\" makes some";
}

}  // namespace scree
