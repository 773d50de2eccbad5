#pragma once

#include "kernels/state/groups.hpp"
#include "kernels/state/step_times.hpp"
#include "kernels/step/motion/motion.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;

/// The rules of all groups of a run, on the backend. Empty in a run without groups.
template <class R>
struct GroupRules {
  Buffer<GroupRule<R>> rules;
  Buffer<std::uint16_t> of_id;  ///< [n_ids] group of each body; empty: all bodies belong to group 0
  Buffer<Vec3<R>> pressed;      ///< [N] what membranes add to the forces of groups, by id from first_pressed on
  index_t first_pressed = 0;
  Buffer<FluidPush<R>> fluid_on_bodies;       ///< [n_bodies] of the step; empty without a fluid
  Buffer<FluidPush<double>> fluid_on_clumps;  ///< [n_clumps] likewise

  [[nodiscard]] bool any() const { return rules.size() > 0; }
  [[nodiscard]] GroupTable<R> table() {
    return {rules.view(), of_id.view(), pressed.view(), first_pressed, fluid_on_bodies.view(), fluid_on_clumps.view()};
  }
  [[nodiscard]] std::uint64_t bytes() const {
    return rules.bytes() + of_id.bytes() + pressed.bytes() + fluid_on_bodies.bytes() + fluid_on_clumps.bytes();
  }
  /// Saves the groups of bodies; `ids` are those that the state has, in its order.
  void save(const std::vector<index_t>& ids, StateWriter& out) const;
  /// Restores them. All ids are below `n_ids`. Throws StateError.
  void restore(const std::vector<index_t>& ids, std::size_t n_ids, StateReader& in);

  /// Makes the rules of a scene, for steps of this length [s].
  void make(const Scene& scene, double time_step);
  /// Fills the part of `motion` that concerns groups. If the step adapts and a group turns, this also makes new rules.
  void plan(const Scene& scene, const StepTimes& times, MotionMoment<R>& motion);
};

}  // namespace scree::inline SCREE_BACKEND
