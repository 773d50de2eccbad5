#pragma once

#include "kernels/laws/concept.hpp"

/// The numbers of a pair contact that go to the stage and come back from it: first those of the geometry, then those of
/// the law.
namespace scree::inline SCREE_BACKEND {

/// All that evaluate() needs of a pair. With `own_params` the parameters of the law are a part of it; otherwise all
/// pairs share them.
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
  static constexpr int n_components = n_state + History::n_components;
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
    history.each([&](int component, R& value) { visit(n_state + component, value); });
  }
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    this->each_of_look(visit);
    each_state(visit);
    each_history(visit);
  }
};

/// All that evaluate() returns for a pair.
template <class Geometry, class Law>
struct PairOutput : Geometry::Action {
  using R = typename Geometry::Scalar;
  using History = HistoryOf<Law>;
  Vec3<R> shear, couple;
  History history;
  StackStep<R> stack;

  static constexpr int n_geometry = Geometry::Action::n_components;
  static constexpr int n_couple = has_couple<Law> ? 3 : 0, n_stack = has_stack<Law> ? StackStep<R>::n_components : 0;
  static constexpr int finish_component = n_geometry + 3 + n_couple;  ///< place of StackStep::change, with a stack
  static constexpr int n_state = finish_component + n_stack;
  static constexpr int n_components = n_state + History::n_components;
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
    history.each([&](int component, R& value) { visit(n_state + component, value); });
  }
};

}  // namespace scree::inline SCREE_BACKEND
