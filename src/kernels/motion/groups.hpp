#pragma once

#include "kernels/contact/motion.hpp"
#include "kernels/state/groups.hpp"
#include "kernels/state/step_times.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

/// How bodies of groups move. Empty: no body moves in a way of its own.
template <class R>
struct GroupRules {
  Buffer<GroupRule<R>> rules;
  Buffer<std::uint16_t> of_id;  ///< [ids] empty: all are of group 0

  [[nodiscard]] bool any() const { return rules.size() > 0; }
  [[nodiscard]] GroupTable<R> table() { return {rules.view(), of_id.view()}; }
  [[nodiscard]] std::uint64_t bytes() const { return rules.bytes() + of_id.bytes(); }

  /// The rules of a scene, for steps of this length [s].
  void make(const Scene& scene, double time_step);
  /// What the motion of a step needs: fills its part of `motion`. Where the step adapts, groups that turn get new
  /// rules.
  void plan(const Scene& scene, const StepTimes& times, MotionMoment<R>& motion);
};

}  // namespace scree::inline SCREE_BACKEND
