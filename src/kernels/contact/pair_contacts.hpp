#pragma once

#include "kernels/contact/stack_queue.hpp"
#include "kernels/history/deep_stack.hpp"
#include "kernels/laws/concept.hpp"
#include "kernels/state/bodies.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/control.hpp"
#include "kernels/state/pairs.hpp"

namespace scree::inline SCREE_BACKEND {

/// What the contacts of all pairs read and write, whatever their law.
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
  Span<std::uint32_t> law_of;  ///< [n_materials^2] index of the law; empty when there is only one
  std::uint32_t n_materials;
  R time_step;
  Control* control;
  R no_ratcheting;             ///< 1 or 0, see PairContacts
  Span<std::uint32_t> broken;  ///< [n_start] bonds that each body has lost, by id; where some law makes bonds
  CellPairs<R> cell{};
  SegmentPool<R> pool{};      ///< where some law has a stack
  Span<StackEnd<R>> stack{};  ///< [n_pairs] likewise
  R lean = R(0);              ///< [-] see leaning_sum
};

/// Contact force of each listed pair of spheres under one law: geometry, kinematics and law in one kernel, one thread
/// per pair. The branch vector and the difference of squares that gives the overlap are formed in double; everything
/// after them is R. Contact point in the middle of the overlap, arms l1 + l2 = l, so angular momentum is conserved.
/// With no_ratcheting the slip is that of two spheres that roll on their full radii, v_T (r1 + r2) / l - (r1 w1 + r2
/// w2) x n: closed cycles of pushing and rolling then leave no shear; along the normal nothing changes. It comes as a
/// factor, so that there is one kernel; 0 changes no bit. Raises deep_overlap when a centre lies inside the other
/// sphere. With one_material all spheres are of the same material, and the law's parameters need not be fetched pair by
/// pair.
template <class Law, class R, bool one_material>
struct PairContacts {
  using Scalar = R;
  using LawType = Law;
  static constexpr bool is_of_one_material = one_material;
  using History = HistoryOf<Law>;
  static constexpr int block_size = 128;
  static constexpr bool keeps_rows = has_stack<Law> && last_components<Law> == 0;
  static constexpr int row_width = HistoryOf<Law>::n_components;

  PairViews<R> of;
  Span<typename Law::Params> params;   ///< [n_materials^2], by material of the first and of the second body
  typename Law::Params shared_params;  ///< used with one_material
  std::uint32_t law;                   ///< index of this one

