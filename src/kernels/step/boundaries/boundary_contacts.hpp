#pragma once

#include "kernels/laws/concept.hpp"
#include "kernels/step/boundaries/boundary_lanes.hpp"
#include "kernels/step/boundaries/boundary_row_ends.hpp"
#include "kernels/step/boundaries/boundary_views.hpp"
#include "kernels/step/boundaries/near_slots.hpp"
#include "kernels/step/boundaries/touching_features.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the contacts of bodies with the boundaries near them, for one geometry and one law; one thread per row of
/// BoundaryList. The first interaction of a run with this geometry also finds the slots that touch (TouchingFeatures)
/// and sets the wrench of the row; the others add to the wrench.
///
/// `plain` leaves out the work that only meshes, sliding surfaces and the mean flow of a deforming cell need. It
/// changes no bit of a run that has none of them (BoundaryContactViews::are_plain), and a GPU thread then needs half of
/// the registers.
template <class Geometry, class Law, bool plain = false>
struct BoundaryContacts {
  using R = typename Geometry::Scalar;
  using GeometryType = Geometry;
  using LawType = Law;
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
  using Input = BoundaryInput<Geometry, Law>;
  using Output = BoundaryOutput<Geometry, Law>;

  /// Computes the rows [begin, end). One vector loop finds the slots that can be contacts, and a second one evaluates
  /// the contacts. Laws with a stack evaluate them one by one.
  void work_on(std::size_t begin, std::size_t end) const {
    if (of.control->halted != 0) { return; }
    PlacedPlanes planes(of.boundaries);
    if constexpr (has_stack<Law>) {
      visit_rows(begin, end, planes, [&](std::size_t row, const auto& near) { contacts_of_row(row, near); });
    } else {
      BoundaryLanes<BoundaryContacts> lanes(*this, planes);
      visit_rows(begin, end, planes, [&](std::size_t index, const auto& near) {
        const Row row = row_at(index);
        if (!has_contacts(row, near)) { return; }
        bool any = false;
        visit_contacts(row, [&](offset_t k) { lanes.take(index, k, row.body, row.x), any = true; });
        if (!any) { add(index, {{R(0), R(0), R(0)}, {R(0), R(0), R(0)}}); }
      });
      lanes.finish();
    }
  }

  /// The body of the vector loop. Laws with a stack have no such loop.
  SCREE_INLINE Output evaluate(const Input& in) const {
    ContactState<R> contact;
    Geometry::state_of(of, in, contact);
    History history = in.history;
    const LawResponse<R> response = evaluate_law<Law>(contact, in.params, history);
    weigh(in.weight, history);
    Output out{Geometry::action_of(in, response), response.shear, response.couple, in.turned(), {}, history};
    if constexpr (keeps_ledger<Law>) { out.loss = history.loss; }
    return out;
  }
#endif

  SCREE_HD void operator()(std::size_t row) const {
    if (of.control->halted != 0) { return; }
    contacts_of_row(row, AnySlot{});
  }

  SCREE_INLINE History history_of_slot(offset_t k) const { return load_history<Law>(of.extra, of.n_extra, k); }

  /// Stores the answer of the law at slot k, without the history. `out` has action(), the shear and the couple.
  template <class Answer>
  SCREE_HD void store(offset_t k, const Vec3<R>& n, const Vec3d& point, const Answer& out, Wrench<R>& sum) const {
    Geometry::keep(n, point, out.shear, of.slots[k]);
    Geometry::act(out.action(), of.slots[k], sum);
    if constexpr (has_couple<Law>) {
      sum.torque += out.couple;
      of.couple[k] = out.couple;
    }
  }

  /// Adds the losses and the first half of the work of this step at the contact in slot k, of which everything has been
  /// stored.
  SCREE_HD void add_to_ledger(offset_t k, index_t body, const History& history, const Vec3<R>& couple) const {
    of.ledger.add_first_half_of_boundary(k, of.bodies, body, history.entry, history.loss, of.slots[k],
                                         has_couple<Law> ? couple : Vec3<R>{R(0), R(0), R(0)},
                                         SurfaceMotion::at(of.boundaries, of.boundaries.pose, of.slots[k], false));
  }

  /// Adds the sum over the contacts of a row to its wrench.
  SCREE_INLINE void add(std::size_t row, const Wrench<R>& sum) const {
    if (is_first) {
      of.wrench[row] = sum;
    } else {
      of.wrench[row].force += sum.force;
      of.wrench[row].torque += sum.torque;
    }
  }

