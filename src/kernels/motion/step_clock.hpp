#pragma once

#include "kernels/state/step_times.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;

/// Gives the times of steps. With a fixed step a time is the number of steps times the step, so it never drifts.
class StepClock {
 public:
  explicit StepClock(const Scene& scene) : fixed_(scene.time_step), adaptive_(scene.adaptive.has_value()) {
    if (adaptive_) { state_.last = state_.next = fixed_; }
  }

  /// Times of a step. If the step adapts, only those of the step about to be made are known, whatever the argument.
  [[nodiscard]] StepTimes at(std::uint64_t step) const {
    if (adaptive_) { return {step, state_.before, state_.time, state_.time + state_.next, state_.last, state_.next}; }
    return {step,  step > 0 ? double(step - 1) * fixed_ : 0.0, double(step) * fixed_, double(step + 1) * fixed_, fixed_,
            fixed_};
  }
  /// [s] Length of the step about to be made.
  [[nodiscard]] double next() const { return adaptive_ ? state_.next : fixed_; }

  /// Sets the length [s] of the step about to be made. Only for runs whose step adapts.
  void set_next(double length) { state_.next = length; }
  /// Goes on by the step that was made.
  void tick() {
    if (!adaptive_) { return; }
    state_ = {state_.time + state_.next, state_.time, state_.next, state_.next};
  }

  void save(StateWriter& out) const;
  /// Throws StateError.
  void restore(StateReader& in);
  void hash(UnorderedHash& sum) const;

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  double fixed_;
  bool adaptive_;
  ClockState state_;
};

}  // namespace scree::inline SCREE_BACKEND
