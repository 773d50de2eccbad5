#include "host/scene/stage_lengths.hpp"

#include <algorithm>

namespace scree {

bool looks_at_state(const RunStageEnd& end) {
  return end.servo_error || end.kinetic_energy || end.speed || end.unbalanced_force || end.at_most || end.at_least ||
         end.removed || end.boundary_force || end.boundary_position || end.flow || end.measure || !end.all_of.empty();
}

StageLength length_of(const SceneStage& stage) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  if (!stage.until) { return {endless, endless}; }
  const double most = stage.until->duration.value_or(endless);
  const bool may_end_before = stage.until->control || looks_at_state(*stage.until);
  return {may_end_before ? std::min(stage.until->not_before, most) : most, most};
}

}  // namespace scree
