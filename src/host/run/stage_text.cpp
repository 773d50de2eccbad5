#include "host/run/stage_text.hpp"

#include "host/text/text.hpp"
#include "scree/meeting_materials.hpp"

namespace scree {
namespace {

/// ", friction 0.05 of sand and steel", for each pair of materials that the stage changes and that can touch.
std::string friction_text(const SceneStage& stage, const Scene& scene, const MeetingMaterials& meeting) {
  std::string text;
  for (const PairFriction& pair : stage.friction) {
    if (!meeting.can_touch(pair.first, pair.second)) { continue; }
    const std::string &first = scene.material_names[pair.first], &second = scene.material_names[pair.second];
    text +=
        ", friction " + short_number_text(pair.friction) + " of " + first + (first == second ? "" : " and " + second);
  }
  return text;
}

std::string end_text_of(const SceneStage& stage) {
  if (!stage.until) { return "; to the end of the run"; }
  std::string text = stage.until->control ? "; until the stage \"" + *stage.until->control + "\" of the cell ends" : "";
  if (stage.until->duration) {
    text += (text.empty() ? "; for at most " : " or for ") + short_number_text(*stage.until->duration) + " s";
  }
  return text.empty() ? "; until its condition holds" : text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> run_stage_lines(const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (scene.stages.empty()) { return lines; }
  const MeetingMaterials meeting = meeting_materials(scene);
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    const SceneStage& stage = scene.stages[k];
    lines.emplace_back("run stage " + std::to_string(k),
                       stage.name + friction_text(stage, scene, meeting) + end_text_of(stage));
  }
  return lines;
}

}  // namespace scree
