#include "host/run/stage_text.hpp"

#include <optional>
#include <utility>

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

/// "at least 3" or "at most 3", with the limit that a condition gives.
template <class Condition>
std::string limit_text(const Condition& given) {
  return (given.above ? "at least " : "at most ") + short_number_text(given.above.value_or(given.below.value_or(0)));
}

/// A text for each given condition except `duration`.
template <class Conditions>
std::vector<std::string> condition_texts(const Conditions& given) {
  std::vector<std::string> all;
  const auto quoted = [](const std::string& name) { return "\"" + name + "\""; };
  if (given.control) { all.push_back("the stage " + quoted(*given.control) + " of the cell ends"); }
  if (given.at_most) { all.push_back("at most " + counted(*given.at_most, "particle is", "particles are") + " left"); }
  if (given.at_least) {
    all.push_back("at least " + counted(*given.at_least, "particle is", "particles are") + " there");
  }
  if (given.removed) {
    all.push_back(quoted(given.removed->by) + " has removed " +
                  counted(given.removed->at_least, "particle", "particles"));
  }
  if (given.flow) {
    all.push_back("the flow through " + quoted(given.flow->by) + " is " + limit_text(*given.flow) + " kg/s");
  }
  if (given.boundary_force) {
    all.push_back("the force on " + quoted(given.boundary_force->boundary) + " is " +
                  limit_text(*given.boundary_force) + " N");
  }
  if (given.boundary_position) {
    all.push_back(quoted(given.boundary_position->boundary) + " has moved by " + limit_text(*given.boundary_position) +
                  " m");
  }
  if (given.measure) {
    all.push_back(quoted(given.measure->column.value_or("the measure of its probe")) + " is " +
                  limit_text(*given.measure));
  }
  const auto at_most = [&](const char* what, const std::optional<double>& limit, const char* unit) {
    if (limit) { all.push_back(what + (" is at most " + short_number_text(*limit)) + unit); }
  };
  at_most("the error of the walls with a servo", given.servo_error, "");
  at_most("the mean kinetic energy", given.kinetic_energy, " J");
  at_most("the largest speed", given.speed, " m/s");
  at_most("the unbalanced force", given.unbalanced_force, "");
  return all;
}

std::string joined_by(const std::vector<std::string>& texts, const std::string& word) {
  std::string all;
  for (const std::string& text : texts) { all += (all.empty() ? "" : word) + text; }
  return all;
}

std::string end_text_of(const SceneStage& stage) {
  if (!stage.until) { return "; to the end of the run"; }
  const RunStageEnd& until = *stage.until;
  std::vector<std::string> any = condition_texts(until), together;
  for (const StageCondition& each : until.all_of) {
    for (std::string& text : condition_texts(each)) { together.push_back(std::move(text)); }
    if (each.duration) { together.push_back(short_number_text(*each.duration) + " s have passed"); }
  }
  if (!together.empty()) { any.push_back(joined_by(together, " and ")); }
  std::string text = any.empty() ? "" : "; until " + joined_by(any, " or ");
  if (until.not_before > 0) { text += ", not before " + short_number_text(until.not_before) + " s"; }
  if (until.duration) {
    text += (any.empty() ? "; for " : ", for at most ") + short_number_text(*until.duration) + " s";
  }
  return text;
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
