#include "host/run/stage_conditions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/geometry/real3.hpp"
#include "host/measure/state_measures.hpp"
#include "host/output/output_schedule.hpp"
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
  // Times of a fixed step are products, so rounding may make a window slightly too short.
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

std::optional<std::string> if_holds(bool holds, std::string text) {
  return holds ? std::optional(std::move(text)) : std::nullopt;
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
  if (!state_) { state_.emplace(engine_, needs_); }
  return *state_;
}

/// The conditions that are given, the cheap ones first.
template <class Conditions>
std::vector<StageLook::Condition> StageLook::conditions_of(const Conditions& given, const ConditionPlaces& places,
                                                           const FlowWindow& flow, MeasuredColumn* measure) {
  std::vector<Condition> all;
  add_of_counts(given, places, flow, all);
  add_of_walls(given, places, all);
  add_of_particles(given, measure, all);
  return all;
}

template <class Conditions>
void StageLook::add_of_counts(const Conditions& given, const ConditionPlaces& places, const FlowWindow& flow,
                              std::vector<Condition>& all) {
  if (given.at_most) {
    all.push_back([&] { return if_holds(counts().particles <= *given.at_most, particles_text()); });
  }
  if (given.at_least) {
    all.push_back([&] { return if_holds(counts().particles >= *given.at_least, particles_text()); });
  }
  if (given.control) {
    all.push_back([&] {
      const std::string text = end_of_control(engine_, *given.control, places);
      return if_holds(!text.empty(), text);
    });
  }
  if (given.removed) {
    all.push_back([&] {
      const std::uint64_t n = counts().removed.at(places.remover);
      return if_holds(n >= given.removed->at_least,
                      "particles removed by \"" + given.removed->by + "\": " + count_text(n));
    });
  }
  if (given.flow) {
    all.push_back([&given, rate = flow.rate] {
      return if_holds(rate >= 0 && reached(*given.flow, rate),
                      "the flow through \"" + given.flow->by + "\" is " + short_number_text(rate) + " kg/s");
    });
  }
}

template <class Conditions>
void StageLook::add_of_walls(const Conditions& given, const ConditionPlaces& places, std::vector<Condition>& all) {
  if (given.boundary_force) {
    all.push_back([&] {
      const double force = measured(loads().at(places.pushed).force, given.boundary_force->along);
      return if_holds(reached(*given.boundary_force, force),
                      "the force on \"" + given.boundary_force->boundary + "\" is " + short_number_text(force) + " N");
    });
  }
  if (given.boundary_position) {
    all.push_back([&] {
      const Real3 moved = displacement(scene_.boundaries.at(places.moved), loads().at(places.moved));
      const double way = measured(moved, given.boundary_position->along);
      return if_holds(reached(*given.boundary_position, way),
                      "\"" + given.boundary_position->boundary + "\" has moved by " + short_number_text(way) + " m");
    });
  }
  if (given.servo_error) {
    SCREE_EXPECT(servos_ != nullptr, "a stage that waits for servos has none");
    all.push_back([&] {
      const double error = servos_->error(engine_);
      return if_holds(error <= *given.servo_error,
                      "walls hold their stress or force up to " + short_number_text(error) + " of it");
    });
  }
}

template <class Conditions>
void StageLook::add_of_particles(const Conditions& given, MeasuredColumn* measure, std::vector<Condition>& all) {
  if (given.measure) {
    all.push_back([&, measure] {
      const double value = measure->value(engine_, state());
      return if_holds(reached(*given.measure, value), measure->text(value));
    });
  }
  if (given.kinetic_energy) {
    all.push_back([&] {
      const double energy = mean_kinetic_energy(state(), scene_);
      return if_holds(energy <= *given.kinetic_energy,
                      "the mean kinetic energy is " + short_number_text(energy) + " J");
    });
  }
  if (given.speed) {
    all.push_back([&] {
      const double speed = largest_speed(state());
      return if_holds(speed <= *given.speed, "the largest speed is " + short_number_text(speed) + " m/s");
    });
  }
  if (given.unbalanced_force) {
    all.push_back([&] {
      const double force = unbalanced_force(state(), scene_);
      return if_holds(force <= *given.unbalanced_force, "the unbalanced force is " + short_number_text(force));
    });
  }
}

std::string StageLook::particles_text() { return "particles in the run: " + count_text(counts().particles); }

/// The text of the first condition that holds; empty if none does.
std::string StageLook::first_of(const std::vector<Condition>& conditions) {
  for (const Condition& condition : conditions) {
    if (const auto text = condition()) { return *text; }
  }
  return {};
}

/// The texts of all conditions of the list; empty if one does not hold.
std::string StageLook::all_of(const SceneStage& stage, const StageFlows& flows, const StageMeasures& measures) {
  std::string all;
  const auto& list = stage.until->all_of;
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<Condition> conditions =
        conditions_of(list[k], stage.all_places.at(k), flows.of_condition(k), measures.of_condition(k));
    if (list[k].duration) {
      const double passed = engine_.time() - since_;
      conditions.insert(conditions.begin(), [&, passed] {
        return if_holds(passed >= moment_of_steps(*list[k].duration), short_number_text(passed) + " s have passed");
      });
    }
    for (const Condition& condition : conditions) {
      const auto text = condition();
      if (!text) { return {}; }
      all += (all.empty() ? "" : " and ") + *text;
    }
  }
  return all;
}

std::string StageLook::reason(const SceneStage& stage, const StageFlows& flows, const StageMeasures& measures) {
  const auto& list = stage.until->all_of;
  needs_ = measures.needs();
  if (stage.until->unbalanced_force ||
      std::any_of(list.begin(), list.end(), [](const auto& each) { return each.unbalanced_force.has_value(); })) {
    needs_.forces = needs_.contacts = true;
  }
  const std::string text = first_of(conditions_of(*stage.until, stage.places, flows.of_end(), measures.of_end()));
  return text.empty() ? all_of(stage, flows, measures) : text;
}

}  // namespace scree
