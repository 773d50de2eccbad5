#pragma once

#include "kernels/contact/pair_lanes.hpp"
#include "kernels/contact/pair_views.hpp"
#include "kernels/contact/stack_queue.hpp"
#include "kernels/history/deep_stack.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the contact force of each listed pair that touches, for one geometry and one law, in one kernel; one thread
/// per pair. Raises deep_overlap if the geometry finds the overlap too deep. With one_class all bodies have the same
/// class of touch, so the parameters of the law need not be fetched pair by pair.
///
/// The functions are those of Exec::for_selected: look, load, evaluate and store, or must_reject and reject.
template <class Geometry, class Law, bool one_class>
struct PairContacts {
  using R = typename Geometry::Scalar;
  using Scalar = R;
  using LawType = Law;
  using Params = typename Law::Params;
  using History = HistoryOf<Law>;
  using Look = typename Geometry::Look;
  using Input = PairInput<Geometry, Law, !one_class>;
  using Output = PairOutput<Geometry, Law>;
  static constexpr bool is_of_one_class = one_class;
  static constexpr int block_size = 128;
  static constexpr bool keeps_rows = has_stack<Law> && last_components<Law> == 0;
  static constexpr int row_width = History::n_components;

  PairViews<R> of;
  Span<Params> params;        ///< by ordered pair of classes
  Params shared_params;       ///< used with one_class
  std::uint32_t interaction;  ///< index of this interaction

  SCREE_INLINE PairContacts at(const StepMoment<R>& moment) const {
    return {of.at(moment.contacts), params, shared_params, interaction};
  }

  SCREE_INLINE Look look(std::size_t slot) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (of.control->halted != 0) { return {}; }
    }
    const BodyPair pair = of.pairs[slot];
    Look look = Geometry::look(of, slot, pair);
    if constexpr (holds_apart<Law>) {
      // A pair with a removed body is not held: whether it is still listed depends on the Verlet distance.
      look.chosen =
          look.chosen || (of.touching[slot] != 0 && of.extra[slot * of.n_extra] != R(0) &&
                          !is_parked(of.bodies.position[pair.first]) && !is_parked(of.bodies.position[pair.second]));
    }
    look.chosen = look.chosen && is_mine(pair);
    return look;
  }

  SCREE_INLINE void prefetch(std::size_t slot) const {
    // The prefetch of a wrong address does no harm, but reading a pair past the end does.
    Geometry::prefetch(of, of.pairs[slot < of.pairs.size ? slot : of.pairs.size - 1]);
  }

  /// Whether a pair that is not chosen touched in the last step, so that its results must be cleared.
  SCREE_INLINE bool must_reject(std::size_t slot) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (of.control->halted != 0) { return false; }
    }
    return of.touching[slot] != 0;
  }

  SCREE_INLINE void reject(std::size_t slot) const {
    if (!is_mine(of.pairs[slot])) { return; }
    of.touching[slot] = 0;
    of.shear[slot] = {};
    of.force[slot] = PairForce<R>{};
    if constexpr (has_couple<Law>) { of.couple[slot] = {}; }
    if constexpr (has_stack<Law>) { give_back(of.pool, of.stack[slot]); }
    store_history<Law>(of.extra, of.n_extra, slot, History{});
  }

  SCREE_INLINE Input load(std::size_t slot, const Look& look) const {
    Input in = load_state(slot);
    static_cast<Look&>(in) = look;
    in.history = history_of_slot(slot);
    return in;
  }

  /// The input without the look and without the history. Where histories are moved as rows, the shear is left out, too.
  SCREE_INLINE Input load_state(std::size_t slot) const {
    const BodyPair pair = of.pairs[slot];
    Input in{};
    Geometry::load_motion(of, pair, in);
    if constexpr (!keeps_rows) { in.shear = of.shear[slot]; }
    if constexpr (!one_class) { in.params = params[of.classes.pair_of(of.bodies, pair.first, pair.second)]; }
    return in;
  }

  SCREE_INLINE Output evaluate(const Input& in) const {
    return evaluate_by(in, [](const ContactState<R>& contact, const Params& p, History& history) {
      return evaluate_law<Law>(contact, p, history);
    });
  }

  /// Like evaluate(), with answer(contact, params, history) in place of the law.
  template <class Answer>
  SCREE_INLINE Output evaluate_by(const Input& in, Answer&& answer) const {
    ContactState<R> contact;
    Geometry::state_of(of, in, in.shear, contact);
    History history = in.history;
    const LawResponse<R> response = answer(contact, params_in(in), history);
    return {Geometry::action_of(contact, response), response.shear, response.couple, history, response.stack};
  }

  SCREE_INLINE void store(std::size_t slot, const Output& out) const {
    if constexpr (has_stack<Law> && !keeps_rows) {  // the energy ledger wants the whole stack
      evaluate_whole(slot);
    } else {
      store_answer(slot, out);
    }
  }

  SCREE_INLINE void store_answer(std::size_t slot, const Output& out) const {
    store_state(slot, out);
    History history = out.history;
    if constexpr (makes_bonds<Law>) { count_break(slot, history); }
    store_history<Law>(of.extra, of.n_extra, slot, history);
  }

  SCREE_INLINE void store_state(std::size_t slot, const Output& out) const {
    of.touching[slot] = 1;
    of.shear[slot] = out.shear;
    of.force[slot] = out.record();
    if constexpr (has_couple<Law>) { of.couple[slot] = out.couple; }
    if (out.is_too_deep()) { raise_fault(of.control, FaultKind::deep_overlap, of.bodies.id[of.pairs[slot].first]); }
  }

  // --- for laws with a stack

  SCREE_INLINE R* row(std::size_t slot) const { return &of.extra[slot * of.n_extra]; }

