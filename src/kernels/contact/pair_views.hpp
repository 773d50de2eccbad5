#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/grains.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/state/step_moment.hpp"
#include "kernels/state/touch_classes.hpp"

namespace scree::inline SCREE_BACKEND {

/// What the contacts of all pairs read and write, whatever their geometry and their law. Where a step is launched, the
/// time step, the lean and the motion of the cell are still missing: at(moment) adds them.
template <class R>
struct PairViews {
  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<Vec3<R>> shear;
  Span<R> extra;  ///< [n_pairs * n_extra] history beyond the shear
  std::uint32_t n_extra;
  Span<PairForce<R>> force;
  Span<Vec3<R>> couple;  ///< [n_pairs] where some law has couples
  Span<std::uint8_t> touching;
  TouchClasses classes;
  R time_step;
  Control* control;
  R no_ratcheting;             ///< 1 or 0, see SpherePair
  Span<std::uint32_t> broken;  ///< [n_start] bonds that each body has lost, by id; where some law makes bonds
  CellPairs<R> cell{};
  SegmentPool<R> pool{};                ///< where some law has a stack
  Span<StackEnd<R>> stack{};            ///< [n_pairs] likewise
  R lean = R(0);                        ///< [-] see leaning_sum
  std::uint32_t node_side = 0;          ///< of the pool of node contacts, in this step
  const NodeViews<R>* nodes = nullptr;  ///< where there are level-set grains

  SCREE_INLINE PairViews at(const ContactMoment<R>& moment) const {
    PairViews views = *this;
    views.time_step = moment.time_step;
    views.lean = moment.lean;
    views.node_side = moment.node_side;
    views.cell = cell.in(moment.cell);
    return views;
  }
};

}  // namespace scree::inline SCREE_BACKEND