 private:
  struct Answer {
    const typename Geometry::Input& in;
    const LawResponse<R>& response;
    Vec3<R> shear, couple;
    [[nodiscard]] SCREE_INLINE auto action() const { return Geometry::action_of(in, response); }
  };

#if !SCREE_ON_CUDA
  template <class Visit>
  SCREE_INLINE void visit_rows(std::size_t begin, std::size_t end, PlacedPlanes& planes, Visit&& visit) const {
    NearSlots<R> near(of, planes);
    for (std::size_t row = begin; row < end;) {
      if (is_first) {
        const std::size_t last = near.look(row, end);
        if constexpr (keeps_ledger<Law>) { BoundaryRowEnds<R>(of).end_rows(row, last); }
        for (; row < last; ++row) { visit(row, near); }
      } else {
        visit(row++, AnySlot{});
      }
    }
  }
#endif

  struct Row {
    std::size_t index;
    index_t body;
    offset_t begin, end;  ///< slots
    Vec3d x;              ///< [m] centre of the body
  };
  SCREE_INLINE Row row_at(std::size_t row) const {
    const index_t body = of.body_of_row[row];
    return {row, body, of.row_start[row], of.row_start[row + 1], of.bodies.position[body]};
  }

  /// Finds the contacts of a row. Returns false if nothing is left to do.
  template <class Near>
  SCREE_INLINE bool has_contacts(const Row& row, const Near& near) const {
    if (of.is_grain(row.body)) { return false; }
    if constexpr (keeps_ledger<Law> && std::is_same_v<Near, AnySlot>) {  // otherwise visit_rows() has done this
      if (is_first) { of.end_ledger_row(row.index); }
    }
    const TouchingFeatures<R, plain> touching(of, row.begin, row.end);
    if (is_parked(row.x)) {  // the body was removed after the list was made
      touching.clear();
      of.wrench[row.index] = {};
      return false;
    }
    if (!SCREE_ON_CUDA && is_first && touching.stay_clear(near)) {
      of.wrench[row.index] = {};
      return false;
    }
    if (is_first) { touching.find(row.body, row.x, double(of.bodies.radius[row.body]), near); }
    return true;
  }

  /// Visits the slots of a row whose contacts have this interaction.
  template <class Visit>
  SCREE_INLINE void visit_contacts(const Row& row, Visit&& visit) const {
    for (offset_t k = row.begin; k < row.end; ++k) {
      if (of.slots[k].accepted == 1 && of.has_interaction(interaction, k, row.body)) { visit(k); }
    }
  }

  /// Computes the contacts of a row one after the other. `near` tells what is known about slots beforehand, see
  /// AnySlot.
  template <class Near>
  SCREE_INLINE void contacts_of_row(std::size_t index, const Near& near) const {
    const Row row = row_at(index);
    if (!has_contacts(row, near)) { return; }
    Wrench<R> sum{{R(0), R(0), R(0)}, {R(0), R(0), R(0)}};
    visit_contacts(row, [&](offset_t k) { touch(k, row.body, row.x, sum); });
    add(index, sum);
  }

  SCREE_HD void touch(offset_t k, index_t body, const Vec3d& x, Wrench<R>& sum) const {
    const auto touch = Geometry::template touch<plain>(of, k, body, x);
    History history = history_of_slot(k);
    const LawResponse<R> response = answer(touch.state, params[of.classes_at(k, body)], history, k);
    weigh(touch.in.weight, history);
    store_history<Law>(of.extra, of.n_extra, k, history);
    if constexpr (keeps_ledger<Law>) { LedgerPlace<R>::put_rest(of.ledger.rest, k, history.entry); }
    store(k, touch.state.n, touch.point, Answer{touch.in, response, response.shear, response.couple}, sum);
    if constexpr (keeps_ledger<Law>) { add_to_ledger(k, body, history, response.couple); }
  }

  /// Multiplies the viscous force in the entry of the ledger by the weight of a joined contact, as the whole force is.
  SCREE_INLINE static void weigh([[maybe_unused]] R weight, [[maybe_unused]] History& history) {
    if constexpr (keeps_ledger<Law>) { history.entry.viscous = weight * history.entry.viscous; }
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
