#pragma once

#include "kernels/laws/concept.hpp"
#include "kernels/laws/energies.hpp"

#if !SCREE_ON_CUDA

/// The numbers of a contact with a boundary that go to the stage and come back from it: see BoundaryLanes.
namespace scree::inline SCREE_BACKEND {

/// The values that a contact brings to the stage.
template <class Geometry, class Law>
struct BoundaryInput : Geometry::Input {
  using R = typename Geometry::Scalar;
  typename Law::Params params;
  HistoryOf<Law> history;

  static constexpr int n_geometry = Geometry::Input::n_components;
  static constexpr int n_state = n_geometry + Law::Params::n_components;
  static constexpr int n_components = n_state + own_components<Law> + (keeps_ledger<Law> ? 1 : 0);
  /// Visits the values that are known before the contact point is.
  template <class Visit>
  SCREE_INLINE void each_loaded(Visit&& visit) {
    this->each_of_motion(visit);
    params.each([&](int component, R& value) { visit(n_geometry + component, value); });
    const auto visit_history = [&](int component, R& value) { visit(n_state + component, value); };
    if constexpr (keeps_ledger<Law>) {  // of the last entry a law needs only the energy of the springs
      history.own.each(visit_history);
      visit(n_components - 1, history.entry.stored);
    } else {
      history.each(visit_history);
    }
  }
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    this->each_of_place(visit);
    each_loaded(visit);
  }
};

/// The values that come back from the stage.
template <class Geometry, class Law>
struct BoundaryOutput {
  using R = typename Geometry::Scalar;
  typename Geometry::Action effect;
  Vec3<R> shear, couple;
  R turned;  ///< see SphereOnFeature::Input
  LedgerLoss<R> loss;
  HistoryOf<Law> history;
  [[nodiscard]] SCREE_INLINE const typename Geometry::Action& action() const { return effect; }

  static constexpr int couple_component = Geometry::Action::n_components + 4;
  static constexpr int first_loss = Geometry::Action::n_components + 7;
  static constexpr int viscous_couple_component = first_loss + 4;
  static constexpr int n_fixed = first_loss + (keeps_ledger<Law> ? 7 : 0);
  static constexpr int first_of_entry = n_fixed + own_components<Law>;  ///< with a ledger
  static constexpr int n_components = n_fixed + HistoryOf<Law>::n_components;
  template <class Visit>
  SCREE_INLINE void each(Visit&& visit) {
    constexpr int n = Geometry::Action::n_components;
    effect.each(visit);
    visit(n, shear.x), visit(n + 1, shear.y), visit(n + 2, shear.z), visit(n + 3, turned);
    if constexpr (has_couple<Law>) { visit(n + 4, couple.x), visit(n + 5, couple.y), visit(n + 6, couple.z); }
    if constexpr (keeps_ledger<Law>) {
      visit(n + 7, loss.gained), visit(n + 8, loss.friction), visit(n + 9, loss.breakage);
      visit(n + 10, history.entry.normal);
      if constexpr (has_couple<Law>) {
        Vec3<R>& turning = history.entry.viscous_couple;
        visit(n + 11, turning.x), visit(n + 12, turning.y), visit(n + 13, turning.z);
      }
    }
    history.each([&](int component, R& value) { visit(n_fixed + component, value); });
  }
};

}  // namespace scree::inline SCREE_BACKEND

#endif
