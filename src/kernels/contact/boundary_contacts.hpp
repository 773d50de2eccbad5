#pragma once

#include "kernels/contact/boundary_views.hpp"
#include "kernels/contact/near_slots.hpp"
#include "kernels/contact/touching_features.hpp"
#include "kernels/laws/concept.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the contacts of bodies with the boundaries near them, for one geometry and one law; one thread per row of
/// BoundaryList. The first interaction of a run with this geometry also finds the slots that touch (TouchingFeatures)
/// and sets the wrench of the row; the others add to the wrench.
///
/// `plain` leaves out what only meshes and the mean flow of a deforming cell need. It changes no bit of a run that has
/// neither (BoundaryContactViews::are_plain). A GPU thread then needs half of the registers.
template <class Geometry, class Law, bool plain = false>
struct BoundaryContacts {
  using R = typename Geometry::Scalar;
  using Params = typename Law::Params;
  using History = HistoryOf<Law>;
  BoundaryContactViews<R> of;
  Span<Params> params;        ///< by ordered pair of classes
  std::uint32_t interaction;  ///< index of this interaction
  bool is_first;              ///< whether this is the first interaction with this geometry

  SCREE_INLINE BoundaryContacts at(const StepMoment<R>& moment) const {
    return {of.at(moment), params, interaction, is_first};
  }

#if !SCREE_ON_CUDA
  /// The rows [begin, end). Which slots can be contacts is found out ahead, by vectors.
  void work_on(std::size_t begin, std::size_t end) const {
    if (!is_first) {
      for (std::size_t row = begin; row < end; ++row) { (*this)(row); }
      return;
    }
    if (of.control->halted != 0) { return; }
    NearSlots<R> near(of);
    for (std::size_t row = begin; row < end;) {
      for (const std::size_t last = near.look(row, end); row < last; ++row) { contacts_of_row(row, near); }
    }
  }
#endif

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    contacts_of_row(row, AnySlot{});
  }

  SCREE_INLINE History history_of_slot(offset_t k) const { return load_history<Law>(of.extra, of.n_extra, k); }

 private:
  /// Nothing is known of the slots.
  struct AnySlot {
    SCREE_INLINE bool operator()(offset_t) const { return true; }
  };

  /// may_overlap(slot) is false if it is known that sphere and feature are apart.
  template <class MayOverlap>
  SCREE_INLINE void contacts_of_row(std::size_t row, const MayOverlap& may_overlap) const {
    const index_t body = of.body_of_row[row];
    if (of.is_grain(body)) { return; }
    const offset_t begin = of.row_start[row];
    const offset_t end = of.row_start[row + 1];
    const Vec3d x = of.bodies.position[body];
    if constexpr (keeps_ledger<Law>) {
      if (is_first) { of.end_ledger_row(row); }
    }
    const TouchingFeatures<R, plain> touching(of, begin, end);
    if (is_parked(x)) {  // the body was removed after the list was made
      touching.clear();
      of.wrench[row] = {};
      return;
    }
    if (!SCREE_ON_CUDA && is_first && touching.stay_clear(may_overlap)) {
      of.wrench[row] = {};
      return;
    }
    if (is_first) { touching.find(body, x, double(of.bodies.radius[body]), may_overlap); }
    Wrench<R> sum{{R(0), R(0), R(0)}, {R(0), R(0), R(0)}};
    for (offset_t k = begin; k < end; ++k) {
      if (of.slots[k].accepted == 1 && of.has_interaction(interaction, k, body)) { touch(k, body, x, sum); }
    }
    if (is_first) {
      of.wrench[row] = sum;
    } else {
      of.wrench[row].force += sum.force;
      of.wrench[row].torque += sum.torque;
    }
  }

  SCREE_HD void touch(offset_t k, index_t body, const Vec3d& x, Wrench<R>& sum) const {
    const auto touch = Geometry::template touch<plain>(of, k, body, x);
    History history = history_of_slot(k);
    const LawResponse<R> response = answer(touch.state, params[of.classes_at(k, body)], history, k);
    if constexpr (keeps_ledger<Law>) { history.entry.viscous = touch.weight * history.entry.viscous; }
    store_history<Law>(of.extra, of.n_extra, k, history);
    Geometry::act(touch, response, of.slots[k], sum);
    if constexpr (has_couple<Law>) {
      sum.torque += response.couple;
      of.couple[k] = response.couple;
    }
    if constexpr (keeps_ledger<Law>) {
      of.ledger.begin_boundary(k, of.bodies, body, history.entry, history.loss, of.slots[k],
                               has_couple<Law> ? response.couple : Vec3<R>{R(0), R(0), R(0)},
                               of.boundaries.pose[of.feature_at(k).boundary]);
    }
  }

  SCREE_HD LawResponse<R> answer(const ContactState<R>& contact, const Params& p, History& history,
                                 [[maybe_unused]] offset_t k) const {
    if constexpr (has_stack<Law>) {
      DeepStack<R> deep(of.pool, of.stack[k]);
      return Law::evaluate_whole(contact, p, history, deep);
    } else {
      return evaluate_law<Law>(contact, p, history);
    }
  }
};

}  // namespace scree::inline SCREE_BACKEND