  /// What tells whether a pair is in contact, and comes first in an Input.
  struct Geometry {
    Vec3<R> branch;
    R radius1, radius2, square_gap;
    bool chosen;
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      each_of(*this, visit);
    }
    /// Of an Input, too, which has the same members: a struct within it would keep g++ from the vector loop.
    template <class T, class Visit>
    SCREE_INLINE static void each_of(T& of, Visit&& visit) {
      visit(0, of.branch.x), visit(1, of.branch.y), visit(2, of.branch.z);
      visit(3, of.radius1), visit(4, of.radius2), visit(5, of.square_gap);
    }
  };

  struct Input {
    Vec3<R> branch;
    R radius1, radius2, square_gap;
    Vec3<R> velocity, spin1, spin2, shear;
    R inverse_mass;
    typename Law::Params params;
    History history;

    static constexpr int n_shear = keeps_rows ? 0 : 3;  // a law with a stack knows it from there
    static constexpr int n_params = one_material ? 0 : Law::Params::n_components;
    static constexpr int n_state = 16 + n_shear + n_params;
    static constexpr int n_components = n_state + History::n_components;
    /// All but geometry and history.
    template <class Visit>
    SCREE_INLINE void each_state(Visit&& visit) {
      visit(6, velocity.x), visit(7, velocity.y), visit(8, velocity.z);
      visit(9, spin1.x), visit(10, spin1.y), visit(11, spin1.z);
      visit(12, spin2.x), visit(13, spin2.y), visit(14, spin2.z), visit(15, inverse_mass);
      if constexpr (n_shear > 0) { visit(16, shear.x), visit(17, shear.y), visit(18, shear.z); }
      if constexpr (!one_material) {
        params.each([&](int component, R& value) { visit(16 + n_shear + component, value); });
      }
    }
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      Geometry::each_of(*this, visit);
      each_state(visit);
      each_history(visit);
    }
    template <class Visit>
    SCREE_INLINE void each_history(Visit&& visit) {
      history.each([&](int component, R& value) { visit(n_state + component, value); });
    }
  };

  struct Output {
    Vec3<R> force, moment, shear;
    R half_overlap;
    Vec3<R> couple;
    History history;
    StackStep<R> stack;

    static constexpr int n_couple = has_couple<Law> ? 3 : 0, n_stack = has_stack<Law> ? StackStep<R>::n_components : 0;
    static constexpr int finish_component = 10 + n_couple;  ///< with a stack: what it means for that
    static constexpr int n_state = 10 + n_couple + n_stack;
    static constexpr int n_components = n_state + History::n_components;
    template <class Visit>
    SCREE_INLINE void each_state(Visit&& visit) {
      visit(0, force.x), visit(1, force.y), visit(2, force.z);
      visit(3, moment.x), visit(4, moment.y), visit(5, moment.z);
      visit(6, shear.x), visit(7, shear.y), visit(8, shear.z), visit(9, half_overlap);
      if constexpr (has_couple<Law>) { visit(10, couple.x), visit(11, couple.y), visit(12, couple.z); }
      if constexpr (has_stack<Law>) { stack.each(finish_component, visit); }
    }
    template <class Visit>
    SCREE_INLINE void each(Visit&& visit) {
      each_state(visit);
      history.each([&](int component, R& value) { visit(n_state + component, value); });
    }
  };

  SCREE_INLINE Geometry look(std::size_t slot) const {
    if constexpr (SCREE_IN_BATCHES) {
      if (of.control->halted != 0) { return {}; }
    }
    const BodyPair pair = of.pairs[slot];
    const Vec3d branch = of.cell.branch(slot, of.bodies.position[pair.first], of.bodies.position[pair.second]);
    const R radius1 = of.bodies.radius[pair.first], radius2 = of.bodies.radius[pair.second];
    const double reach = double(radius1) + double(radius2);
    const double square_gap = reach * reach - dot(branch, branch);
    bool chosen = dot(branch, branch) < reach * reach;
    if constexpr (holds_apart<Law>) {
      // Not when a body has been removed: whether the pair is still listed then depends on the Verlet distance.
      chosen = chosen || (of.touching[slot] != 0 && of.extra[slot * of.n_extra] != R(0) &&
                          !is_parked(of.bodies.position[pair.first]) && !is_parked(of.bodies.position[pair.second]));
    }
    return {convert<R>(branch), radius1, radius2, static_cast<R>(square_gap), chosen && is_mine(pair)};
  }

  SCREE_INLINE void prefetch([[maybe_unused]] std::size_t slot) const {
#if !SCREE_ON_CUDA
    // Past the end the slot is whatever lies there; a prefetch of a wrong address does no harm, but reading does.
    const BodyPair pair = of.pairs[slot < of.pairs.size ? slot : of.pairs.size - 1];
    const index_t later = math::max(pair.first, pair.second);  // the earlier one was met with the slots before
    __builtin_prefetch(&of.bodies.position[later]);
    __builtin_prefetch(&of.bodies.velocity[later]);
    __builtin_prefetch(&of.bodies.angular_velocity[later]);
#endif
  }

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
    History history{};
    history.each([&](int component, R&) { of.extra[history_place<Law>(slot, component, of.n_extra)] = R(0); });
  }

  SCREE_INLINE Input load(std::size_t slot, const Geometry& geometry) const {
    Input in = load_state(slot);
    in.branch = geometry.branch;
    in.radius1 = geometry.radius1, in.radius2 = geometry.radius2, in.square_gap = geometry.square_gap;
    in.history = history_of_slot(slot);
    return in;
  }

  /// Without the geometry, and without what the contact remembers where that comes in rows.
  SCREE_INLINE Input load_state(std::size_t slot) const {
    const auto [i, j] = of.pairs[slot];
    const BodyView<R>& bodies = of.bodies;
    return {{},
            R(0),
            R(0),
            R(0),
            bodies.velocity[j] - bodies.velocity[i],
            bodies.angular_velocity[i],
            bodies.angular_velocity[j],
            keeps_rows ? Vec3<R>{} : of.shear[slot],
            bodies.inverse_mass[i] + bodies.inverse_mass[j],
            params_of(i, j),
            {}};
  }

  SCREE_INLINE Output evaluate(const Input& in) const {
    return evaluate_by(in, [](const ContactState<R>& contact, const typename Law::Params& p, History& history) {
      return evaluate_law<Law>(contact, p, history);
    });
  }

  /// What `law(contact, params, history)` answers.
  template <class Answer>
  SCREE_INLINE Output evaluate_by(const Input& in, Answer&& answer) const {
    const R time_step = of.time_step;
    // With the mean flow, along the branch as it was; 0 where there is no cell.
    const Vec3<R> relative = in.velocity + of.cell.gradient * (in.branch - time_step * in.velocity);
    const Vec3<R> spin1 = in.spin1 + of.cell.spin, spin2 = in.spin2 + of.cell.spin;
    const R length = norm(in.branch);
    const R inverse_length = R(1) / math::max(length, R(1e-37));
    const Vec3<R> n = inverse_length * in.branch;
    const R reach = in.radius1 + in.radius2;
    const R overlap = in.square_gap / (reach + length);  // = reach - length without cancellation
    const R half_overlap = R(0.5) * overlap;

    const R shortened = (R(0.5) - R(0.5) * of.no_ratcheting) * overlap;
    const R stretch = R(1) + of.no_ratcheting * overlap * inverse_length;  // (r1 + r2) / l
    const Vec3<R> rolling = (in.radius1 - shortened) * spin1 + (in.radius2 - shortened) * spin2;
    const Vec3<R> velocity = stretch * relative - cross(rolling, n);
    const R along_normal = dot(n, velocity);
    const R normal_velocity = along_normal / stretch;  // what is stretched is the slip alone

    const Vec3<R> move = time_step * relative;
    const Vec3<R> branch_before = in.branch - move;
    // The difference of the two lengths without cancellation.
    const R retreat = dot(move, in.branch + branch_before) / math::max(length + norm(branch_before), R(1e-37));

    ContactState<R> contact;
    contact.n = n;
    contact.overlap = overlap;
    contact.overlap_before = overlap + retreat;
    contact.retreat = retreat;
    contact.normal_velocity = normal_velocity;
    contact.slip = velocity - along_normal * n;
    contact.velocity = stretch * relative;
    contact.rolling = rolling;
    // Where the branch was one step ago follows from the mid-step velocities: the old normal need not be stored.
    contact.spin = spin2 - spin1;
    contact.branch_before = branch_before;
    contact.total_spin = spin1 + spin2;
    contact.time_step = time_step;
    contact.lean = of.lean;
    contact.take_shear(in.shear);
    contact.radius1 = in.radius1;
    contact.radius2 = in.radius2;
    contact.effective_radius = in.radius1 * in.radius2 / reach;
    // Where both bodies are fixed there is no mass to damp.
    const R effective_mass = R(1) / math::max(in.inverse_mass, R(1e-37));
    contact.effective_mass = in.inverse_mass > R(0) ? effective_mass : R(0);

    History history = in.history;
    const LawResponse<R> response = answer(contact, one_material ? shared_params : in.params, history);
    const bool deep = overlap > math::min(in.radius1, in.radius2);
    return {response.normal * n + response.tangential,
            cross(response.tangential, n),
            response.shear,
            deep ? too_deep : half_overlap,
            response.couple,
            history,
            response.stack};
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
    history.each([&](int component, R& value) { of.extra[history_place<Law>(slot, component, of.n_extra)] = value; });
  }

  SCREE_INLINE void store_state(std::size_t slot, const Output& out) const {
    of.touching[slot] = 1;
    of.shear[slot] = out.shear;
    of.force[slot] = {Four<R>::of(out.force.x, out.force.y, out.force.z, out.half_overlap),
                      Four<R>::of(out.moment.x, out.moment.y, out.moment.z, R(0))};
    if constexpr (has_couple<Law>) { of.couple[slot] = out.couple; }
    if (out.half_overlap == too_deep) {
      raise_fault(of.control, FaultKind::deep_overlap, of.bodies.id[of.pairs[slot].first]);
    }
  }

  // --- of laws with a stack

  SCREE_INLINE R* row(std::size_t slot) const { return &of.extra[slot * of.n_extra]; }

