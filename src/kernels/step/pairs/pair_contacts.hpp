#pragma once

#include "kernels/history/deep_stack.hpp"
#include "kernels/step/ledger/entry_lanes.hpp"
#include "kernels/step/pairs/broken_bonds.hpp"
#include "kernels/step/pairs/pair_lanes.hpp"
#include "kernels/step/pairs/pair_views.hpp"
#include "kernels/step/pairs/sphere_pair_lanes.hpp"
#include "kernels/step/pairs/stack_queue.hpp"

namespace scree::inline SCREE_BACKEND {

/// Computes the contact force of each listed pair that touches, for one geometry and one law, in one kernel; one thread
/// per pair. Raises deep_overlap if the geometry finds the overlap too deep. With one_class all bodies have the same
/// class of touch, so the parameters of the law need not be fetched pair by pair.
///
/// Exec::for_selected calls the functions look, load, evaluate and store, or must_reject and reject.
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
  static constexpr int block_size = 256;
  static constexpr bool keeps_rows = has_stack<Law> && last_components<Law> == 0;
  static constexpr int row_width = History::n_components;

  PairViews<R> of;
  Span<Params> params;        ///< by ordered pair of classes
  Params shared_params;       ///< used with one_class
  std::uint32_t interaction;  ///< index of this interaction

  SCREE_INLINE PairContacts at(const StepMoment<R>& moment) const {
    return {of.at(moment), params, shared_params, interaction};
  }

  SCREE_INLINE Look look(std::size_t slot) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (of.control->halted != 0) { return {}; }
    }
    const BodyPair pair = of.pairs[slot];
    Look look = Geometry::look(of, slot, pair);
    if constexpr (holds_apart<Law>) { look.chosen = look.chosen || (of.touching[slot] != 0 && is_held(slot, pair)); }
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
    if constexpr (keeps_ledger<Law>) { end_in_ledger(slot); }
    of.touching[slot] = 0;
    of.shear[slot] = {};
    of.force[slot] = PairForce<R>{};
    if constexpr (has_couple<Law>) { of.couple[slot] = {}; }
    if constexpr (has_stack<Law>) { give_back(of.pool, of.stack[slot]); }
    store_history<Law>(of.extra, of.n_extra, slot, History{});
    if constexpr (keeps_ledger<Law> && has_couple<Law>) { of.ledger.rest.viscous_couple[slot] = {}; }
  }

#if !SCREE_ON_CUDA
  static constexpr bool looks_in_lanes = true;
  static constexpr bool packs_lanes = !has_stack<Law>;

  /// Does look(), must_reject() and reject() for several slots at once.
  template <int n_in>
  SCREE_INLINE std::size_t look_in_lanes(std::size_t first, std::size_t last, std::uint32_t* item,
                                         R (&in)[n_in][stage_lanes<R>]) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (of.control->halted != 0) { return 0; }
    }
    const std::size_t n = last - first;
    const LaneBits touching = bits_of_bytes(of.touching.data + first, n);
    const LaneBits mine = bits_of_mine(first, n);
    prefetch_rows(first + stage_lanes<R>, n);
    const LaneBits chosen = PairLooks<R>::pack(of, first, n, bits_of_held(first, touching), mine, item, in);
    for (LaneBits left = touching & mine & ~chosen; left != 0; left &= left - 1) {
      reject(first + static_cast<std::size_t>(std::countr_zero(left)));
    }
    if constexpr (packs_lanes) {
      for (LaneBits left = chosen & ~touching; left != 0; left &= left - 1) {
        of.touching[first + static_cast<std::size_t>(std::countr_zero(left))] = 1;
      }
    }
    return static_cast<std::size_t>(std::popcount(chosen));
  }

  /// Moves the packed slots to the stage: all components except those of the look.
  template <int n_in>
  SCREE_INLINE void load_lanes(std::size_t first, const std::uint32_t* item, std::size_t count,
                               R (&in)[n_in][stage_lanes<R>]) const {
    for (std::size_t lane = 0; lane < count; lane += 4) {
      BodyPair pair[4];
      for (std::size_t k = 0; k < 4; ++k) { pair[k] = of.pairs[first + item[lane + k < count ? lane + k : count - 1]]; }
      load_motion_lanes<6>(of.bodies, pair, lane, in);
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t slot = first + item[lane];
      const Vec3<R>& shear = of.shear[slot];
      constexpr int n = Input::n_geometry;
      in[n][lane] = shear.x, in[n + 1][lane] = shear.y, in[n + 2][lane] = shear.z;
      if constexpr (!one_class) {
        Params own = params[of.classes.pair_of(of.bodies, of.pairs[slot].first, of.pairs[slot].second)];
        own.each([&](int component, R& value) { in[n + 3 + component][lane] = value; });
      }
      HistoryOfStage history = StagePart<Law>::of(history_of_slot(slot));
      history.each([&](int component, R& value) { in[Input::n_state + component][lane] = value; });
    }
    if constexpr (keeps_ledger<Law>) {
      load_entry_lanes([&](std::size_t lane) { return ledger_place().row(first + item[lane]); }, count,
                       &in[Input::first_of_entry]);
      if constexpr (has_couple<Law>) {
        for (std::size_t lane = 0; lane < count; ++lane) {
          const Vec3<R>& couple = of.ledger.rest.viscous_couple[first + item[lane]];
          constexpr int n = Input::first_of_entry + LedgerEntry<R>::couple_component;
          in[n][lane] = couple.x, in[n + 1][lane] = couple.y, in[n + 2][lane] = couple.z;
        }
      }
    }
  }

  template <int n_out>
  SCREE_INLINE void store_lanes(std::size_t first, const std::uint32_t* item, std::size_t count,
                                const R (&out)[n_out][stage_lanes<R>]) const {
    if constexpr (keeps_ledger<Law>) {
      if (of.ledger.on()) { add_to_ledger(first, item, count, out); }
    }
    PairForce<R> nowhere;
    for (std::size_t quad = 0; quad < count; quad += 4) {
      PairForce<R>* to[4];
      for (std::size_t k = 0; k < 4; ++k) { to[k] = quad + k < count ? &of.force[first + item[quad + k]] : &nowhere; }
      store_action_lanes<Output::last_of_record>(out, quad, to);
    }
    for (std::size_t lane = 0; lane < count; ++lane) { store_lane(first + item[lane], lane, out); }
    if constexpr (keeps_ledger<Law>) {
      store_entry_lanes([&](std::size_t lane) { return ledger_place().row(first + item[lane]); }, count,
                        &out[Output::first_of_entry]);
      if (of.ledger.rest.viscous_couple.size > 0) {
        for (std::size_t lane = 0; lane < count; ++lane) { store_viscous_couple(first + item[lane], lane, out); }
      }
    }
  }
