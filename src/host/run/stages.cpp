#include "host/run/stages.hpp"

#include <cmath>

#include "host/checkpoint/state_columns.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/measured_state.hpp"
#include "host/measure/state_measures.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr const char* step_name = "stages/begin_step";
constexpr const char* time_name = "stages/begin_time";

bool looks_at_state(const RunStageEnd& end) {
  return end.kinetic_energy || end.speed || end.unbalanced_force || end.at_most || end.at_least || end.removed ||
         end.boundary_force;
}

std::string counted_reason(const SceneStage& stage, const EngineCounts& counts) {
  const RunStageEnd& end = *stage.until;
  if ((end.at_most && counts.particles <= *end.at_most) || (end.at_least && counts.particles >= *end.at_least)) {
    return "particles in the run: " + count_text(counts.particles);
  }
  if (end.removed && counts.removed.at(stage.remover) >= end.removed->at_least) {
    return "particles removed by \"" + end.removed->by + "\": " + count_text(counts.removed.at(stage.remover));
  }
  return {};
}

std::string pushed_reason(const SceneStage& stage, Engine& engine) {
  if (!stage.until->boundary_force) { return {}; }
  const ForceCondition& condition = *stage.until->boundary_force;
  const double force = geometry::length(engine.boundary_loads().at(stage.pushed).force);
  if (!((condition.above && force >= *condition.above) || (condition.below && force <= *condition.below))) {
    return {};
  }
  return "the force on \"" + condition.boundary + "\" is " + short_number_text(force) + " N";
}

std::string rest_reason(const RunStageEnd& end, Engine& engine, const Scene& scene, const Real3& gravity) {
  if (!end.kinetic_energy && !end.speed && !end.unbalanced_force) { return {}; }
  const bool needs_forces = end.unbalanced_force.has_value();
  const MeasuredState state(engine, {.forces = needs_forces, .contacts = needs_forces});
  const auto reached = [](const std::optional<double>& limit, const auto& measure, const char* what,
                          const char* unit) -> std::string {
    if (!limit) { return {}; }
    const double value = measure();
    return value <= *limit ? std::string(what) + " is " + short_number_text(value) + unit : std::string();
  };
  std::string reason = reached(
      end.kinetic_energy, [&] { return mean_kinetic_energy(state, scene); }, "the mean kinetic energy", " J");
  if (reason.empty()) {
    reason = reached(
        end.speed, [&] { return largest_speed(state); }, "the largest speed", " m/s");
  }
  if (reason.empty()) {
    reason = reached(
        end.unbalanced_force, [&] { return unbalanced_force(state, scene, gravity); }, "the unbalanced force", "");
  }
  return reason;
}

template <class T>
std::vector<T> values_of(const std::vector<StateArray>& arrays, const char* name, ValueType type) {
  const StateArray* const array = find_array(arrays, name);
  if (array == nullptr) {
    throw StateError(std::string("the checkpoint has no ") + name + ", which a run with stages needs");
  }
  return rows_of<T>(*array, type);
}

}  // namespace

bool Stages::passed(double duration, const Engine& engine) const {
  const Moment& begin = begun_.back();
  if (scene_.adaptive) { return engine.time() >= begin.time + duration; }
  return engine.step() >= begin.step + steps_for(duration, scene_.time_step);
}

RunTarget Stages::next(const Engine& engine) const {
  RunTarget target;
  if (!any() || finished() || begun_.empty()) { return target; }
  const auto& until = scene_.stages[begun_.size() - 1].until;
  if (!until) { return target; }
  if (looks_at_state(*until)) { target.step = (engine.step() / interval + 1) * interval; }
  if (until->duration && scene_.adaptive) { target.time = begun_.back().time + *until->duration; }
  if (until->duration && !scene_.adaptive) {
    target.step = std::min(target.step, begun_.back().step + steps_for(*until->duration, scene_.time_step));
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
  if (engine.step() % interval != 0 || !passed(end.not_before, engine)) { return {}; }
  std::string reason = counted_reason(stage, engine.counts());
  if (reason.empty()) { reason = pushed_reason(stage, engine); }
  return reason.empty() ? rest_reason(end, engine, scene_, gravity()) : reason;
}

std::optional<std::string> Stages::look(Engine& engine) {
  if (!any() || finished()) { return std::nullopt; }
  std::string why;
  if (!begun_.empty()) {
    why = reason(engine);
    if (why.empty()) { return std::nullopt; }
    why = "stage \"" + scene_.stages[begun_.size() - 1].name + "\" ends (" + why + "); ";
  }
  const std::size_t next = begun_.size();
  begun_.push_back({engine.step(), engine.time()});
  std::string line =
      "step " + std::to_string(engine.step()) + ", t = " + short_number_text(engine.time(), 6) + " s: " + why;
  if (next == count()) { return line + "it was the last one"; }
  apply(next, engine.time(), engine);
  return line + "stage \"" + scene_.stages[next].name + "\" begins";
}

/// Motions count from the start of the stage.
void Stages::apply(std::size_t k, double time, Engine& engine) const {
  const SceneStage& stage = scene_.stages[k];
  if (stage.gravity) { engine.set_gravity(*stage.gravity); }
  for (const SceneStagedGroup& change : stage.groups) { engine.set_group(change.group, change.force, change.torque); }
  for (const SceneStagedBoundary& change : stage.boundaries) {
    if (change.present) { engine.set_present(change.boundary, *change.present); }
    if (change.motion) {
      std::vector<Motion> motions = *change.motion;
      for (Motion& motion : motions) { motion.from += time, motion.until += time; }
      engine.set_motion(change.boundary, motions, time);
    }
    if (change.force || change.torque) { engine.set_drive(change.boundary, change.force, change.torque); }
  }
}

Real3 Stages::gravity() const {
  Real3 gravity = scene_.gravity;
  for (std::size_t k = 0; k <= present() && k < begun_.size(); ++k) {
    gravity = scene_.stages[k].gravity.value_or(gravity);
  }
  return gravity;
}

std::vector<StateArray> Stages::save() const {
  if (!any()) { return {}; }
  std::vector<std::uint64_t> steps;
  std::vector<double> times;
  for (const Moment& moment : begun_) { steps.push_back(moment.step), times.push_back(moment.time); }
  return {array_of(step_name, "1", ValueType::uint64, 1, steps),
          array_of(time_name, "s", ValueType::float64, 1, times)};
}

void Stages::restore(const std::vector<StateArray>& arrays, Engine& engine) {
  if (!any()) { return; }
  const auto steps = values_of<std::uint64_t>(arrays, step_name, ValueType::uint64);
  const auto times = values_of<double>(arrays, time_name, ValueType::float64);
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
    if (before.empty() && k < count()) { apply(k, times[k], engine); }
  }
  if (!before.empty() && before != begun_) {
    throw StateError("it is the state of another stage: only a new run can be put there");
  }
}

}  // namespace scree
