#include "host/scene/choose_step.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/region.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/scene/time_step_impact.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

std::vector<InletStart> inlet_starts(const Case& input, const Scene& scene) {
  std::vector<InletStart> starts;
  std::vector<std::string> ignored;  // make_inlets() has reported the warnings
  const auto cell = geometry::frame_of(scene.cell);
  for (const SceneInlet& inlet : scene.inlets) {
    const Inlet& source = *input.particles[inlet.entry].inlet;
    const auto region = packing::make_region(source.region, input.folder, ignored, cell ? &*cell : nullptr);
    const Real3 normal = region->mean_normal();
    starts.push_back({region->bounds(), geometry::along(source.velocity, source.normal_speed, normal)});
    if (source.normal_speed != 0 && normal == Real3{}) {  // a closed face: the speed has all directions
      starts.back().velocity[0] += source.normal_speed;
    }
  }
  return starts;
}

/// The least of several limits of an automatic step.
class ChosenStep {
 public:
  ChosenStep(double value, std::string reason) : least_{value, std::move(reason)} {}
  void at_most(const TimeStepLimit& limit) {
    if (limit.value < least_.value) least_ = limit;
  }
  [[nodiscard]] const TimeStepLimit& least() const { return least_; }

 private:
  TimeStepLimit least_;
};

/// The limit times `part`, with this in the reason.
TimeStepLimit part_of(double part, const TimeStepLimit& limit) {
  return {part * limit.value, number_text(part) + " of the " + limit.reason};
}

TimeStepLimit limit_of_way(const Scene& scene, double speed) {
  constexpr double most_of_radius =
      0.1;  // per step; a run ends when a particle moves by more than its radius in a step
  if (!(speed > 0)) return {infinite, ""};
  const double smallest = least_depth(scene);
  return {most_of_radius * smallest / speed,
          "at " + short_number_text(speed, 2) + " m/s, the speed of likely impacts, particles move by " +
              number_text(most_of_radius) + " of the smallest radius" +
              (scene.grain_shapes.empty() ? "" : " or depth of a grain") + ", " + length_text(smallest)};
}

TimeStepLimit limit_of_goals(const Scene& scene) {
  const GoalOfStress goal = largest_goal_of_stress(scene);
  if (!(goal.pressure > 0)) return {infinite, ""};
  return {pressed_step_limit(scene, goal.pressure),
          "critical step of contacts under " + short_number_text(goal.pressure) + " Pa, which " +
              (goal.of_servo ? "a servo" : "a goal of the cell") + " asks for"};
}

/// The longest step that resolves the fastest oscillation of a boundary.
TimeStepLimit limit_of_periods(const Scene& scene) {
  const BoundaryPeriod shortest = shortest_period(scene);
  return {shortest.resolving_step(), "1/" + std::to_string(BoundaryPeriod::steps) + " of the period of " +
                                         short_number_text(shortest.value, 3) + " s of " + shortest.motion};
}

/// The rule of an adaptive step. No step is longer than limit_of_periods(), whatever touches.
AdaptiveStep adaptive_rule(const Case& input, const Scene& scene, double safety, double free_limit) {
  AdaptiveStep rule = adaptive_step(scene, safety, free_limit);
  rule.impact_limit = std::min(rule.impact_limit, limit_of_periods(scene).value / safety);
  rule.every = input.time.update_interval;
  return rule;
}

}  // namespace

void choose_time_step(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems) {
  const TimeStepLimit limit = time_step_limit(scene, scene.material_names);
  const TimeStepLimit of_modes = deforming_step(scene, limit.value);
  const bool deforms = !of_modes.reason.empty();
  report.time_step_limit = of_modes.value;
  if (input.time.step) {
    scene.time_step = *input.time.step;
    const std::string& reason = deforms ? of_modes.reason : limit.reason;
    report.time_step_reason = std::isfinite(of_modes.value) ? "given; the limit is the " + reason : "given";
    if (scene.time_step > of_modes.value) {
      report.warnings.push_back("time.step: " + number_text(scene.time_step) + " s is above the limit, the " + reason +
                                "; the run may be unstable");
    }
    return;
  }
  const double safety = input.time.safety.value_or(input.time.adaptive ? 0.4 : 0.2);
  const double step = safety * limit.value;
  if (!std::isfinite(step) || !(step > 0)) {
    problems.push_back({"time.step", "\"auto\" needs particles that limit it; give a number"});
    return;
  }
  const TimeStepLimit of_periods = limit_of_periods(scene);
  if (input.time.adaptive) {
    const bool is_fast = of_periods.value < step;
    scene.time_step = rounded_down(std::min(step, of_periods.value));
    scene.adaptive = adaptive_rule(input, scene, safety, limit.value);
    report.time_step_reason = "adaptive: " + number_text(safety) + " of the limit of the contacts" +
                              (std::isfinite(of_periods.value) ? ", at most " + of_periods.reason : "") +
                              (is_fast ? "" : "; at first of the " + limit.reason);
    return;
  }
  constexpr double most_of_crowded = 0.9, most_of_pressed = 0.8;
  const double speed = impact_speed(scene, inlet_starts(input, scene));
  ChosenStep chosen(step, number_text(safety) + " of the " + limit.reason);
  chosen.at_most(part_of(most_of_crowded, crowded_step_limit(scene, scene.material_names, speed)));
  chosen.at_most(limit_of_way(scene, speed));
  chosen.at_most(part_of(most_of_pressed, limit_of_goals(scene)));
  if (report.start) {
    chosen.at_most(part_of(most_of_pressed, {loaded_step_limit(scene), "critical step of the contacts of the start"}));
  }
  chosen.at_most(of_periods);
  scene.time_step = rounded_down(chosen.least().value);
  report.time_step_reason = "auto: " + chosen.least().reason;
  const TimeStepLimit deforming = deforming_step(scene, scene.time_step);
  if (deforming.value < scene.time_step) {
    scene.time_step = rounded_down(deforming.value);
    report.time_step_reason = "auto: " + deforming.reason;
  }
}

void let_stages_change_step(const Case& input, Scene& scene, SceneReport& report, std::vector<InputProblem>& problems) {
  const auto changes = [](const RunStage& stage) { return stage.time.has_value(); };
  if (std::none_of(input.stages.begin(), input.stages.end(), changes)) return;
  const TimeStepLimit limit = time_step_limit(scene, scene.material_names);
  const TimeStepLimit of_modes = deforming_step(scene, limit.value);
  if (!scene.adaptive) {
    scene.adaptive = adaptive_rule(input, scene, input.time.safety.value_or(0.4), limit.value);
    scene.adaptive->fixed = scene.time_step;
    report.time_step_reason += "; stages change it";
  }
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    if (!changes(input.stages[k]) || !input.stages[k].time->step) continue;
    const double step = *input.stages[k].time->step;
    const std::string path = "stages." + std::to_string(k) + ".time.step";
    if (!(input.time.duration / step < 1e15)) {
      problems.push_back({path, "must be longer than 1e-15 of the duration, got " + number_text(step) + " s"});
    }
    if (step <= of_modes.value) continue;
    report.warnings.push_back(path + ": " + number_text(step) + " s is above the limit, the " +
                              (of_modes.reason.empty() ? limit.reason : of_modes.reason) + "; the run may be unstable");
  }
}

}  // namespace scree
