#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/grains.hpp"
#include "kernels/state/pairs.hpp"
#include "kernels/state/step_moment.hpp"
#include "kernels/state/touch_classes.hpp"
#include "kernels/step/ledger/ledger_contacts.hpp"

namespace scree::inline SCREE_BACKEND {

/// Everything that contacts of pairs read and write, for all geometries and laws. When a step is launched, the values
/// that change from step to step are still missing; at(moment) adds them.
template <class R>
struct PairViews {
  BodyView<R> bodies;
  Span<BodyPair> pairs;
  Span<Vec3<R>> shear;
  Span<R> extra;  ///< [n_pairs * n_extra] history beyond the shear
  std::uint32_t n_extra;
  Span<PairForce<R>> force;
  Span<Vec3<R>> couple;  ///< [n_pairs] [N m] on the second body; empty if no law has couples
  Span<std::uint8_t> touching;
  TouchClasses classes;
  R time_step;
  Control* control;
  R no_ratcheting;             ///< 1 or 0, see SpherePair
  Span<std::uint32_t> broken;  ///< [n_ids] number of lost bonds of each body, by id; empty if no law makes bonds
  CellPairs<R> cell{};
  SegmentPool<R> pool{};                ///< empty if no law of the run keeps load histories
  Span<StackEnd<R>> stack{};            ///< [n_pairs] ends of load histories; empty if no law keeps them
  R lean = R(0);                        ///< [-] see leaning_sum
  std::uint32_t node_side = 0;          ///< the side of the pool of node contacts that this step writes
  const NodeViews<R>* nodes = nullptr;  ///< null if there are no level-set grains
  ContactLedger<R> ledger{};            ///< empty without an energy ledger

  SCREE_INLINE PairViews at(const StepMoment<R>& now) const {
    const ContactMoment<R>& moment = now.contacts;
    PairViews views = *this;
    views.time_step = moment.time_step;
    views.lean = moment.lean;
    views.node_side = moment.node_side;
    views.cell = cell.in(moment.cell);
    views.ledger.moment = &now;
    return views;
  }
};

}  // namespace scree::inline SCREE_BACKEND
