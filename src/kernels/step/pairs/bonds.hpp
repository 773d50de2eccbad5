#pragma once

#include "kernels/state/step_moment.hpp"
#include "kernels/step/pairs/bond_rules.hpp"
#include "kernels/step/pairs/sphere_pair.hpp"

namespace scree::inline SCREE_BACKEND {

/// Makes the bonds of one law: it bonds each listed pair whose bodies are within the range of the law. One thread per
/// pair. The overlap is computed by the functions of SpherePair, so that the force of a fresh bond is exactly 0. A pair
/// that already has a bond, or remembers a broken one, is left out. With `later`, which runs in a step, such bonds come
/// from this run; without, they come from the run from which this one started.
template <class Law, class R, bool later>
struct MakeBonds {
  PairViews<R> of;
  Span<typename Law::Params> params;
  std::uint32_t interaction;  ///< index of the interaction with this law
  Span<std::uint32_t> made;   ///< [n_ids] number of bonds of each body that may have bonds, by id
  BondMaking making;
  double now = 0;  ///< [s]

  SCREE_INLINE MakeBonds at(const StepMoment<R>& moment) const {
    return {of.at(moment), params, interaction, made, making, moment.begins};
  }

  SCREE_HD void operator()(std::size_t slot) const {
    if constexpr (later && SCREE_IN_BATCHES) {
      if (of.control->halted != 0) { return; }
    }
    const auto [i, j] = of.pairs[slot];
    const index_t first = of.bodies.id[i], second = of.bodies.id[j];
    const std::uint32_t classes = of.classes.pair_of(of.bodies, i, j);
    if (!of.classes.has_one() && of.classes.interaction_of(classes) != interaction) { return; }
    const BondRule& rule = making.rules[classes];
    const R state = of.extra[slot * of.n_extra];
    if constexpr (later) {
      if (state != R(0) || is_parked(of.bodies.position[i]) || is_parked(of.bodies.position[j])) { return; }
    } else if (of.touching[slot] != 0 && state != R(0)) {
      if (state > R(0)) { count(first, second); }
      return;
    }
    const bool at_start = !later && rule.at_start != 0 && first < making.n_start && second < making.n_start;
    if (!(now < rule.until || at_start)) { return; }
    const Vec3d branch = of.cell.branch(slot, of.bodies.position[i], of.bodies.position[j]);
    const double reach = double(of.bodies.radius[i]) + double(of.bodies.radius[j]);
    // The tolerance admits bodies that touch except for rounding.
    const double limit = (1 + 1e-6) * reach * double(Law::range(params[classes]));
    if (dot(branch, branch) > limit * limit) { return; }
    const R overlap = SpherePair<R>::overlap_of(SpherePair<R>::look(of, slot, of.pairs[slot]));
    HistoryOf<Law> history{};
    Law::bond(history, overlap, static_cast<R>(BondStrength::of(rule, making.seed, first, second, 0)));
    store_history<Law>(of.extra, of.n_extra, slot, history);
    of.touching[slot] = 1;
    count(first, second);
  }

 private:
  SCREE_HD void count(index_t first, index_t second) const {
    atomic_add(&made[first], std::uint32_t(1));
    atomic_add(&made[second], std::uint32_t(1));
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
