#include "kernels/motion/batch_plan.hpp"

#include <algorithm>
#include <bit>

#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
void BatchPlan<R>::begin(RunState<R>& run, const LedgerMoment& made) {
  made_ = made;
  steps_.clear();
  travel_ = 0;
  run.boundary.begin_plan(run.clock.at(run.step));
  if (run.cell.any()) { run.in_cell.begin_plan(run.cell); }
}

template <class R>
void BatchPlan<R>::add(RunState<R>& run) {
  const StepTimes times = run.clock.at(run.step + steps_.size());
  const bool adaptive = run.scene.adaptive.has_value();
  const auto single = [](double value) { return double(static_cast<R>(value)); };
  StepMoment<R> step{};
  MotionMoment<R>& motion = step.motion;
  motion.time_step = static_cast<R>(times.next);
  motion.kick = static_cast<R>(times.kick());
  motion.duration = times.next;
  motion.end.step = times.step + 1;
  motion.end.moment = adaptive ? std::bit_cast<std::uint64_t>(times.after) : times.step + 1;
  if (run.groups.any()) { run.groups.plan(run.scene, times, motion); }
  if (run.cell.any()) {
    step.contacts = contact_moment<R>(*run.in_cell.planned, times);
    motion.cell = run.in_cell.deform(run, times);
  } else {
    step.contacts = contact_moment<R>(run.cell, times);
  }
  step.boundaries = run.boundary.plan(times, run.lists.reach, run.expected.smallest_radius);
  step.boundaries.flow = run.in_cell.flow_travel_in(run, steps_.size());
  step.boundaries.travel_limit = run.seen.boundary_travel + run.lists.travel_left();
  travel_ += step.boundaries.travel + step.boundaries.flow;
  step.ledger = {times.step > 0 ? single(times.last) : 0,
                 single(times.next),
                 single(times.kick()),
                 motion.cell.gradient_before,
                 motion.cell.gradient,
                 run.cell.origin(),
                 run.cell.any() && run.cell.deforms() ? 1u : 0u};
  step.ledger_before = steps_.empty() ? made_ : steps_.back().ledger;
  step.begins = times.now;
  if (run.fluid.any()) { step.flow = run.fluid.flow_at(times.now); }
  steps_.push_back(step);
}

template <class R>
void BatchPlan<R>::send(RunState<R>& run) {
  run.boundary.send_plan(Exec::steps_ahead());
  send_steps(run.seen.completed);
}

/// Copies the plan to the backend. Its first step has this number; see StepMoments.
template <class R>
void BatchPlan<R>::send_steps(std::uint64_t number) {
  const std::size_t least = std::max<std::size_t>(steps_.size(), 4 * Exec::steps_ahead());
  if (sent_.size() < least) { sent_.discard_and_resize(std::bit_ceil(least), "plan of steps"); }
  const std::size_t place = number & (sent_.size() - 1), n = std::min(steps_.size(), sent_.size() - place);
  copy_to_backend(sent_.data() + place, steps_.data(), n * sizeof(StepMoment<R>));
  copy_to_backend(sent_.data(), steps_.data() + n, (steps_.size() - n) * sizeof(StepMoment<R>));
}

template <class R>
void BatchPlan<R>::hold(const RunState<R>& run, const LedgerMoment& made) {
  steps_.assign(1, StepMoment<R>{});
  steps_.front().ledger_before = made;
  send_steps(run.seen.completed);
}

template class BatchPlan<float>;
template class BatchPlan<double>;

}  // namespace scree::inline SCREE_BACKEND
