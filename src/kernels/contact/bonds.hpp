#pragma once

#include "kernels/contact/sphere_pair.hpp"

namespace scree::inline SCREE_BACKEND {

/// Bonds each listed pair of one law whose bodies are within the range of the law; one thread per pair. The overlap is
/// computed by the functions of SpherePair, so that the force of a fresh bond is exactly 0.
template <class Law, class R>
struct MakeBonds {
  PairViews<R> of;
  Span<typename Law::Params> params;
  std::uint32_t interaction;  ///< index of the interaction with this law
  Span<std::uint32_t> made;   ///< [n_start] number of bonds of each body that was there at the start, by id

  SCREE_HD void operator()(std::size_t slot) const {
    const auto [i, j] = of.pairs[slot];
    // Only bodies that were there at the start make bonds.
    if (of.bodies.id[i] >= made.size || of.bodies.id[j] >= made.size) { return; }
    const std::uint32_t classes = of.classes.pair_of(of.bodies, i, j);
    if (!of.classes.has_one() && of.classes.interaction_of(classes) != interaction) { return; }
    const Vec3d branch = of.cell.branch(slot, of.bodies.position[i], of.bodies.position[j]);
    const double reach = double(of.bodies.radius[i]) + double(of.bodies.radius[j]);
    // The tolerance admits bodies that touch except for rounding.
    const double limit = (1 + 1e-6) * reach * double(Law::range(params[classes]));
    if (dot(branch, branch) > limit * limit) { return; }
    const R overlap = SpherePair<R>::overlap_of(SpherePair<R>::look(of, slot, of.pairs[slot]));
    HistoryOf<Law> history{};
    Law::bond(history, overlap);
    store_history<Law>(of.extra, of.n_extra, slot, history);
    of.touching[slot] = 1;
    atomic_add(&made[of.bodies.id[i]], std::uint32_t(1));
    atomic_add(&made[of.bodies.id[j]], std::uint32_t(1));
  }
};

/// Marks each listed pair that has a whole bond and whose bodies are still in the run; one thread per pair.
template <class R>
struct WholeBond {
  PairViews<R> of;
  Span<std::uint8_t> whole;  ///< [n_pairs] 1: whole bond; 0: none

  SCREE_HD bool is_whole(std::size_t slot) const {
    const auto [i, j] = of.pairs[slot];
    const bool in_run = !is_parked(of.bodies.position[i]) && !is_parked(of.bodies.position[j]);
    const bool may_bond = of.classes.makes_bonds(of.classes.pair_of(of.bodies, i, j));
    return may_bond && of.touching[slot] != 0 && of.extra[slot * of.n_extra] > R(0) && in_run;
  }
  SCREE_HD void operator()(std::size_t slot) const { whole[slot] = is_whole(slot) ? 1 : 0; }
};

}  // namespace scree::inline SCREE_BACKEND
