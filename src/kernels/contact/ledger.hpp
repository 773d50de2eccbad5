#pragma once

#include "kernels/math/exact_sum.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/step_moment.hpp"

/// The energy ledger of a step: kernels that run after its motion, only in runs that ask for the ledger.
///
/// The work of a force has two halves. Up to the moment of the force, a body moves with the velocity before the kick;
/// from this moment on, with the velocity after it. The first halves are added right after the motion, the second
/// halves when the next step begins. In between all sums belong to the moment of the forces. The sums are exact, so
/// they do not depend on the order of bodies and contacts.
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
  modes
};
inline constexpr std::size_t n_ledger_terms = 11;

/// The sums of one lane of a kernel.
struct LedgerSums {
  ExactSum term[n_ledger_terms];
  SCREE_HD ExactSum& of(LedgerTerm which) { return term[static_cast<int>(which)]; }
  SCREE_HD void carry() {
    for (ExactSum& sum : term) { sum.carry(); }
  }
};

/// Kinetic energy of a body at the moment of its forces [J].
struct KineticEnergy {
  double translation, rotation;
};

/// The state of bodies, and what the ledger keeps of them beside it.
template <class R>
struct LedgerBodies {
  BodyView<R> bodies;
  Span<Vec3<R>> velocity_before, spin_before;  ///< [n_bodies] before the motion of this step
  Span<R> inverse_mass_before;                 ///< [n_bodies] likewise; -1: the body had left before this step
  Span<KineticEnergy> kinetic;                 ///< [n_bodies]
};

/// One half of the work of the forces: before or after their moment. A launch adds the first halves of the present
/// step, or the second halves of the step before it.
struct WorkHalf {
  bool after;
  double duration = 0;  ///< [s] half of the step; 0 for the first half in the first step of the run

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

  SCREE_INLINE LedgerFlow at(const LedgerMoment& m, bool after) const {
    return {any, after ? m.gradient_after : m.gradient_before, m.gradient_after, origin};
  }
  /// [m/s] Velocity at which the strain of the flow moves the ends of a branch [m] apart.
  SCREE_HD Vec3d strain(const Vec3d& branch) const { return 0.5 * (gradient * branch + transpose(gradient) * branch); }
};

/// A kernel of the ledger with the values that its half of the work takes from the moment of a step.
template <class Ledger, class R>
SCREE_INLINE Ledger in_half(const Ledger& ledger, const StepMoment<R>& moment) {
  const LedgerMoment& m = ledger.half.of(moment);
  Ledger now = ledger;
  now.half = ledger.half.at(m);
  now.flow = ledger.flow.at(m, ledger.half.after);
  return now;
}

}  // namespace scree::inline SCREE_BACKEND
