#include "host/scene/build_scene/stages.hpp"

#include <string>

#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Looks up names, and notes those that do not exist.
class StageMaker {
 public:
  StageMaker(const Case& input, Scene& scene, std::vector<InputProblem>& problems)
      : input_(input), scene_(scene), problems_(problems) {
    for (const SceneBoundary& boundary : scene.boundaries) boundary_names_.push_back(boundary.name);
    for (const auto& [name, settings] : input.groups) group_names_.push_back(name);
  }

  void add(const RunStage& source, const std::string& path) {
    SceneStage stage;
    stage.name = source.name;
    stage.until = source.until;
    stage.gravity = source.gravity;
    if (source.until && source.until->removed) {
      stage.remover =
          find("outlet or region", source.until->removed->by, scene_.outlet_names, path + ".until.removed.by");
    }
    if (source.until && source.until->boundary_force) {
      stage.pushed = find("boundary", source.until->boundary_force->boundary, boundary_names_,
                          path + ".until.boundary_force.boundary");
    }
    for (const auto& [name, change] : source.boundaries) {
      add_boundary(stage, name, change, path + ".boundaries." + name);
    }
    for (const auto& [name, change] : source.groups) {
      const std::uint32_t named = find("group", name, group_names_, path + ".groups." + name);
      stage.groups.push_back({named + 1, change.force, change.torque});  // 0: particles without a group
    }
    scene_.stages.push_back(std::move(stage));
  }

 private:
  std::uint32_t find(const std::string& what, const std::string& name, const std::vector<std::string>& names,
                     const std::string& path) {
    if (const auto place = place_of_name(name, names)) return static_cast<std::uint32_t>(*place);
    problems_.push_back({path, unknown_name(what, name, names)});
    return 0;
  }

  void add_boundary(SceneStage& stage, const std::string& name, const StagedBoundary& change, const std::string& path) {
    const std::size_t before = problems_.size();
    const std::uint32_t index = find("boundary", name, boundary_names_, path);
    if (problems_.size() > before) return;
    SceneBoundary& boundary = scene_.boundaries[index];
    SceneStagedBoundary staged{index, change.present, change.motion, change.force, change.torque};
    if (change.motion) {
      if (input_.domain.periodic) { problems_.push_back({path + ".motion", "is not possible in a periodic cell"}); }
      collect(problems_, path,
              [&] { staged.motion = resolved_motions(*change.motion, input_.folder, input_.time.duration); });
      if (!boundary.moves()) boundary.motion.push_back({.kind = Translation{.velocity = {0, 0, 0}}});
    }
    if (change.force && !(boundary.drive && boundary.drive->translation)) {
      problems_.push_back({path + ".force", "needs \"drive.translation\" of the boundary, which it changes"});
    }
    if (change.torque && !(boundary.drive && boundary.drive->rotation)) {
      problems_.push_back({path + ".torque", "needs \"drive.rotation\" of the boundary, which it changes"});
    }
    stage.boundaries.push_back(std::move(staged));
  }

  const Case& input_;
  Scene& scene_;
  std::vector<InputProblem>& problems_;
  std::vector<std::string> boundary_names_, group_names_;
};

}  // namespace

void make_stages(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  if (!input.stages.empty() && !input.domain.control.empty()) {
    problems.push_back({"stages", "is not possible with \"domain.control\", which has stages of its own"});
  }
  StageMaker maker(input, scene, problems);
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    const RunStage& stage = input.stages[k];
    const std::string path = "stages." + std::to_string(k);
    for (std::size_t j = 0; j < k; ++j) {
      if (input.stages[j].name == stage.name) {
        problems.push_back({path + ".name", "\"" + stage.name + "\" is the name of stages." + std::to_string(j)});
        break;
      }
    }
    if (!stage.until && k + 1 < input.stages.size()) {
      problems.push_back({path + ".until", "is missing; only the last stage may last until the end of the run"});
    }
    maker.add(stage, path);
  }
}

}  // namespace scree
