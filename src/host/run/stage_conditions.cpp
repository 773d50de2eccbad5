#include "host/run/stage_conditions.hpp"

#include <algorithm>
#include <cmath>

#include "host/geometry/real3.hpp"
#include "host/measure/state_measures.hpp"
#include "host/run/output_schedule.hpp"
#include "host/run/servos.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// The magnitude of a vector, or its component along a direction.
double measured(const Real3& vector, const std::optional<Real3>& along) {
  return along ? geometry::dot(vector, geometry::unit(*along)) : geometry::length(vector);
}

template <class Condition>
bool reached(const Condition& condition, double value) {
  return (condition.above && value >= *condition.above) || (condition.below && value <= *condition.below);
}

bool over(const FlowWindow& window, double length, double now) {
  // Times of a fixed step are products: a window may miss its length by rounding.
  return now - window.begin >= moment_of_steps(length);
}

/// Calls visit(window, condition, outlet) for each flow that the stage waits for.
template <class Visit>
void each_flow(const SceneStage& stage, std::vector<FlowWindow>& windows, const Visit& visit) {
  if (!stage.until || windows.empty()) { return; }
  if (stage.until->flow) { visit(windows.front(), *stage.until->flow, stage.places.outlet); }
  for (std::size_t k = 0; k < stage.until->all_of.size(); ++k) {
    const auto& flow = stage.until->all_of[k].flow;
    if (flow) { visit(windows.at(k + 1), *flow, stage.all_places.at(k).outlet); }
  }
}

bool any_flow(const SceneStage& stage) {
  return stage.until && (stage.until->flow || std::any_of(stage.until->all_of.begin(), stage.until->all_of.end(),
                                                          [](const auto& each) { return each.flow.has_value(); }));
}

std::size_t windows_of(const SceneStage& stage) { return 1 + (stage.until ? stage.until->all_of.size() : 0); }

}  // namespace

std::string end_of_control(Engine& engine, const std::string& name, const ConditionPlaces& places) {
  const auto cell = engine.cell();
  return cell && cell->stage > places.control ? "the stage \"" + name + "\" of the cell is over" : "";
}

void StageFlows::begin(const SceneStage& stage, Engine& engine) {
  windows_.clear();
  if (!any_flow(stage)) { return; }
  windows_.assign(windows_of(stage), FlowWindow{engine.time(), 0, -1});
  const EngineCounts counts = engine.counts();
  each_flow(stage, windows_, [&](FlowWindow& window, const FlowCondition&, std::uint32_t outlet) {
    window.mass = counts.removed_mass.at(outlet);
  });
}

void StageFlows::look(const SceneStage& stage, Engine& engine) {
  if (!any_flow(stage)) { return; }
  const double now = engine.time();
  std::optional<EngineCounts> counts;
  each_flow(stage, windows_, [&](FlowWindow& window, const FlowCondition& flow, std::uint32_t outlet) {
    if (!over(window, flow.window, now)) { return; }
    if (!counts) { counts = engine.counts(); }
    const double mass = counts->removed_mass.at(outlet);
    window = {now, mass, (mass - window.mass) / (now - window.begin)};
  });
}

std::vector<double> StageFlows::save() const {
  std::vector<double> numbers;
  for (const FlowWindow& window : windows_) { numbers.insert(numbers.end(), {window.begin, window.mass, window.rate}); }
  return numbers;
}

bool StageFlows::restore(const SceneStage& stage, const std::vector<double>& numbers) {
  windows_.clear();
  if (!any_flow(stage)) { return numbers.empty(); }
  windows_.assign(windows_of(stage), FlowWindow{});
  if (numbers.size() != 3 * windows_.size()) { return false; }
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); })) { return false; }
  for (std::size_t k = 0; k < windows_.size(); ++k) {
    windows_[k] = {numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]};
  }
  return true;
}

const EngineCounts& StageLook::counts() {
  if (!counts_) { counts_ = engine_.counts(); }
  return *counts_;
}

const std::vector<BoundaryLoad>& StageLook::loads() {
  if (!loads_) { loads_ = engine_.boundary_loads(); }
  return *loads_;
}

const MeasuredState& StageLook::state() {
  if (!state_) { state_.emplace(engine_, MeasureNeeds{.forces = needs_forces_, .contacts = needs_forces_}); }
  return *state_;
}

