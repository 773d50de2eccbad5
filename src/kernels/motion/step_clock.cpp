#include "kernels/motion/step_clock.hpp"

#include "kernels/archive/state_io.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Checks the times of a run with adaptive steps. Throws StateError.
void expect_times(const ClockState& clock) {
  const auto expect = [](bool holds, const char* what, const std::string& rule, double value) {
    expect_state(holds, [&] { return broken_rule(std::string(what) + " in totals/clock", rule, value) + " s"; });
  };
  expect(clock.before >= 0, "the time before the last step", ">= 0", clock.before);
  expect(clock.time >= clock.before, "the time",
         "at least " + value_text(clock.before) + " s, that before the last step", clock.time);
  expect(clock.last >= 0, "the last step", ">= 0", clock.last);
  expect(clock.next > 0, "the next step", "> 0", clock.next);
}

}  // namespace

void StepClock::save(StateWriter& out) const { out("totals/clock", "s", state_); }

void StepClock::restore(StateReader& in) {
  in("totals/clock", "s", state_);
  if (adaptive_) { expect_times(state_); }
}

void StepClock::hash(UnorderedHash& sum) const {
  if (adaptive_) { sum.add({bits(state_.time), bits(state_.last), bits(state_.next)}); }
}

}  // namespace scree::inline SCREE_BACKEND
