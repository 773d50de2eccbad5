#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// How far a run continues before something is due: to a step or to a time, whichever comes first.
struct RunTarget {
  std::uint64_t step = std::numeric_limits<std::uint64_t>::max();
  double time = std::numeric_limits<double>::infinity();  ///< [s]
};
[[nodiscard]] RunTarget sooner(const RunTarget& a, const RunTarget& b);

/// [s] A sum of steps that is at least this large counts as `time`: steps that should add up to `time` may miss it by
/// rounding.
[[nodiscard]] constexpr double moment_of_steps(double time) { return time * (1 - 1e-9); }

/// Whether the run begins with an output off: it has written nothing of it before a stage switches it on.
[[nodiscard]] bool begins_off(const Scene& scene, std::optional<StagedInterval> StagedOutput::*output);
/// The same for means over a grid with this name.
[[nodiscard]] bool begins_off(const Scene& scene, const std::string& field);

/// The steps at which output is written: the first step at or after each time k * every, k = 0, 1, ..., except for
/// rounding (see moment_of_steps), as the last step of a run is the first at or after its duration. A step is written
/// only once: if `every` is not longer than a step, every step is written. Once a stage has changed the interval, steps
/// and times count from its start.
class OutputSchedule {
 public:
  OutputSchedule(double every, double time_step, bool adaptive = false);  ///< [s], [s]
  OutputSchedule(double every, const Scene& scene)
      : OutputSchedule(every, scene.time_step, scene.adaptive.has_value()) {}

  /// Whether the step that an engine has just made is scheduled.
  [[nodiscard]] bool due(const Engine& engine) const;
  /// The next step or time that is scheduled.
  [[nodiscard]] RunTarget next(const Engine& engine) const;

  /// Makes the change of a stage that began at this step and time [s].
  void change(const StagedInterval& change, std::uint64_t step, double time);
  [[nodiscard]] bool on() const { return on_; }

  /// The first scheduled step after `step`, with a fixed time step.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step) const;
  /// Scheduled steps in [first, last], with a fixed time step.
  [[nodiscard]] std::uint64_t count(std::uint64_t first, std::uint64_t last) const;
  /// How often a whole run writes, including its end. The run has `steps` steps or, with an adaptive step, lasts
  /// `duration` [s].
  [[nodiscard]] std::uint64_t outputs(std::uint64_t steps, double duration) const;

 private:
  [[nodiscard]] std::uint64_t step_of(std::uint64_t k) const;
  /// Smallest k whose step comes after `step`.
  [[nodiscard]] std::uint64_t index_after(std::uint64_t step) const;

  /// Whole intervals from the origin to a time; k intervals count from the moment that next() names.
  [[nodiscard]] double intervals(double time) const;
  [[nodiscard]] double moment(double k) const { return moment_of_steps(origin_time_ + k * every_); }

  double every_, time_step_;
  bool adaptive_;
  bool on_ = true;
  std::uint64_t origin_step_ = 0;
  double origin_time_ = 0;  ///< [s]
};

}  // namespace scree
