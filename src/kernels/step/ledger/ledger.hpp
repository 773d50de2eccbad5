#pragma once

#include "kernels/backend/lanes.hpp"
#include "kernels/math/exact_queue.hpp"
#include "kernels/math/exact_sum.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/step_moment.hpp"

/// The energy ledger of a step, for runs that ask for it.
///
/// The work of a force has two halves. Before the moment of the force a body moves with its velocity before the kick,
/// and afterwards with its velocity after the kick. The first halves are added in the step of the force. The second
/// halves are added in the next step, or when the ledger is settled. In between all sums belong to the moment of the
/// forces. The sums are exact, so they do not depend on the order of bodies and contacts.
namespace scree::inline SCREE_BACKEND {

/// The energies [J] that are summed over all steps.
enum class LedgerTerm {
  friction,
  breakage,
  viscous,
  gravity,
  damping,
  groups,
  boundaries,
  removed,
  gained,
  cell,
  modes,
  fluid  ///< the last one: only states of runs with a fluid have it
};
inline constexpr std::size_t n_ledger_terms = 12;

/// The energies [J] that are summed only when the ledger is read.
enum class LedgerState { translation, rotation, vibration, deformation, normal, stored };
inline constexpr std::size_t n_ledger_states = 6;

/// The exact sums of one lane of kernels, one for each term. On the host a lane belongs to one thread, and numbers wait
/// in queues until many can be added at once.
template <class Term, std::size_t n>
struct LedgerSums {
  ExactSum term[n];
#if !SCREE_ON_CUDA
  ExactQueue queue[n];
#endif

  /// Adds a number. Only one thread may use the lane.
  SCREE_INLINE void add(Term which, double value) {
    const auto t = static_cast<std::size_t>(which);
#if SCREE_ON_CUDA
    term[t].add(value);
#else
    queue[t].add(value, term[t]);
#endif
  }
  /// Adds a number; on a GPU other threads may add to the lane in the same launch.
  SCREE_INLINE void add_beside_others(Term which, double value) {
#if SCREE_ON_CUDA
    term[static_cast<std::size_t>(which)].add_atomic(value);
#else
    add(which, value);
#endif
  }
#if !SCREE_ON_CUDA
  /// Adds factor * values[i] for i in [0, n_values); see ExactQueue.
  template <class R>
  SCREE_INLINE void add(Term which, const R* values, std::size_t n_values, double factor) {
    const auto t = static_cast<std::size_t>(which);
    queue[t].add(values, n_values, factor, term[t]);
  }
#endif
  /// Makes room for 2^31 more additions on a GPU.
  SCREE_HD void carry() {
#if SCREE_ON_CUDA
    for (ExactSum& sum : term) { sum.carry(); }
#endif
  }
  /// Moves all waiting numbers into the sums, and normalises the digits of the sums to less than 2^32.
  SCREE_HD void finish() {
    for (std::size_t t = 0; t < n; ++t) {
#if SCREE_ON_CUDA
      term[t].carry();
#else
      queue[t].finish(term[t]);
#endif
    }
  }
};
using LedgerLane = LedgerSums<LedgerTerm, n_ledger_terms>;
using StateLane = LedgerSums<LedgerState, n_ledger_states>;

/// Kinetic energy of a body at the moment of its forces [J].
struct KineticEnergy {
  double translation, rotation;
};

/// The state of bodies, and the values that the ledger keeps of them.
template <class R>
struct LedgerBodies {
  BodyView<R> bodies;
  /// [n_bodies] before the motion of the last step; the inverse mass is -1 if the body had left before this step
  Span<BodySpeed<R>> before;
};

/// One half of the work of the forces: the half before their moment or the half after it. A launch adds the first
/// halves of the present step, or the second halves of the step before.
struct WorkHalf {
  bool after;
  /// [s] half of the step; 0 for the first half in the first step of the run, and for second halves that are settled
  double duration = 0;

  template <class R>
  SCREE_INLINE const LedgerMoment& of(const StepMoment<R>& moment) const {
    return after ? moment.ledger_before : moment.ledger;
  }
  SCREE_INLINE WorkHalf at(const LedgerMoment& m) const { return {after, 0.5 * (after ? m.next : m.last)}; }
};

/// Times [s] that the kinetic energy needs.
struct LedgerTimes {
  double kick = 0;     ///< from the velocity before to the velocity after
  double span = 0;     ///< the kick; in the first step of the run a whole step, as if velocities began half a step ago
  double uneven = 0;   ///< length of the step after the forces minus length of the step before
  bool first = false;  ///< whether this is the first step of the run

  static SCREE_INLINE LedgerTimes of(const LedgerMoment& m) {
    const bool first = m.last == 0;
    return {m.kick, first ? m.next : m.kick, first ? 0.0 : m.next - m.last, first};
  }
};

/// The mean flow of a periodic cell. Contacts feel it, but the velocities of bodies do not contain it. The work that
/// contact forces do in the flow counts as work of the cell. Spins are relative to the rotation of the flow, so between
/// two bodies only its strain counts.
struct LedgerFlow {
  bool any = false;
  Mat3d gradient{};       ///< [1/s] in the step of this half of the work
  Mat3d next_gradient{};  ///< [1/s] in the step after the forces: it changes the relative velocities of bodies
  Vec3d origin{0, 0, 0};  ///< [m]

  SCREE_INLINE static LedgerFlow of(const LedgerMoment& m, bool after) {
    return {m.flows != 0, after ? m.gradient_after : m.gradient_before, m.gradient_after, m.origin};
  }
  /// [m/s] Velocity at which the strain of the flow moves the ends of a branch [m] apart.
  SCREE_HD Vec3d strain(const Vec3d& branch) const { return 0.5 * (gradient * branch + transpose(gradient) * branch); }
  /// [m/s] The contribution of the flow to the velocity of a body at its contact with a boundary at `point`. `lever`
  /// [m] leads from the contact to the centre of the body.
  SCREE_HD Vec3d at_boundary(const Vec3d& point, const Vec3d& lever) const {
    return gradient * (point + lever - origin) - cross(spin_of(gradient), lever);
  }
};

/// A kernel of the ledger for one half of the work of bodies, with the values of this half from the moment of a step.
template <class Ledger, class R>
SCREE_INLINE Ledger in_half(const Ledger& ledger, const StepMoment<R>& moment) {
  const LedgerMoment& m = ledger.half.of(moment);
  Ledger now = ledger;
  now.half = ledger.half.at(m);
  now.flow = LedgerFlow::of(m, ledger.half.after);
  now.times = LedgerTimes::of(m);
  return now;
}
/// Runs such a kernel for one lane: add(i, sums) adds item i of n. Nothing is added if the step is not made.
template <class Ledger, class Add>
SCREE_HD void add_items_of(const Ledger& ledger, std::size_t lane, std::size_t n, Add&& add) {
  if (ledger.control->halted != 0 || ledger.times.kick == 0) { return; }
  LedgerLane& sums = ledger.lanes[lane];
  visit_items_of(lane, ledger.lanes.size, n, [&](std::size_t i) { add(i, sums); });
  sums.carry();
}

}  // namespace scree::inline SCREE_BACKEND