#if !SCREE_ON_CUDA
  SCREE_INLINE void prefetch_stack(std::size_t slot) const {
    __builtin_prefetch(&of.stack[slot]);
    __builtin_prefetch(reinterpret_cast<const char*>(&of.stack[slot]) + 64);
  }

  /// What must be done with stacks besides evaluate(), for a stretch of slots.
  [[nodiscard]] StackQueue<PairContacts> queue() const { return StackQueue<PairContacts>(*this); }

  /// Instead of what store_state() has stored there.
  SCREE_INLINE void store_force(std::size_t slot, const Vec3<R>& force, const Vec3<R>& moment,
                                const Vec3<R>& shear) const {
    of.shear[slot] = shear;
    of.force[slot] = {Four<R>::of(force.x, force.y, force.z, of.force[slot].half_overlap()),
                      Four<R>::of(moment.x, moment.y, moment.z, R(0))};
  }
#endif

  /// Brings the segments in pages up to the answer of evaluate(). False where it is no use. Of the input only the
  /// history and the parameters count.
  SCREE_INLINE bool finish(std::size_t slot, const Output& out, const Input& in) const {
    const R change = out.stack.change;
    if (Law::needs_more(change, one_material ? shared_params : in.params)) { return false; }
    if (Law::grows_by_one(change)) { hand_down(slot, Law::handed_down(in.history)); }
    return true;
  }
  SCREE_INLINE void hand_down(std::size_t slot, const JaegerSegment<R>& segment) const {
    if (segment.signed_end != 0) { DeepStack<R>(of.pool, of.stack[slot]).push(segment); }
  }

  SCREE_INLINE void defer(std::size_t slot) const { of.pool.defer(slot); }

  /// By the whole stack, from the start.
  SCREE_HD void evaluate_whole(std::size_t slot) const {
    DeepStack<R> deep(of.pool, of.stack[slot]);
    store_answer(slot, evaluate_by(load(slot, look(slot)),
                                   [&](const ContactState<R>& contact, const typename Law::Params& p,
                                       History& history) { return Law::evaluate_whole(contact, p, history, deep); }));
  }

  /// Whether the pair has this law.
  SCREE_INLINE bool is_mine(const BodyPair& pair) const {
    if constexpr (one_material) {
      return true;
    } else {
      return of.law_of.size == 0 ||
             of.law_of[of.bodies.material[pair.first] * of.n_materials + of.bodies.material[pair.second]] == law;
    }
  }

  SCREE_INLINE History history_of_slot(std::size_t slot) const {
    History history;
    history.each([&](int component, R& value) { value = of.extra[history_place<Law>(slot, component, of.n_extra)]; });
    return history;
  }

 private:
  /// Stands for an overlap that is too deep: the state is not used any more after a fault.
  static constexpr R too_deep = R(-1e37);

  /// Counts the bond of a slot when the new history says that it has just broken.
  SCREE_INLINE void count_break(std::size_t slot, History& history) const {
    bool whole = false;
    history.each([&](int component, R& value) { whole = component == 0 ? value > R(0) : whole; });
    if (whole || !(of.extra[slot * of.n_extra] > R(0))) { return; }
    atomic_add(&of.broken[of.bodies.id[of.pairs[slot].first]], std::uint32_t(1));
    atomic_add(&of.broken[of.bodies.id[of.pairs[slot].second]], std::uint32_t(1));
  }

  SCREE_INLINE typename Law::Params params_of(index_t i, index_t j) const {
    if constexpr (one_material) {
      return {};
    } else {
      return params[of.bodies.material[i] * of.n_materials + of.bodies.material[j]];
    }
  }
};

/// On a GPU: the contacts that were deferred, one thread for each place in their list.
template <class Contacts>
struct DeferredContacts {
  Contacts contacts;
  SCREE_HD void operator()(std::size_t i) const {
    if (i < contacts.of.pool.counters->waiting) { contacts.evaluate_whole(contacts.of.pool.waiting[i]); }
  }
};
struct NoneDeferred {
  PoolCounters* counters;
  SCREE_HD void operator()(std::size_t) const { counters->waiting = 0; }
};

}  // namespace scree::inline SCREE_BACKEND
