#include "host/run/missed_goals.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Whether something else than its duration may end a stage.
bool has_conditions(const CellStage& stage) {
  return stage.stress_error > 0 || stage.unbalanced_force > 0 ||
         std::any_of(stage.strain.begin(), stage.strain.end(), [](double strain) { return strain > 0; }) ||
         std::any_of(stage.stress.begin(), stage.stress.end(), [](const auto& stress) { return stress.has_value(); });
}

}  // namespace

std::optional<std::string> unfinished_cell_stage(const Scene& scene, const CellState& cell, const std::string& where) {
  if (!scene.cell || cell.stage >= scene.cell->stages.size()) { return std::nullopt; }
  const CellStage& stage = scene.cell->stages[cell.stage];
  const bool is_last = cell.stage + 1 == scene.cell->stages.size();
  // A last stage with a duration may share its end with the run.
  if (is_last && (!has_conditions(stage) || std::isfinite(stage.duration))) { return std::nullopt; }
  return "the run ended before the stage \"" + stage.name +
         "\" of domain.control did; what should end it did not come "
         "about " +
         where;
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