/// Calls take(text) for each condition that is given, the cheap ones first; the text is empty where it does not hold.
/// Stops when take() is false.
template <class Conditions, class Take>
void StageLook::each(const Conditions& given, const ConditionPlaces& places, const FlowWindow& flow, const Take& take) {
  const auto number = [](double value) { return short_number_text(value); };
  const auto at_most = [&](const std::optional<double>& limit, const auto& measure, const char* what,
                           const char* unit) -> bool {
    if (!limit) { return true; }
    const double value = measure();
    return take(value <= *limit ? std::string(what) + " is " + number(value) + unit : std::string());
  };
  const std::string in_run = "particles in the run: ";
  if (given.at_most) {
    const std::uint64_t n = counts().particles;
    if (!take(n <= *given.at_most ? in_run + count_text(n) : "")) { return; }
  }
  if (given.at_least) {
    const std::uint64_t n = counts().particles;
    if (!take(n >= *given.at_least ? in_run + count_text(n) : "")) { return; }
  }
  if (given.control && !take(end_of_control(engine_, *given.control, places))) { return; }
  if (given.removed) {
    const std::uint64_t n = counts().removed.at(places.remover);
    const std::string text = "particles removed by \"" + given.removed->by + "\": " + count_text(n);
    if (!take(n >= given.removed->at_least ? text : "")) { return; }
  }
  if (given.flow) {
    const std::string text = "the flow through \"" + given.flow->by + "\" is " + number(flow.rate) + " kg/s";
    if (!take(flow.rate >= 0 && reached(*given.flow, flow.rate) ? text : "")) { return; }
  }
  if (given.boundary_force) {
    const double force = measured(loads().at(places.pushed).force, given.boundary_force->along);
    const std::string text = "the force on \"" + given.boundary_force->boundary + "\" is " + number(force) + " N";
    if (!take(reached(*given.boundary_force, force) ? text : "")) { return; }
  }
  if (given.boundary_position) {
    const Real3 moved = displacement(scene_.boundaries.at(places.moved), loads().at(places.moved));
    const double way = measured(moved, given.boundary_position->along);
    const std::string text = "\"" + given.boundary_position->boundary + "\" has moved by " + number(way) + " m";
    if (!take(reached(*given.boundary_position, way) ? text : "")) { return; }
  }
  if (given.servo_error) {
    SCREE_EXPECT(servos_ != nullptr, "a stage that waits for servos has none");
    const double error = servos_->error(engine_);
    const std::string text = "walls hold their stress or force up to " + number(error) + " of it";
    if (!take(error <= *given.servo_error ? text : "")) { return; }
  }
  if (!at_most(
          given.kinetic_energy, [&] { return mean_kinetic_energy(state(), scene_); }, "the mean kinetic energy",
          " J")) {
    return;
  }
  if (!at_most(
          given.speed, [&] { return largest_speed(state()); }, "the largest speed", " m/s")) {
    return;
  }
  at_most(
      given.unbalanced_force, [&] { return unbalanced_force(state(), scene_); }, "the unbalanced force", "");
}

template <class Conditions>
std::string StageLook::first_of(const Conditions& given, const ConditionPlaces& places, const FlowWindow& flow) {
  std::string found;
  each(given, places, flow, [&](const std::string& text) {
    found = text;
    return text.empty();
  });
  return found;
}

/// The conditions of the list in one sentence; empty if one does not hold.
std::string StageLook::all_of(const SceneStage& stage, const StageFlows& flows) {
  std::string all;
  const auto& list = stage.until->all_of;
  for (std::size_t k = 0; k < list.size(); ++k) {
    bool holds = true;
    const auto take = [&](const std::string& text) {
      holds = !text.empty();
      if (holds) { all += (all.empty() ? "" : " and ") + text; }
      return holds;
    };
    if (list[k].duration) {
      const double passed = engine_.time() - since_;
      take(passed >= moment_of_steps(*list[k].duration) ? short_number_text(passed) + " s have passed" : "");
    }
    if (holds) { each(list[k], stage.all_places.at(k), flows.of_condition(k), take); }
    if (!holds) { return {}; }
  }
  return all;
}

std::string StageLook::reason(const SceneStage& stage, const StageFlows& flows) {
  const auto& list = stage.until->all_of;
  needs_forces_ = stage.until->unbalanced_force || std::any_of(list.begin(), list.end(), [](const auto& each) {
                    return each.unbalanced_force.has_value();
                  });
  std::string text = first_of(*stage.until, stage.places, flows.of_end());
  return text.empty() ? all_of(stage, flows) : text;
}

}  // namespace scree
