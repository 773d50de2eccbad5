#include "host/scene/build_scene/stages.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "host/case/describe_goals.hpp"
#include "host/case/describe_groups.hpp"
#include "host/case/probe_region.hpp"
#include "host/measure/selection.hpp"
#include "host/packing/region.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/membranes.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/scene/build_scene/servos.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// Makes the stages of a scene: looks up names and checks changes. Problems are reported, not thrown.
class StageMaker {
 public:
  StageMaker(const Case& input, Scene& scene, std::vector<InputProblem>& problems)
      : input_(input), scene_(scene), problems_(problems) {
    for (const SceneBoundary& boundary : scene.boundaries) boundary_names_.push_back(boundary.name);
    for (const auto& [name, settings] : input.groups) group_names_.push_back(name), groups_.push_back(settings);
  }

  void add(const RunStage& source, const std::string& path) {
    SceneStage stage;
    stage.name = source.name;
    stage.until = source.until;
    stage.gravity = source.gravity;
    stage.time = source.time;
    stage.damping = source.damping;
    stage.viscous_damping = source.viscous_damping;
    stage.output = source.output;
    if (source.until) {
      use_whole_paths(*stage.until);
      for (StageCondition& condition : stage.until->all_of) { use_whole_paths(condition); }
      stage.places = places_of(*source.until, path + ".until");
      for (std::size_t k = 0; k < source.until->all_of.size(); ++k) {
        stage.all_places.push_back(places_of(source.until->all_of[k], path + ".until.all_of." + std::to_string(k)));
      }
    }
    if (source.output) { check_output(*source.output, path + ".output"); }
    for (const auto& [name, change] : source.inlets) { add_inlet(stage, name, change, path + ".inlets." + name); }
    for (const auto& [name, change] : source.boundaries) {
      add_boundary(stage, name, change, path + ".boundaries." + name);
    }
    for (const auto& [name, change] : source.groups) { add_group(stage, name, change, path + ".groups." + name); }
    for (const auto& [name, change] : source.membranes) {
      const std::uint32_t index = find("membrane", name, membrane_names(input_), path + ".membranes." + name);
      stage.membranes.push_back({index, rows_of(change.pressure)});
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

  template <class Conditions>
  ConditionPlaces places_of(const Conditions& given, const std::string& path) {
    const std::string outlet = "outlet or region";
    ConditionPlaces places;
    if (given.removed) { places.remover = find(outlet, given.removed->by, scene_.outlet_names, path + ".removed.by"); }
    if (given.flow) { places.outlet = find(outlet, given.flow->by, scene_.outlet_names, path + ".flow.by"); }
    if (given.boundary_force) {
      places.pushed =
          find("boundary", given.boundary_force->boundary, boundary_names_, path + ".boundary_force.boundary");
    }
    if (given.boundary_position) {
      places.moved =
          find("boundary", given.boundary_position->boundary, boundary_names_, path + ".boundary_position.boundary");
    }
    const auto has_servo = [](const SceneBoundary& boundary) { return boundary.servo.has_value(); };
    if (given.servo_error && std::none_of(scene_.boundaries.begin(), scene_.boundaries.end(), has_servo)) {
      problems_.push_back({path + ".servo_error", "needs a boundary with a \"servo\""});
    }
    if (given.control) { places.control = find_control(*given.control, path + ".control"); }
    return places;
  }

  /// Index in PeriodicCell::stages of the last stage of the entry of the control with this name.
  std::uint32_t find_control(const std::string& name, const std::string& path) {
    const std::vector<ControlEntry> entries = entries_of_control(input_.domain);
    std::vector<std::string> names;
    for (const ControlEntry& entry : entries) { names.push_back(entry.name); }
    if (std::count(names.begin(), names.end(), name) > 1) {
      problems_.push_back({path, "\"" + name + "\" is the name of several stages of \"domain.control\""});
    }
    const std::uint32_t found = find("stage of \"domain.control\"", name, names, path);
    return entries.empty() ? found : static_cast<std::uint32_t>(entries[found].last);
  }

  /// Complains about changes of output that the case does not have.
  void check_output(const StagedOutput& output, const std::string& path) {
    const auto need = [&](const auto& change, bool there, const std::string& key) {
      if (change && !there) {
        problems_.push_back({path + "." + key, "needs \"output." + key + "\" of the case, which it changes"});
      }
    };
    need(output.frames, input_.output.frames.has_value(), "frames");
    need(output.series, input_.output.series.has_value(), "series");
    need(output.contacts, input_.output.contacts.has_value(), "contacts");
    std::vector<std::string> names;
    for (const auto& [name, fields] : input_.output.fields) { names.push_back(name); }
    for (const auto& [name, change] : output.fields) {
      static_cast<void>(find("output of fields", name, names, path + ".fields." + name));
    }
  }

  void add_inlet(SceneStage& stage, const std::string& name, const StagedInlet& change, const std::string& path) {
    std::vector<std::string> names;
    std::vector<std::size_t> entries;
    for (std::size_t k = 0; k < input_.particles.size(); ++k) {
      const auto& inlet = input_.particles[k].inlet;
      if (inlet && inlet->name) { names.push_back(*inlet->name), entries.push_back(k); }
    }
    const auto place = place_of_name(name, names);
    if (!place) {
      problems_.push_back(
          {path, unknown_name("inlet", name, names) + (names.empty() ? "; give the inlet a \"name\"" : "")});
      return;
    }
    const Inlet& inlet = *input_.particles[entries[*place]].inlet;
    if (change.rate && !inlet.rate) {
      problems_.push_back({path + ".rate", "is not possible: the inlet has a mass_flow; change that"});
    }
    if (change.mass_flow && !inlet.mass_flow) {
      problems_.push_back({path + ".mass_flow", "is not possible: the inlet has a rate; change that"});
    }
    stage.inlets.push_back({entries[*place], change});
  }

  /// Adds a change of a group, and checks it together with the components that are fixed by then. Values that the group
  /// has from before are not checked again: a force, for example, may wait until its component is free again.
  void add_group(SceneStage& stage, const std::string& name, const StagedGroup& change, const std::string& path) {
    const std::size_t before = problems_.size();
    const std::uint32_t named = find("group", name, group_names_, path);
    if (problems_.size() > before) return;
    GroupSettings& now = groups_[named];
    GroupSettings asked{.fixed = change.fixed.value_or(now.fixed),
                        .velocity = change.velocity,
                        .angular_velocity = change.angular_velocity,
                        .rotation = change.rotation,
                        .force = change.force.value_or(Real3{}),
                        .torque = change.torque.value_or(Real3{}),
                        .damping = change.damping};
    Complaints complaints;
    check(asked, complaints);
    for (const auto& [member, sentence] : complaints.list()) {
      std::string place = path;
      if (!member.empty()) { place.append(".").append(member); }
      problems_.push_back({place, sentence});
    }
    now.fixed = asked.fixed;
    stage.groups.push_back({named + 1, change_of(change), joining(change, path + ".join")});  // 0: without a group
  }

  /// The particles that join a group, with whole paths of files. Adds problems of the input.
  std::optional<JoiningParticles> joining(const StagedGroup& change, const std::string& path) {
    std::optional<JoiningParticles> join = change.join;
    if (!join) return join;
    collect(problems_, path, [&] { Selection(scene_, join->materials, join->groups); });
    if (!join->region) return join;
    std::vector<std::string> ignored;
    const auto cell = geometry::frame_of(scene_.cell);
    collect(problems_, path + ".region",
            [&] { (void)packing::make_region(*join->region, input_.folder, ignored, cell ? &*cell : nullptr); });
    use_whole_path(*join->region);
    return join;
  }

  /// Makes the file of a region a whole path, because a stage does not know the folder of the case.
  void use_whole_path(Region& region) const {
    const auto whole_path = [&](std::string& file) { file = std::filesystem::absolute(input_.folder / file).string(); };
    if (auto* const mesh = std::get_if<MeshRegion>(&region)) { whole_path(mesh->file); }
    if (auto* const above = std::get_if<AboveRegion>(&region)) { whole_path(above->file); }
  }
  template <class Conditions>
  void use_whole_paths(Conditions& conditions) const {
    if (!conditions.measure || !conditions.measure->probe) { return; }
    if (Region* const region = region_of(*conditions.measure->probe)) { use_whole_path(*region); }
  }

  /// Sets the new goal of the servo of a boundary, and checks that the boundary has the drive or the servo that the
  /// change is about.
  void set_forces(const StagedBoundary& change, const SceneBoundary& boundary, const std::string& path,
                  SceneStagedBoundary& staged) {
    const bool has_force = boundary.drive && (boundary.drive->translation || boundary.drive->body);
    if (change.force && !has_force) {
      problems_.push_back(
          {path + ".force", "needs \"drive.translation\" or \"drive.body\" of the boundary, which it changes"});
    }
    if (change.torque && !(boundary.drive && boundary.drive->rotation)) {
      problems_.push_back({path + ".torque", "needs \"drive.rotation\" of the boundary, which it changes"});
    }
    if (change.servo) {
      const auto& servo = boundary.servo;
      const std::string key = change.servo->stress ? "stress" : "force";
      if (!servo) {
        problems_.push_back({path + ".servo", "needs a \"servo\" of the boundary, which it changes"});
      } else if (!change.servo->speed && servo->stress.has_value() != change.servo->stress.has_value()) {
        problems_.push_back({path + ".servo", "needs \"servo." + key + "\" of the boundary, which it changes"});
      }
      staged.stress = table_of(change.servo->stress);
      staged.servo_force = table_of(change.servo->force);
      staged.servo_speed = change.servo->speed;
    }
    if (change.force && boundary.servo) {
      problems_.push_back({path + ".force", "is set by the servo of the boundary; change that"});
    }
  }

  void add_boundary(SceneStage& stage, const std::string& name, const StagedBoundary& change, const std::string& path) {
    const std::size_t before = problems_.size();
    const std::uint32_t index = find("boundary", name, boundary_names_, path);
    if (problems_.size() > before) return;
    SceneBoundary& boundary = scene_.boundaries[index];
    SceneStagedBoundary staged{.boundary = index,
                               .present = change.present,
                               .motion = change.motion,
                               .force = change.force,
                               .torque = change.torque,
                               .surface_motion = change.surface_motion,
                               .temperature = change.temperature,
                               .heat_flux = change.heat_flux};
    if (change.present && boundary.has_times()) {
      problems_.push_back({path + ".present",
                           "is not possible for a boundary with \"present_from\" or "
                           "\"present_until\", which say when it is there"});
    }
    if (change.motion && boundary.drive && boundary.drive->body) {
      problems_.push_back({path + ".motion", "is not possible for a free body, which forces move"});
    }
    if (change.motion) {
      collect(problems_, path,
              [&] { staged.motion = resolved_motions(*change.motion, input_.folder, input_.time.duration); });
      if (boundary.servo) { check_motions(*staged.motion, *boundary.servo, path + ".motion", problems_); }
      if (!boundary.moves()) boundary.motion.push_back({.kind = Translation{.velocity = {0, 0, 0}}});
    }
    if (change.surface_motion) {
      collect(problems_, path,
              [&] { staged.surface_motion = resolved_surface_motions(*change.surface_motion, input_, boundary); });
      if (!boundary.slides()) boundary.surface_motion.push_back({.kind = Translation{.velocity = {0, 0, 0}}});
    }
    set_forces(change, boundary, path, staged);
    stage.boundaries.push_back(std::move(staged));
  }

  const Case& input_;
  Scene& scene_;
  std::vector<InputProblem>& problems_;
  std::vector<std::string> boundary_names_, group_names_;
  std::vector<GroupSettings> groups_;  ///< groups whose `fixed` is up to date after the stages so far
};

}  // namespace

void make_stages(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  std::set<std::string> inlets;
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    const auto& inlet = input.particles[k].inlet;
    if (!inlet || !inlet->name || inlets.insert(*inlet->name).second) { continue; }
    problems.push_back(
        {"particles." + std::to_string(k) + ".inlet.name", "\"" + *inlet->name + "\" is the name of another inlet"});
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
