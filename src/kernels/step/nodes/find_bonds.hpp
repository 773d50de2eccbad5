#pragma once

#include "kernels/step/nodes/bonded_nodes.hpp"
#include "kernels/step/pairs/bond_rules.hpp"
#include "kernels/step/pairs/pair_views.hpp"

/// Makes the bonds of nodes, and finds the bonds of a pair.
namespace scree::inline SCREE_BACKEND {

/// Finds the nodes that are near enough for bonds; one thread per pair. It runs twice: first it counts them, then it
/// makes their bonds.
template <class R, class Law>
struct FindNodeBonds {
  static constexpr int block_size = 64;

  PairViews<R> of;
  Span<typename Law::Params> params;
  std::uint32_t interaction;
  BondMaking making;  ///< only bodies that were there at the start make bonds
  FoundBonds<R> found;

  SCREE_HD void operator()(std::size_t slot) const {
    const auto [i, j] = of.pairs[slot];
    const GrainViews<R>& grains = of.nodes->grains;
    const std::uint32_t classes = of.classes.pair_of(of.bodies, i, j);
    if (of.classes.interaction_of(classes) != interaction || making.rules[classes].at_start == 0 ||
        of.bodies.id[i] >= making.n_start || of.bodies.id[j] >= making.n_start || grains.grain_of(i) == no_grain ||
        grains.grain_of(j) == no_grain) {
      return;
    }
    const NodePasses<R> passes = NodePasses<R>::of(of, slot);
    const double gap = double(Law::gap(params[classes]));
    const double reach = double(of.bodies.radius[i]) + double(of.bodies.radius[j]) + gap;
    if (!(dot(passes.branch, passes.branch) <= reach * reach)) { return; }
    std::uint32_t n = 0;
    for (std::uint32_t p = 0; p < passes.count; ++p) {
      const std::uint32_t s = passes.slave_of(p);
      const NodeBody<R>&slave = passes.body[s], &master = passes.body[1 - s];
      const Vec3d between = s == 1 ? passes.branch : -passes.branch;
      DisplacementCell<R> cell(grains.modes, *master.form, master.amplitude, 1 / master.size);
      for (std::uint32_t k = 0; k < slave.form->n_nodes; ++k) {
        NodeBond<R> bond{};
        if (!find(grains, slave, master, between, k, gap / master.size, cell, bond)) { continue; }
        if (found.bond.size > 0) {
          bond.first = of.bodies.id[i], bond.second = of.bodies.id[j];
          bond.node = k | (s == 1 ? node_of_second : 0u);
          bond.strength = static_cast<R>(strength_of(bond, making.rules[classes], making.seed));
          found.bond[found.start[slot] + n] = bond;
        }
        ++n;
      }
    }
    found.count[slot] = n;
  }

 private:
  SCREE_HD bool find(const GrainViews<R>& grains, const NodeBody<R>& slave, const NodeBody<R>& master,
                     const Vec3d& between, std::uint32_t k, double gap, DisplacementCell<R>& cell,
                     NodeBond<R>& bond) const {
    const Vec3d place = bonded_place(grains, slave, master, between, k);
    FieldSample<R> at{};
    const bool inside = master.deforms() ? sample_deformed(grains, *master.form, cell, place, at)
                                         : grains.sample(*master.form, place, at);
    if (!inside || double(at.distance) > gap) { return false; }
    const Vec3d gradient = convert<double>(at.gradient);
    const double square = math::max(dot(gradient, gradient), 1e-30);
    Vec3d surface = place - (double(at.distance) / square) * gradient;
    if (master.deforms()) { surface = undeformed_place(cell, surface, master.form->spacing, grains.modes.remap); }
    bond.point = convert<R>(surface);
    bond.normal = convert<R>((1 / math::sqrt(square)) * gradient);
    bond.place = place - displacement_of(grains, master, bond.point);
    bond.overlap = math::max(-at.distance, R(0));
    bond.whole = 1;
    return true;
  }
};

/// Finds the bonds that belong to a pair; one thread per pair.
template <class R>
struct FindBondsOfPair {
  PairViews<R> of;
  NodeBondViews<R> bonds;

  SCREE_HD void operator()(std::size_t slot) const {
    const BodyPair pair = of.pairs[slot];
    const index_t first = of.bodies.id[pair.first], second = of.bodies.id[pair.second];
    const std::uint32_t begin = first_from(first, second, 0);
    std::uint32_t end = begin;
    if (begin < bonds.bond.size && bonds.bond[begin].first == first && bonds.bond[begin].second == second) {
      end = first_from(first, second + 1, begin);
    }
    bonds.of_pair[slot] = {begin, end};
  }

 private:
  /// Index of the first bond, from `low` on, that belongs to the pair with these two ids or to a later pair.
  SCREE_HD std::uint32_t first_from(index_t first, index_t second, std::uint32_t low) const {
    auto high = static_cast<std::uint32_t>(bonds.bond.size);
    while (low < high) {
      const std::uint32_t middle = low + (high - low) / 2;
      const NodeBond<R>& bond = bonds.bond[middle];
      if (bond.first < first || (bond.first == first && bond.second < second)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
};

}  // namespace scree::inline SCREE_BACKEND
