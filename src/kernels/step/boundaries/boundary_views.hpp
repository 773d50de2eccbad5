#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/boundaries.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/grains.hpp"
#include "kernels/state/step_moment.hpp"
#include "kernels/state/touch_classes.hpp"
#include "kernels/step/ledger/ledger_contacts.hpp"
#include "kernels/step/motion/gather.hpp"

namespace scree::inline SCREE_BACKEND {

/// Everything that contacts of bodies with boundaries read and write, for all geometries and laws. For at(moment) see
/// PairViews.
template <class R>
struct BoundaryContactViews {
  BodyView<R> bodies;
  BoundaryView boundaries;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  Span<R> extra;  ///< [n_slots * n_extra] history beyond the shear
  std::uint32_t n_extra;
  Span<Vec3<R>> couple;    ///< [n_slots] [N m] on the bodies; empty if no law has couples
  Span<Wrench<R>> wrench;  ///< [n_rows]
  TouchClasses classes;
  R time_step;
  Control* control;
  CellFlow<R> flow{};                   ///< without what changes from step to step, see flow_now()
  SegmentPool<R> pool{};                ///< empty if no law of the run keeps load histories
  Span<StackEnd<R>> stack{};            ///< [n_slots] ends of load histories; empty if no law keeps them
  R lean = R(0);                        ///< [-] see leaning_sum
  std::uint32_t node_side = 0;          ///< the side of the pool of node contacts that this step writes
  const NodeViews<R>* nodes = nullptr;  ///< null if there are no level-set grains
  ContactLedger<R> ledger{};            ///< empty without an energy ledger

  SCREE_INLINE BoundaryContactViews at(const StepMoment<R>& now) const {
    const ContactMoment<R>& moment = now.contacts;
    BoundaryContactViews views = *this;
    views.time_step = moment.time_step;
    views.lean = moment.lean;
    views.node_side = moment.node_side;
    views.ledger.moment = &now;
    return views;
  }

  /// Adds the second halves of the work of the last step at all contacts of a row.
  SCREE_HD void end_ledger_row(std::size_t row) const {
    if (!ledger.is_due()) { return; }
    SettleBoundaries<R>{ledger,           {extra, n_extra, ledger.rest},
                        bodies,           boundaries,
                        ledger.last_pose, body_of_row,
                        row_start,        slots,
                        couple,           nodes != nullptr ? nodes->of_slot : Span<NodeList>{}}
        .add_second_half_of_row(row);
  }

  /// The mean flow of the last step. It is read where it is needed, because keeping it would fill half of the registers
  /// of a GPU thread.
  SCREE_INLINE CellFlow<R> flow_now() const { return flow.in(ledger.moment->contacts.cell); }

  /// Whether no contact of this run needs meshes, sliding surfaces or a mean flow.
  [[nodiscard]] bool are_plain() const {
    return boundaries.feature.size == boundaries.first_facet && boundaries.joint_start.size == 0 &&
           boundaries.slides == 0 && boundaries.grows == 0 && !flow.any;
  }

  SCREE_INLINE RowViews<R> rows() const { return {extra, n_extra, stack}; }
  SCREE_INLINE Feature feature_at(offset_t k) const { return boundaries.feature[slots[k].feature]; }

  /// Whether a body is a level-set grain. Then its nodes make the contacts, not its bounding sphere.
  SCREE_INLINE bool is_grain(index_t body) const {
    return nodes != nullptr && nodes->grains.grain_of(body) != no_grain;
  }

  /// Ordered pair of the classes of the boundary of slot k and of a body.
  SCREE_HD std::uint32_t classes_at(offset_t k, index_t body) const {
    return classes.pair_of(boundaries.info[feature_at(k).boundary], bodies, body);
  }
  /// Whether the class of a body and that of the boundary of slot k have this interaction.
  SCREE_HD bool has_interaction(std::uint32_t interaction, offset_t k, index_t body) const {
    return classes.has_one() ? interaction == 0 : classes.interaction_of(classes_at(k, body)) == interaction;
  }
};

}  // namespace scree::inline SCREE_BACKEND