#if !SCREE_ON_CUDA
  SCREE_INLINE void prefetch_stack(std::size_t slot) const {
    __builtin_prefetch(&of.stack[slot]);
    __builtin_prefetch(reinterpret_cast<const char*>(&of.stack[slot]) + 64);
  }

  /// Does what evaluate() leaves to do with the stacks of a stretch of slots.
  [[nodiscard]] StackQueue<PairContacts> queue() const { return StackQueue<PairContacts>(*this); }

  /// Replaces what store_state() has stored in a slot.
  SCREE_INLINE void store_force(std::size_t slot, const Vec3<R>& force, const Vec3<R>& moment,
                                const Vec3<R>& shear) const {
    of.shear[slot] = shear;
    of.force[slot] = typename Geometry::Action{force, moment, of.force[slot].half_overlap()}.record();
  }
#endif

  /// Updates the segments below the record after evaluate(). Returns false if the answer is not valid, because the step
  /// needs more of the stack. Reads only the history and the parameters of the input.
  SCREE_INLINE bool finish(std::size_t slot, const Output& out, const Input& in) const {
    const R change = out.stack.change;
    if (Law::needs_more(change, params_in(in))) { return false; }
    if (Law::grows_by_one(change)) { hand_down(slot, Law::handed_down(in.history)); }
    return true;
  }
  SCREE_INLINE void hand_down(std::size_t slot, const JaegerSegment<R>& segment) const {
    if (segment.signed_end != 0) { DeepStack<R>(of.pool, of.stack[slot]).push(segment); }
  }

  SCREE_INLINE void defer(std::size_t slot) const { of.pool.defer(slot); }

  /// Evaluates a contact again from the start, with its whole stack.
  SCREE_HD void evaluate_whole(std::size_t slot) const {
    DeepStack<R> deep(of.pool, of.stack[slot]);
    store_answer(slot, evaluate_by(load(slot, look(slot)),
                                   [&](const ContactState<R>& contact, const Params& p, History& history) {
                                     return Law::evaluate_whole(contact, p, history, deep);
                                   }));
  }

  /// Whether the pair has this interaction.
  SCREE_INLINE bool is_mine(const BodyPair& pair) const {
    if constexpr (one_class) {
      return true;
    } else {
      return of.classes.has_one() ||
             of.classes.interaction_of(of.classes.pair_of(of.bodies, pair.first, pair.second)) == interaction;
    }
  }

  SCREE_INLINE const Params& params_in(const Input& in) const { return one_class ? shared_params : in.params; }

  SCREE_INLINE History history_of_slot(std::size_t slot) const { return load_history<Law>(of.extra, of.n_extra, slot); }

 private:
  /// Counts the bond of a slot if it was whole before the step and is broken in the new history.
  SCREE_INLINE void count_break(std::size_t slot, History& history) const {
    bool whole = false;
    history.each([&](int component, R& value) { whole = component == 0 ? value > R(0) : whole; });
    if (whole || !(of.extra[slot * of.n_extra] > R(0))) { return; }
    atomic_add(&of.broken[of.bodies.id[of.pairs[slot].first]], std::uint32_t(1));
    atomic_add(&of.broken[of.bodies.id[of.pairs[slot].second]], std::uint32_t(1));
  }
};

}  // namespace scree::inline SCREE_BACKEND
