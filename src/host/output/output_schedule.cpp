#include "host/output/output_schedule.hpp"

#include <algorithm>
#include <cmath>

#include "host/scene/time_step.hpp"
#include "scree/errors.hpp"

namespace scree {

RunTarget sooner(const RunTarget& a, const RunTarget& b) {
  return {std::min(a.step, b.step), std::min(a.time, b.time)};
}

bool begins_off(const Scene& scene, std::optional<StagedInterval> StagedOutput::*output) {
  if (scene.stages.empty() || !scene.stages.front().output) { return false; }
  const std::optional<StagedInterval>& change = (*scene.stages.front().output).*output;
  return change && change->on == false;
}

bool begins_off(const Scene& scene, const std::string& field) {
  if (scene.stages.empty() || !scene.stages.front().output) { return false; }
  const auto& fields = scene.stages.front().output->fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const auto& change) { return change.first == field && change.second.on == false; });
}

OutputSchedule::OutputSchedule(double every, double time_step, bool adaptive)
    : every_(every), time_step_(time_step), adaptive_(adaptive) {
  SCREE_EXPECT(every > 0 && time_step > 0, "the interval and the time step are positive");
}

std::uint64_t OutputSchedule::step_of(std::uint64_t k) const {
  const double time = static_cast<double>(k) * every_;
  // Beyond any run: an interval of "never" must not overflow.
  return time < std::numeric_limits<double>::max() ? first_step_at(time, time_step_)
                                                   : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t OutputSchedule::index_after(std::uint64_t step) const {
  auto k = static_cast<std::uint64_t>(std::max(0.0, static_cast<double>(step) * time_step_ / every_ - 1.0));
  while (k > 0 && step_of(k) > step) { --k; }
  while (step_of(k) <= step) { ++k; }
  return k;
}

std::uint64_t OutputSchedule::next_after(std::uint64_t step) const {
  if (step < origin_step_) { return origin_step_; }
  const std::uint64_t since = step - origin_step_;
  const std::uint64_t next = every_ <= time_step_ ? since + 1 : step_of(index_after(since));
  return next > std::numeric_limits<std::uint64_t>::max() - origin_step_ ? next : next + origin_step_;
}

void OutputSchedule::change(const StagedInterval& change, std::uint64_t step, double time) {
  on_ = change.on.value_or(on_);
  if (!change.every) { return; }
  on_ = change.on.value_or(true);
  every_ = *change.every;
  origin_step_ = step;
  origin_time_ = time;
}

std::uint64_t OutputSchedule::count(std::uint64_t first, std::uint64_t last) const {
  if (first > last) { return 0; }
  if (every_ <= time_step_) { return last - first + 1; }
  return index_after(last) - (first == 0 ? 0 : index_after(first - 1));
}

double OutputSchedule::intervals(double time) const {
  double k = std::floor((time - origin_time_) / every_);
  if (moment(k + 1) <= time) { ++k; }  // where the quotient was rounded
  return moment(k) > time ? k - 1 : k;
}

bool OutputSchedule::due(const Engine& engine) const {
  if (!on_) { return false; }
  if (engine.step() == 0) { return true; }
  if (!adaptive_) { return next_after(engine.step() - 1) == engine.step(); }
  return intervals(engine.time()) > intervals(engine.previous_time());
}

RunTarget OutputSchedule::next(const Engine& engine) const {
  if (!on_) { return {}; }
  if (!adaptive_) { return {next_after(engine.step())}; }
  RunTarget target;
  target.time = moment(intervals(engine.time()) + 1);
  // an interval below the rounding of the time: every step
  if (!(target.time > engine.time())) { return {engine.step() + 1}; }
  return target;
}

std::uint64_t OutputSchedule::outputs(std::uint64_t steps, double duration) const {
  if (!adaptive_) {
    const bool ends_between = steps > 0 && next_after(steps - 1) != steps;
    return count(0, steps) + (ends_between ? 1 : 0);
  }
  const double whole = intervals(duration);
  return static_cast<std::uint64_t>(whole) + (whole * every_ < moment_of_steps(duration) ? 2 : 1);
}

}  // namespace scree
