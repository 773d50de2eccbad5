#include "host/run/stages.hpp"

#include <limits>

#include "host/run/joining.hpp"
#include "host/run/put_back.hpp"
#include "host/run/servos.hpp"
#include "host/scene/stage_lengths.hpp"
#include "host/scene/time_step.hpp"
#include "host/storage/state_columns.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* step_name = "stages/begin_step";
constexpr const char* time_name = "stages/begin_time";

constexpr const char* flow_name = "stages/flows";

/// [s] When a duration is over that began at this time.
double end_of(double begin, double duration) { return begin + moment_of_steps(duration); }

/// The step at which a duration ends that began at step `begin`. It lasts for at least one step. The sum must not
/// overflow if the duration is longer than any run.
std::uint64_t end_of(std::uint64_t begin, double duration, double time_step) {
  const std::uint64_t steps = std::max<std::uint64_t>(first_step_at(duration, time_step), 1);
  return steps > std::numeric_limits<std::uint64_t>::max() - begin ? steps : begin + steps;
}

/// Motions whose times count from `time` [s].
std::vector<Motion> shifted_to(double time, std::vector<Motion> motions) {
  for (Motion& motion : motions) { motion.from += time, motion.until += time; }
  return motions;
}

/// A table whose times count from `time` [s].
TimeTable shifted_to(double time, TimeTable rows) {
  for (auto& row : rows) { row[0] += time; }
  return rows;
}

}  // namespace

double given_step(const Scene& scene, std::size_t n_begun) {
  double step = scene.adaptive ? scene.adaptive->fixed : scene.time_step;
  for (std::size_t k = 0; k < std::min(n_begun, scene.stages.size()); ++k) {
    if (scene.stages[k].time) { step = scene.stages[k].time->step.value_or(0); }
  }
  return step;
}

double longest_duration(const Scene& scene, double duration) {
  double sum = 0;
  for (const SceneStage& stage : scene.stages) {
    if (!stage.until || !stage.until->duration) { return duration; }
    sum += *stage.until->duration;
  }
  return scene.stages.empty() ? duration : std::min(sum, duration);
}

bool Stages::passed(double duration, const Engine& engine) const {
  const Moment& begin = begun_.back();
  if (scene_.adaptive) { return engine.time() >= end_of(begin.time, duration); }
  return engine.step() >= end_of(begin.step, duration, scene_.time_step);
}

bool Stages::cut_short(const Engine& engine) const {
  if (!any() || finished()) { return false; }
  if (begun_.size() < count()) { return true; }
  const auto& until = scene_.stages.back().until;
  if (!until) { return false; }
  const double step = engine.time() - engine.previous_time();
  return !until->duration || !passed(*until->duration - static_cast<double>(count()) * step, engine);
}

RunTarget Stages::next(const Engine& engine) const {
  RunTarget target;
  if (!any() || finished() || begun_.empty()) { return target; }
  const auto& until = scene_.stages[begun_.size() - 1].until;
  if (!until) { return target; }
  if (looks_at_state(*until)) { target.step = (engine.step() / interval + 1) * interval; }
  // The engine returns when a stage of its cell begins. If this happened before `not_before`, or before this stage, the
  // stage ends at the first moment at which it may.
  if (until->control && (engine.step() == begun_.back().step || !passed(until->not_before, engine))) {
    target = sooner(target, end_of_duration(until->not_before, engine));
  }
  if (until->duration) { target = sooner(target, end_of_duration(*until->duration, engine)); }
  return target;
}

RunTarget Stages::end_of_duration(double duration, const Engine& engine) const {
  const Moment& begin = begun_.back();
  if (!scene_.adaptive) { return {end_of(begin.step, duration, scene_.time_step)}; }
  RunTarget target;
  target.time = end_of(begin.time, duration);
  // a duration below the rounding of the time: one step
  return target.time > engine.time() ? target : RunTarget{engine.step() + 1};
}

RunTarget Stages::latest_end() const {
  if (!any()) { return {}; }
  Moment end = begun_.empty() ? Moment{0, 0} : begun_.back();
  for (std::size_t k = begun_.empty() ? 0 : begun_.size() - 1; k < count(); ++k) {
    const auto& until = scene_.stages[k].until;
    if (!until || !until->duration) { return {}; }
    end = {end_of(end.step, *until->duration, scene_.time_step), end_of(end.time, *until->duration)};
  }
  RunTarget target;
  if (scene_.adaptive) {
    target.time = end.time;
  } else {
    target.step = end.step;
  }
  return target;
}

std::string Stages::reason(Engine& engine) const {
  const SceneStage& stage = scene_.stages[begun_.size() - 1];
  if (!stage.until || engine.step() == begun_.back().step) { return {}; }
  const RunStageEnd& end = *stage.until;
  if (end.duration && passed(*end.duration, engine)) {
    return "its " + short_number_text(*end.duration) + " s are over";
  }
  if (!passed(end.not_before, engine)) { return {}; }
  std::string of_control = end.control ? end_of_control(engine, *end.control, stage.places) : "";
  if (!of_control.empty() || engine.step() % interval != 0) { return of_control; }
  return StageLook(engine, scene_, servos_, begun_.back().time).reason(stage, flows_, measures_);
}

