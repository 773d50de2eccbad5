#pragma once

#include "kernels/laws/energies.hpp"

/// The numbers of a pair contact that go to the stage and come back from it. Those of the geometry come first, then
/// those of the law.
namespace scree::inline SCREE_BACKEND {

/// The input of evaluate() for a pair. With `own_params` it contains the parameters of the law; otherwise all pairs
/// share them.
template <class Geometry, class Law, bool own_params>
struct PairInput : Geometry::Input {
  using R = typename Geometry::Scalar;
  using History = HistoryOf<Law>;
  Vec3<R> shear;
  typename Law::Params params;
  History history;

  static constexpr int n_geometry = Geometry::Input::n_components;
  static constexpr int n_shear = last_components<Law> == 0 && has_stack<Law> ? 0 : 3;  // 0: the stack has the shear
  static constexpr int n_params = own_params ? Law::Params::n_components : 0;
  static constexpr int n_state = n_geometry + n_shear + n_params;
  static constexpr int first_of_entry = n_state + own_components<Law>;  ///< with a ledger
  static constexpr int n_components = n_state + components_in_lanes<Law>;
  /// All components except those of the look and the history.
  template <class Visit>
  SCREE_INLINE void each_state(Visit&& visit) {
    this->each_of_motion(visit);
    if constexpr (n_shear > 0) {
      visit(n_geometry, shear.x), visit(n_geometry + 1, shear.y), visit(n_geometry + 2, shear.z);
    }
    if constexpr (own_params) {
      params.each([&](int component, R& value) { visit(n_geometry + n_shear + component, value); });
    }
  }
  template <class Visit>
  SCREE_INLINE void each_history(Visit&& visit) {
    each_in_lanes<Law>(history, [&](int component, R& value) { visit(n_state + component, value); });
  }
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    this->each_of_look(visit);
    each_state(visit);
    each_history(visit);
  }
};

/// The part of a history that is moved to the stage number by number: all but the entry of the ledger.
template <class Law>
struct StagePart {
  using type = HistoryOf<Law>;
  SCREE_INLINE static type of(const HistoryOf<Law>& history) { return history; }
};
template <class Law>
requires keeps_ledger<Law>
struct StagePart<Law> {
  using type = decltype(HistoryOf<Law>::own);
  SCREE_INLINE static type of(const HistoryOf<Law>& history) { return history.own; }
};

/// Visits the components of a history in the lanes of the stage.
template <class Law, class Visit>
SCREE_INLINE void each_in_lanes(HistoryOf<Law>& history, Visit&& visit) {
  if constexpr (keeps_ledger<Law> && !has_stack<Law>) {
    history.own.each(visit);
    history.entry.template each_in_lanes<has_couple<Law>>(
        [&](int component, auto& value) { visit(own_components<Law> + component, value); });
  } else {
    history.each(visit);
  }
}

/// The values that the vector loop on the host computes for the energy ledger, see ContactLedger::add_lanes.
template <class R>
struct LedgerAddends {
  LedgerLoss<R> loss;
  R power = R(0);       ///< [W] of the viscous forces, with the velocities before the step
  R last_power = R(0);  ///< [W] of the viscous forces of the last step, with the velocities after it
  static constexpr int n_components = 5;
  template <class Visit>
  SCREE_INLINE void each(int first, Visit&& visit) {
    visit(first, loss.gained), visit(first + 1, loss.friction), visit(first + 2, loss.breakage);
    visit(first + 3, power), visit(first + 4, last_power);
  }
};

/// The output of evaluate() for a pair.
template <class Geometry, class Law>
struct PairOutput : Geometry::Action {
  using R = typename Geometry::Scalar;
  using History = HistoryOf<Law>;
  Vec3<R> shear, couple;
  History history;
  StackStep<R> stack;
  LedgerAddends<R> addends{};

  static constexpr int n_geometry = Geometry::Action::n_components;
  static constexpr int n_couple = has_couple<Law> ? 3 : 0, n_stack = has_stack<Law> ? StackStep<R>::n_components : 0;
  static constexpr int finish_component = n_geometry + 3 + n_couple;  ///< place of StackStep::change, with a stack
  static constexpr int n_state = finish_component + n_stack;
  static constexpr int first_of_entry = n_state + own_components<Law>;  ///< with a ledger
  static constexpr int last_of_record = keeps_ledger<Law> ? first_of_entry + LedgerEntry<R>::normal_component : -1;
  static constexpr int first_addend = n_state + components_in_lanes<Law>;
  static constexpr bool has_addends = !SCREE_ON_CUDA && keeps_ledger<Law>;
  static constexpr int n_components = first_addend + (has_addends ? LedgerAddends<R>::n_components : 0);
  template <class Visit>
  SCREE_INLINE void each_state(Visit&& visit) {
    constexpr int n = n_geometry;
    this->each_of_action(visit);
    visit(n, shear.x), visit(n + 1, shear.y), visit(n + 2, shear.z);
    if constexpr (has_couple<Law>) { visit(n + 3, couple.x), visit(n + 4, couple.y), visit(n + 5, couple.z); }
    if constexpr (has_stack<Law>) { stack.each(finish_component, visit); }
  }
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    each_state(visit);
    each_in_lanes<Law>(history, [&](int component, R& value) { visit(n_state + component, value); });
    if constexpr (has_addends) { addends.each(first_addend, visit); }
  }
};

}  // namespace scree::inline SCREE_BACKEND
