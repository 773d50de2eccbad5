#pragma once

#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/step_times.hpp"

/// All values that change from step to step and that kernels do not compute themselves. Kernels read them from memory,
/// so that the parameters of their launches are the same in every step of a batch.
namespace scree::inline SCREE_BACKEND {

/// The values for contacts, which are updated by the step that led here.
template <class R>
struct ContactMoment {
  R time_step;  ///< [s] of the last step
  R lean;       ///< [-] see leaning_sum
  CellFlowStep<R> cell;
  std::uint32_t node_side;  ///< side of the pool to which this step writes contacts of nodes
};

/// The point in the run at which a step ends.
struct StepReached {
  std::uint64_t step;    ///< number of steps made after it
  std::uint64_t moment;  ///< a number of steps, or the bits of a time (see OutletRegion)
};

/// The values for the motion of bodies and clumps.
template <class R>
struct MotionMoment {
  R time_step;      ///< [s] see Leapfrog
  R kick;           ///< [s] likewise
  double duration;  ///< [s] the step, to double precision
  StepReached end;
  R keep, loss;        ///< [-] see GroupedLeapfrog; 0 in runs without groups
  R group_kick, lead;  ///< [s] likewise
  CellStep<R> cell;
};

/// The values for the energy ledger. They are 0 if nothing is to be added.
struct LedgerMoment {
  double last, next, kick;                ///< [s] as bodies have them; see StepTimes. last is 0 in the first step
  Mat3d gradient_before, gradient_after;  ///< [1/s] of a periodic cell, in the steps before and after the forces
  Vec3d origin;                           ///< [m] of the cell
  std::uint32_t flows;                    ///< 1: the cell deforms
};

/// The values for the motion of boundaries; see MovingView. They are set only in runs with moving boundaries.
struct BoundaryMoment {
  StepTimes times;
  std::uint32_t index;  ///< of the step in the batch
  double extent;        ///< [m] no body is farther from the world's origin
  double travel;        ///< [m] no point of a boundary whose motion is prescribed moves farther
  double flow;          ///< [m] a bound of how far the mean flow of a cell carries a body along a boundary
  double travel_limit;  ///< [m] the list is spent when Control::boundary_travel is larger
};

/// One step.
template <class R>
struct StepMoment {
  ContactMoment<R> contacts;
  MotionMoment<R> motion;
  BoundaryMoment boundaries;
  LedgerMoment ledger;
  LedgerMoment
      ledger_before;  ///< of the step before: this step adds the second halves of its work; 0 if they have been added
  double begins;      ///< [s] time at which the forces of this step are computed
  Vec3d flow;         ///< [m/s] of a fluid that flows the same everywhere, at this time
};

/// The planned steps, and the position of the run. Step n of the run since its start or its restart is at place n
/// modulo the number of places, which is a power of two.
template <class R>
struct StepMoments {
  Span<StepMoment<R>> of_steps;
  const Control* control;

  SCREE_INLINE const StepMoment<R>& now() const { return of_steps[control->completed & (of_steps.size - 1)]; }
};

/// A functor as it is launched in a step, without the values of the moment. Its at(moment) returns the functor that
/// runs. A functor without this function has a member `moment`, a pointer to the values.
template <class F, class R>
struct InStep {
  F functor;
  StepMoments<R> moments;

  SCREE_INLINE F bound() const {
    if constexpr (requires { functor.at(moments.now()); }) {
      return functor.at(moments.now());
    } else {
      F now = functor;
      now.moment = &moments.now();
      return now;
    }
  }
};

template <class F, class R>
[[nodiscard]] InStep<F, R> launched_in_step(const F& functor, const StepMoments<R>& moments) {
  return {functor, moments};
}

}  // namespace scree::inline SCREE_BACKEND
