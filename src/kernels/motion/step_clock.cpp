#include "kernels/motion/step_clock.hpp"

#include "kernels/archive/state_io.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Whether the times of a run with adaptive steps are possible.
bool is_time(const ClockState& clock) {
  return clock.before >= 0 && clock.time >= clock.before && clock.last >= 0 && clock.next > 0;
}

}  // namespace

void StepClock::save(StateWriter& out) const { out("totals/clock", "s", state_); }

void StepClock::restore(StateReader& in) {
  in("totals/clock", "s", state_);
  expect_state(!adaptive_ || is_time(state_), "totals/clock tells times that cannot be");
}

void StepClock::hash(UnorderedHash& sum) const {
  if (adaptive_) { sum.add({bits(state_.time), bits(state_.last), bits(state_.next)}); }
}

}  // namespace scree::inline SCREE_BACKEND
