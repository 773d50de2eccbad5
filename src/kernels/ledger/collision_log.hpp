#pragma once

#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/step/ledger/collisions.hpp"
#include "scree/contact_readouts.hpp"

namespace scree {
struct Scene;
}  // namespace scree

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// Counts collisions by class and by loss; see step/ledger/collisions.hpp and Scene::collisions.
template <class R>
class CollisionLog {
 public:
  explicit CollisionLog(const Scene& scene);

  [[nodiscard]] bool any() const { return sums_.size() > 0; }
  /// To be called before each batch of steps. Begins the next interval if one has ended, and carries the digits of the
  /// sums before they overflow.
  void carry_in_time(RunState<R>& run);
  /// To be called before and after a search. A search drops contacts that parted in the last move, contacts of a
  /// boundary that is absent, and contacts that a program has torn apart: their collisions end here.
  void before_search(RunState<R>& run);
  void after_search(RunState<R>& run);
  /// Updates the collisions in a step, after ContactLosses::step(). `before` [n_bodies] has the velocities before the
  /// motion.
  void step(RunState<R>& run, Span<BodySpeed<R>> before);

  /// The collisions of the interval. With `begin_interval` it ends at `time` [s], the present time, and a new one
  /// begins with the next step. Until then this returns the counts of the old interval.
  [[nodiscard]] CollisionReport read(RunState<R>& run, bool begin_interval);
  void save(StateWriter& out) const;
  /// To be called when the contacts are restored. Counts that were not saved, or that have other limits, begin at 0.
  /// Throws StateError.
  void restore(RunState<R>& run, StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const {
    return sums_.bytes() + limits_there_.bytes() + slots_before_.bytes() + open_.bytes();
  }

 private:
  friend struct StateScrambler;  // names every member: see checkpoint_guard.test.cpp

  static constexpr double goes_on = -1;  ///< instead of the end of an interval

  [[nodiscard]] CollisionBins bins() { return {classes_, limits_there_.view(), sums_.view()}; }
  template <class Bins>
  void count_open(RunState<R>& run, const Bins& to, int sign);
  void expect_known_classes(RunState<R>& run) const;

  CollisionClasses classes_;
  std::vector<double> limits_;             ///< [J]
  Buffer<double> limits_there_;            ///< the same on the backend
  Buffer<CollisionSums> sums_;             ///< see CollisionBins
  Buffer<OpenCollision<R>> slots_before_;  ///< see SlotCollisions
  Buffer<CollisionSums> open_;             ///< used in one reading
  std::vector<CollisionSums> before_;      ///< the sums when the interval began
  double since_ = 0;                       ///< [s] of that moment
  double end_ = goes_on;                   ///< [s] when the interval has ended, if no step was made since then
  std::uint64_t carried_ = 0;              ///< step before which digits were carried; the sums do not depend on it
};

}  // namespace scree::inline SCREE_BACKEND