std::optional<std::string> Stages::look(Engine& engine) {
  if (!any() || finished()) { return std::nullopt; }
  std::string why;
  if (!begun_.empty()) {
    if (engine.step() % interval == 0) { flows_.look(scene_.stages[begun_.size() - 1], engine); }
    why = reason(engine);
    if (why.empty()) { return std::nullopt; }
    why = "stage \"" + scene_.stages[begun_.size() - 1].name + "\" ends (" + why + "); ";
  }
  const std::size_t next = begun_.size();
  begun_.push_back({engine.step(), engine.time()});
  measures_ = next < count() ? StageMeasures(scene_.stages[next], scene_) : StageMeasures();
  std::string line =
      "step " + std::to_string(engine.step()) + ", t = " + short_number_text(engine.time(), 6) + " s: " + why;
  if (next == count()) { return line + "it was the last one"; }
  if (next > 0 && servos_ != nullptr) {
    for (const std::string& sentence : servos_->excesses()) {
      warnings_.push_back("at the end of stage \"" + scene_.stages[next - 1].name + "\": " + sentence);
    }
  }
  apply(next, begun_.back(), false, engine);
  flows_.begin(scene_.stages[next], engine);
  return line + "stage \"" + scene_.stages[next].name + "\" begins";
}

/// Motions count from the start of the stage.
void Stages::apply(std::size_t k, const Moment& begun, bool is_made, Engine& engine) {
  const SceneStage& stage = scene_.stages[k];
  const double time = begun.time;
  if (stage.time) { engine.set_time_step(stage.time->step.value_or(0), stage.time->safety.value_or(1), begun.step); }
  if (stage.damping || stage.viscous_damping) {
    const Integration now = engine.integration();
    engine.set_damping(stage.damping.value_or(now.damping), stage.viscous_damping.value_or(now.viscous_damping));
  }
  if (!stage.friction.empty()) { engine.set_friction(stage.friction); }
  if (stage.gravity) { engine.set_gravity(*stage.gravity); }
  for (const SceneStagedGroup& staged : stage.groups) {
    if (staged.join && !is_made) {
      const std::vector<std::uint32_t> ids = ids_that_join(*staged.join, scene_, engine);
      engine.join_group(staged.group, ids);
      if (ids.empty()) {
        warnings_.push_back("stages." + std::to_string(k) + ".groups." + scene_.groups[staged.group].name +
                            ".join: no particle joins the group");
      }
    }
    engine.set_group(staged.group, staged.change, is_made);
  }
  for (const SceneStagedBoundary& change : stage.boundaries) {
    if (change.present == true && !is_made) {
      const std::string warning = put_back(engine, scene_, change.boundary);
      if (!warning.empty()) { warnings_.push_back(warning); }
    } else if (change.present) {
      engine.set_present(change.boundary, *change.present);
    }
    if (change.motion) { engine.set_motion(change.boundary, shifted_to(time, *change.motion), time); }
    if (change.surface_motion) {
      engine.set_surface_motion(change.boundary, shifted_to(time, *change.surface_motion), time);
    }
    if (change.force || change.torque) { engine.set_drive(change.boundary, change.force, change.torque); }
    if (change.temperature || change.heat_flux) {
      engine.set_boundary_heat(change.boundary, change.temperature, change.heat_flux);
    }
  }
  for (const SceneStagedMembrane& change : stage.membranes) {
    engine.set_membrane_pressure(change.membrane, shifted_to(time, change.pressure));
  }
  if (besides_) { besides_(stage, begun); }
}

std::vector<StateArray> Stages::save() const {
  if (!any()) { return {}; }
  std::vector<std::uint64_t> steps;
  std::vector<double> times;
  for (const Moment& moment : begun_) { steps.push_back(moment.step), times.push_back(moment.time); }
  std::vector<StateArray> arrays{array_of(step_name, "1", ValueType::uint64, 1, steps),
                                 array_of(time_name, "s", ValueType::float64, 1, times)};
  const std::vector<double> flows = flows_.save();
  if (!flows.empty()) { arrays.push_back(array_of(flow_name, "s, kg, kg/s", ValueType::float64, 1, flows)); }
  return arrays;
}

void Stages::restore(const std::vector<StateArray>& arrays, Engine& engine) {
  if (!any()) { return; }
  const auto steps = rows_called<std::uint64_t>(arrays, step_name, ValueType::uint64);
  const auto times = rows_called<double>(arrays, time_name, ValueType::float64);
  if (steps.size() != times.size() || steps.size() > count() + 1) {
    throw StateError("the checkpoint tells of other stages than those of the case");
  }
  const std::vector<Moment> before = std::move(begun_);
  begun_.clear();
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const bool ordered = k == 0 || (steps[k] >= begun_.back().step && times[k] >= begun_.back().time);
    if (!ordered || steps[k] > engine.step() || !(times[k] <= engine.time())) {
      throw StateError("the times of the stages in the checkpoint are not possible");
    }
    begun_.push_back({steps[k], times[k]});
    if (before.empty() && k < count()) { apply(k, begun_.back(), true, engine); }
  }
  if (!before.empty() && before != begun_) {
    throw StateError("it is the state of another stage: only a new run can be put there");
  }
  if (begun_.empty() || begun_.size() > count()) { return; }
  measures_ = StageMeasures(scene_.stages[begun_.size() - 1], scene_);
  const StateArray* const flows = find_array(arrays, flow_name);
  const auto numbers = flows == nullptr ? std::vector<double>() : rows_of<double>(*flows, ValueType::float64);
  if (!flows_.restore(scene_.stages[begun_.size() - 1], numbers)) {
    throw StateError("the flows that a stage waits for are not those of the case in the checkpoint");
  }
}

}  // namespace scree
