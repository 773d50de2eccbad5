#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/laws/stiffness.hpp"
#include "scree/engine.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// Checks all contacts at regular intervals: how long a step may be, and how deep overlaps are. If the step adapts, it
/// also chooses the step.
template <class R>
class StepLimits {
 public:
  /// Checks the contacts in step `index`, if a check is due. The interval depends on the case alone. To be called after
  /// the boundary contacts of the step and before its pair contacts. If the step adapts, a check chooses its length;
  /// then the result is true, and the step must be planned again.
  bool look(RunState<R>& run, std::uint64_t index);
  /// Number of steps from step `index` to the next one with a check; 0 if that is step `index`.
  [[nodiscard]] static std::uint64_t steps_to_look(const RunState<R>& run, std::uint64_t index);
  /// The critical step of the present contacts. Its value is infinite before the first step, while forces are not
  /// known, and if nothing touches.
  [[nodiscard]] CriticalStep critical(RunState<R>& run);

  /// Results of the checks so far. They are state of the run.
  [[nodiscard]] const ContactWatch& watch() const { return watch_; }
  /// [n_pairs] Work space, which measures of the cell use, too.
  [[nodiscard]] Buffer<ContactStiffness<R>>& pair_stiffness() { return pair_stiffness_; }
  [[nodiscard]] std::uint64_t bytes() const;
  void save(StateWriter& out) const;
  /// Throws StateError.
  void restore(StateReader& in);

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  void measure(RunState<R>& run);
  void note(RunState<R>& run, std::uint64_t step);
  [[nodiscard]] double reach_of_bodies(RunState<R>& run);
  void choose_step(RunState<R>& run, std::uint64_t index);
  struct Found {
    index_t id, place;  ///< place: position in memory
  };
  [[nodiscard]] Found first_with(RunState<R>& run, Buffer<double>& values, double sought);
  void look_at_partners(RunState<R>& run, index_t body, double& most, CriticalStep& result);
  void look_at_boundaries(RunState<R>& run, index_t body, double& most, CriticalStep& result);

  ContactWatch watch_;
  // Work space.
  Buffer<ContactStiffness<R>> pair_stiffness_, slot_stiffness_;
  Buffer<double> first_limit_, first_dashpot_, body_limit_, square_speed_, body_overlap_, body_reach_;
  Buffer<std::uint8_t> limiting_component_;
  Buffer<std::uint64_t> least_limit_;  ///< [2] of the first and of the second pass
};

}  // namespace scree::inline SCREE_BACKEND
