#pragma once

#include "kernels/step/pairs/pair_views.hpp"

/// Counts of bonds of spheres that break.
namespace scree::inline SCREE_BACKEND {

/// Counts the bond of a slot as broken if it was whole before the step and is broken in the new history.
template <class R, class AnyHistory>
SCREE_INLINE void count_break(const PairViews<R>& of, std::size_t slot, AnyHistory& history) {
  bool whole = false;
  history.each([&](int component, R& value) { whole = component == 0 ? value > R(0) : whole; });
  if (whole || !(of.extra[slot * of.n_extra] > R(0))) { return; }
  atomic_add(&of.broken[of.bodies.id[of.pairs[slot].first]], std::uint32_t(1));
  atomic_add(&of.broken[of.bodies.id[of.pairs[slot].second]], std::uint32_t(1));
}

}  // namespace scree::inline SCREE_BACKEND
