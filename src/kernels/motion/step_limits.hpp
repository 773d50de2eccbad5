#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/laws/stiffness.hpp"
#include "scree/engine.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// How long a step may be: looks at all contacts every so many steps, and chooses the step where it adapts.
template <class R>
class StepLimits {
 public:
  /// Every so many steps, which depend on the case alone: in step `index`, before it moves anything. With an adaptive
  /// step its length follows: true when that was chosen anew. The forces of boundaries are those of now, all others
  /// those of the last evaluation.
  bool look(RunState<R>& run, std::uint64_t index);
  /// How many steps come before the one that looks, counted from `index`.
  [[nodiscard]] static std::uint64_t steps_to_look(const RunState<R>& run, std::uint64_t index);
  /// The contacts as they stand; 0 before the first step and where nothing touches.
  [[nodiscard]] CriticalStep critical(RunState<R>& run);

  /// What the looks have found so far. A state of the run.
  [[nodiscard]] ContactWatch& watch() { return watch_; }
  [[nodiscard]] const ContactWatch& watch() const { return watch_; }
  /// Work space of one stiffness per pair, which measures of the cell use as well.
  [[nodiscard]] Buffer<ContactStiffness<R>>& pair_stiffness() { return pair_stiffness_; }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  void measure(RunState<R>& run);
  void note(RunState<R>& run, std::uint64_t step);
  void choose_step(RunState<R>& run, std::uint64_t index);
  [[nodiscard]] double first_with(const RunState<R>& run, const Buffer<double>& values, double sought) const;

  ContactWatch watch_;
  // Work space.
  Buffer<ContactStiffness<R>> pair_stiffness_, slot_stiffness_;
  Buffer<double> first_limit_, body_limit_, square_speed_, body_overlap_;
  Buffer<std::uint8_t> limiting_component_;
  Buffer<std::uint64_t> least_limit_;
};

}  // namespace scree::inline SCREE_BACKEND
