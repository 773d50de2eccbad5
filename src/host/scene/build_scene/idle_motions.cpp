#include <algorithm>
#include <optional>

#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/stage_lengths.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using StagedMotions = std::optional<std::vector<Motion>> SceneStagedBoundary::*;

/// A list of motions of a boundary or of its surface, from its stage on until another stage gives the next list.
struct MotionList {
  const std::vector<Motion>& motions;
  std::string path;          ///< "stages.1.boundaries.lid.motion"
  const SceneStage* stage;   ///< null: the list of the boundary itself, from the start of the run on
  StageLength before;        ///< [s] of the stages before it
  StageLength length{0, 0};  ///< [s] of the stages in which it holds; without stages it has no end

  /// [s] The time for which it holds, as the run has an end, too.
  [[nodiscard]] StageLength in_run(double duration) const {
    return {std::max(0.0, std::min(length.least, duration - before.most)),
            std::min(length.most, duration - before.least)};
  }
};

void lengthen(StageLength& sum, const StageLength& more) { sum.least += more.least, sum.most += more.most; }

/// A motion that keeps a boundary at rest, as scree itself gives to a boundary that only a stage moves.
bool is_rest(const Motion& motion) {
  const auto* const translation = std::get_if<Translation>(&motion.kind);
  return translation != nullptr && translation->velocity == Real3{};
}

/// Why a motion is never used; empty: it is. `next` is the stage that gives the next list; null: the run ends first.
std::string idle_text(const Motion& motion, const MotionList& list, double duration, const SceneStage* next) {
  const double longest = list.in_run(duration).most;
  if (motion.from < longest) { return {}; }
  const std::string unused = "is never used: stage \"";
  if (list.stage != nullptr && !(longest > 0)) {
    return unused + list.stage->name + "\" begins after " + short_number_text(list.before.least) +
           " s at the earliest, when the run is over";
  }
  const bool is_replaced = next != nullptr && list.length.most <= longest;
  if (is_replaced && list.length.most == 0) { return unused + next->name + "\" replaces it as the run begins"; }
  return "begins at " + short_number_text(motion.from) + " s" +
         (list.stage == nullptr ? "" : " of stage \"" + list.stage->name + "\"") +
         (is_replaced ? ", when stage \"" + next->name + "\" has replaced it" : ", when the run is over");
}

/// Says that a table of velocities ends in motion while its list still holds; empty: it does not.
std::string early_end_text(const Motion& motion, const MotionList& list, double duration) {
  const auto* const table = std::get_if<TableMotion>(&motion.kind);
  if (table == nullptr || !table->velocity || table->velocity->empty()) { return {}; }
  const StageLength holds = list.in_run(duration);
  const auto& [time, velocity] = table->velocity->back();
  if (velocity == 0 || motion.from + time >= std::min(holds.least, motion.until) * (1 - 1e-9)) { return {}; }
  return ".velocity: its last row gives " + short_number_text(velocity) + " at " + short_number_text(time) +
         " s, and then the boundary rests; with one more row [" + short_number_text(holds.most - motion.from) + ", " +
         short_number_text(velocity) + "] it goes on";
}

void look_at_list(const MotionList& list, double duration, const SceneStage* next, std::vector<std::string>& warnings) {
  for (std::size_t k = 0; k < list.motions.size(); ++k) {
    const Motion& motion = list.motions[k];
    if (is_rest(motion)) { continue; }
    const std::string place = list.path + "." + std::to_string(k);
    const std::string idle = idle_text(motion, list, duration, next);
    const std::string early = early_end_text(motion, list, duration);
    if (!idle.empty()) {
      warnings.push_back(place + ": " + idle);
    } else if (!early.empty()) {
      warnings.push_back(place + early);
    }
  }
}

/// Looks at the list of a boundary and at those that stages put in its place.
void look_at_lists(const Scene& scene, std::uint32_t boundary, const std::vector<Motion>& own, StagedMotions staged,
                   const std::string& key, double duration, std::vector<std::string>& warnings) {
  const std::string path = "boundaries." + scene.boundaries[boundary].name + "." + key;
  std::optional<MotionList> list;
  list.emplace(MotionList{own, path, nullptr, {0, 0}});
  StageLength before{0, 0};
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    const SceneStage& stage = scene.stages[k];
    for (const SceneStagedBoundary& change : stage.boundaries) {
      if (change.boundary != boundary || !(change.*staged)) { continue; }
      look_at_list(*list, duration, &stage, warnings);
      list.emplace(MotionList{*(change.*staged), "stages." + std::to_string(k) + "." + path, &stage, before});
    }
    const StageLength length = length_of(stage);
    lengthen(list->length, length), lengthen(before, length);
  }
  if (scene.stages.empty()) { list->length = {duration, duration}; }
  look_at_list(*list, duration, nullptr, warnings);
}

}  // namespace

void warn_of_idle_motions(const Scene& scene, double duration, std::vector<std::string>& warnings) {
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    look_at_lists(scene, b, boundary.motion, &SceneStagedBoundary::motion, "motion", duration, warnings);
    look_at_lists(scene, b, boundary.surface_motion, &SceneStagedBoundary::surface_motion, "surface_motion", duration,
                  warnings);
  }
}

}  // namespace scree