#endif

  SCREE_INLINE Input load(std::size_t slot, const Look& look) const {
    Input in = load_state(slot);
    static_cast<Look&>(in) = look;
    in.history = history_of_slot(slot);
    return in;
  }

  /// The input without the look and the history. If histories are moved as rows, the shear is left out, too.
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
    Output out{Geometry::action_of(contact, response), response.shear, response.couple, history, response.stack};
    if constexpr (Output::has_addends) {
      const LedgerPair<R> pair{in.velocity, in.spin1, in.spin2, in.radius1, in.radius2};
      const Vec3<R> spin = in.spin2 - in.spin1;
      constexpr bool turns = has_couple<Law>;
      out.addends = {history.loss, history.entry.template power<turns>(pair.velocity_at(history.entry), spin),
                     in.history.entry.template power<turns>(pair.velocity_at(in.history.entry), spin)};
    }
    return out;
  }

  SCREE_INLINE void store(std::size_t slot, const Output& out) const {
    if constexpr (has_stack<Law> && !keeps_rows) {  // the energy ledger wants the whole stack
      evaluate_whole(slot);
    } else {
      store_answer(slot, out);
    }
  }

  SCREE_INLINE void store_answer(std::size_t slot, const Output& out) const {
    if constexpr (keeps_ledger<Law>) {
      if (of.touching[slot] != 0) { end_in_ledger(slot); }
      of.ledger.add_first_half_of_pair(slot, of.bodies, of.pairs[slot], out.history.entry, out.history.loss,
                                       out.record());
    }
    store_state(slot, out);
    History history = out.history;
    if constexpr (makes_bonds<Law>) { count_break(of, slot, history); }
    store_history<Law>(of.extra, of.n_extra, slot, history);
    if constexpr (keeps_ledger<Law>) { LedgerPlace<R>::put_rest(of.ledger.rest, slot, history.entry); }
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

  /// Does the work on the stacks of several slots that evaluate() leaves over.
  [[nodiscard]] StackQueue<PairContacts> queue() const { return StackQueue<PairContacts>(*this); }

  /// Replaces the values that store_state() has stored in a slot.
  SCREE_INLINE void store_force(std::size_t slot, const Vec3<R>& force, const Vec3<R>& moment,
                                const Vec3<R>& shear) const {
    of.shear[slot] = shear;
    of.force[slot] = typename Geometry::Action{force, moment, of.force[slot].half_overlap()}.record();
  }
#endif

  /// Updates the segments below the record after evaluate(). Returns false if the answer is not valid because the step
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

  SCREE_INLINE History history_of_slot(std::size_t slot) const {
    History history = load_history<Law>(of.extra, of.n_extra, slot);
    if constexpr (keeps_ledger<Law> && has_couple<Law>) {
      const Span<Vec3<R>> couples = of.ledger.rest.viscous_couple;  // empty unless some reader needs energies
      history.entry.viscous_couple = couples.size > 0 ? couples[slot] : Vec3<R>{R(0), R(0), R(0)};
    }
    return history;
  }

 private:
#if !SCREE_ON_CUDA
  /// A hint to the processor: the histories of these slots will soon be read and written.
  SCREE_INLINE void prefetch_rows(std::size_t first, std::size_t n) const {
    if constexpr (History::n_components > 0) {
      const auto* const rows = reinterpret_cast<const char*>(of.extra.data + first * of.n_extra);
      for (std::size_t byte = 0; byte < n * of.n_extra * sizeof(R); byte += 64) { __builtin_prefetch(rows + byte, 1); }
    }
    if constexpr (has_couple<Law>) {
      for (std::size_t k = 0; k < n; k += 2) { __builtin_prefetch(of.couple.data + first + k, 1); }
    }
  }

  SCREE_INLINE LaneBits bits_of_mine(std::size_t first, std::size_t n) const {
    LaneBits bits = first_bits(n);
    if (one_class || of.classes.has_one()) { return bits; }
    bits = 0;
    for (std::size_t i = 0; i < n; ++i) { bits |= LaneBits(is_mine(of.pairs[first + i]) ? 1 : 0) << i; }
    return bits;
  }

  /// The bits of touching slots whose contact lasts although the bodies may be apart.
  SCREE_INLINE LaneBits bits_of_held([[maybe_unused]] std::size_t first, [[maybe_unused]] LaneBits touching) const {
    LaneBits held = 0;
    if constexpr (holds_apart<Law>) {
      for (LaneBits left = touching; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        if (is_held(first + i, of.pairs[first + i])) { held |= LaneBits(1) << i; }
      }
    }
    return held;
  }

  using HistoryOfStage = typename StagePart<Law>::type;

  template <int n_out>
  SCREE_INLINE void store_viscous_couple(std::size_t slot, std::size_t lane,
                                         const R (&out)[n_out][stage_lanes<R>]) const {
    Vec3<R>& couple = of.ledger.rest.viscous_couple[slot];
    if constexpr (has_couple<Law>) {
      constexpr int n = Output::first_of_entry + LedgerEntry<R>::couple_component;
      couple = {out[n][lane], out[n + 1][lane], out[n + 2][lane]};
    } else {
      couple = {R(0), R(0), R(0)};
    }
  }

  /// Adds the packed pairs to the ledger. Their records and entries still belong to the last step.
  template <int n_out>
  SCREE_INLINE void add_to_ledger(std::size_t first, const std::uint32_t* item, std::size_t count,
                                  const R (&out)[n_out][stage_lanes<R>]) const {
    if (!of.ledger.flows(false)) {
      if (of.ledger.losses.size > 0) {
        for (std::size_t lane = 0; lane < count; ++lane) {
          const R friction = out[Output::first_addend + 1][lane], breakage = out[Output::first_addend + 2][lane];
          of.ledger.losses[first + item[lane]] = friction + breakage;
          of.ledger.powers[first + item[lane]] = out[Output::first_addend + 3][lane];
        }
      }
      return of.ledger.add_lanes(&out[Output::first_addend], count);
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
      const std::size_t slot = first + item[lane];
      Output own{};  // without couples the stage does not have them
      own.each([&](int component, R& value) { value = out[component][lane]; });
      end_in_ledger(slot);
      of.ledger.add_first_half_of_pair(slot, of.bodies, of.pairs[slot], own.history.entry, own.addends.loss,
                                       own.record());
    }
  }

  template <int n_out>
  SCREE_INLINE void store_lane(std::size_t slot, std::size_t lane, const R (&out)[n_out][stage_lanes<R>]) const {
    constexpr int n = Output::n_geometry;
    of.shear[slot] = {out[n][lane], out[n + 1][lane], out[n + 2][lane]};
    if constexpr (has_couple<Law>) { of.couple[slot] = {out[n + 3][lane], out[n + 4][lane], out[n + 5][lane]}; }
    HistoryOfStage history;
    history.each([&](int component, R& value) { value = out[Output::n_state + component][lane]; });
    if constexpr (makes_bonds<Law>) { count_break(of, slot, history); }
    history.each([&](int component, R& value) { of.extra[slot * of.n_extra + std::size_t(component)] = value; });
    if (Geometry::is_too_deep(out[n - 1][lane])) {
      raise_fault(of.control, FaultKind::deep_overlap, of.bodies.id[of.pairs[slot].first]);
    }
  }
#endif

  SCREE_INLINE LedgerPlace<R> ledger_place() const { return {of.extra, of.n_extra, of.ledger.rest}; }

  /// Adds the second half of the work of the last step.
  SCREE_INLINE void end_in_ledger(std::size_t slot) const {
    of.ledger.add_second_half_of_pair(slot, of.bodies, of.pairs[slot], ledger_place().entry(slot), of.force[slot]);
  }

  /// Whether a contact that touched in the last step lasts although the bodies may be apart. A pair with a removed body
  /// is not held, because its presence in the list depends on the Verlet distance.
  SCREE_INLINE bool is_held(std::size_t slot, const BodyPair& pair) const {
    return of.extra[slot * of.n_extra] != R(0) && !is_parked(of.bodies.position[pair.first]) &&
           !is_parked(of.bodies.position[pair.second]);
  }
};

}  // namespace scree::inline SCREE_BACKEND
