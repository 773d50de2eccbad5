#pragma once

#include <cstdint>

#include "kernels/backend/portability.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The times about one step. The leapfrog goes with `next` from where it stands, and its velocities from the middle of
/// `last` to the middle of `next`.
struct StepTimes {
  std::uint64_t step;         ///< that is about to be made: steps made before
  double before, now, after;  ///< [s] times of the positions one step ago (0 in the first step), now and after the step
  double last, next;          ///< [s] lengths of the steps before and after now; in the first both are the first step

  /// [s] In the first step velocities are those of its start.
  [[nodiscard]] double kick() const { return step == 0 ? 0.5 * next : 0.5 * (last + next); }
};

/// What a run with steps of different length remembers of them [s]; zeros in others.
struct ClockState {
  double time = 0, before = 0;
  double last = 0, next = 0;  ///< lengths of the step that led here, and of the one that follows
};

/// What time it is. With a fixed step a time is a number of steps times the step: it never drifts.
class StepClock {
 public:
  explicit StepClock(const Scene& scene) : fixed_(scene.time_step), adaptive_(scene.adaptive.has_value()) {
    if (adaptive_) { state_.last = state_.next = fixed_; }
  }

  [[nodiscard]] StepTimes at(std::uint64_t step) const {
    if (adaptive_) { return {step, state_.before, state_.time, state_.time + state_.next, state_.last, state_.next}; }
    return {step,  step > 0 ? double(step - 1) * fixed_ : 0.0, double(step) * fixed_, double(step + 1) * fixed_, fixed_,
            fixed_};
  }
  [[nodiscard]] double next() const { return adaptive_ ? state_.next : fixed_; }

  /// For a clock of an adaptive run alone.
  void set_next(double length) { state_.next = length; }
  /// A step was made.
  void tick() {
    if (!adaptive_) { return; }
    state_ = {state_.time + state_.next, state_.time, state_.next, state_.next};
  }

  [[nodiscard]] const ClockState& state() const { return state_; }
  void set_state(const ClockState& state) { state_ = state; }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  double fixed_;
  bool adaptive_;
  ClockState state_;
};

}  // namespace scree::inline SCREE_BACKEND
