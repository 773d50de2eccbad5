#include "kernels/math/disjoint_sets.hpp"
#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/pairs/bonds.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* fragments_label = "fragments";

struct BondedPair {
  index_t first, second;  ///< ids
};

/// Stores 1 for each listed pair with a whole bond, 0 for all others; one thread per pair.
template <class R>
struct CountBond {
  WholeBond<R> bond;
  Span<offset_t> count;  ///< [n_pairs + 1]
  SCREE_HD void operator()(std::size_t slot) const { count[slot] = bond.is_whole(slot) ? 1 : 0; }
};

/// Packs the pairs with a whole bond; one thread per pair.
template <class R>
struct PackBond {
  WholeBond<R> bond;
  Span<offset_t> start;
  Span<BondedPair> packed;
  SCREE_HD void operator()(std::size_t slot) const {
    if (start[slot + 1] == start[slot]) { return; }
    const auto [i, j] = bond.of.pairs[slot];
    packed[start[slot]] = {bond.of.bodies.id[i], bond.of.bodies.id[j]};
  }
};

/// All pairs of single spheres that a whole bond joins. Before the first search these are the pairs that a start has
/// brought.
template <class R>
std::vector<BondedPair> bonded_spheres(RunState<R>& run) {
  const std::size_t n = run.contacts.pairs.size();
  if (n == 0 || run.laws.bits.makes_bonds == 0) { return {}; }
  const WholeBond<R> bond{pair_views(run), {}};
  Buffer<offset_t> start;
  start.discard_and_resize(n + 1, "output");
  run.exec.for_each(fragments_label, n, CountBond<R>{bond, start.view()});
  Buffer<BondedPair> packed;
  packed.discard_and_resize(run.primitives.exclusive_scan_total(start, n), "output");
  run.exec.for_each(fragments_label, n, PackBond<R>{bond, start.view(), packed.view()});
  return packed.to_vector();
}

}  // namespace

template <class R>
std::vector<std::uint32_t> fragments(RunState<R>& run) {
  DisjointSets sets(run.count.ids());
  for (const BondedPair& pair : bonded_spheres(run)) { sets.unite(pair.first, pair.second); }
  for (const auto& [first, second] : run.bonds.bonded_pairs(run)) { sets.unite(first, second); }
  if (run.clumps.any()) {
    for (const SnapshotClump& clump : run.clumps.snapshot(run)) {
      for (std::uint32_t k = 1; k < clump.members; ++k) { sets.unite(clump.first, clump.first + k); }
    }
  }
  std::vector<std::uint32_t> result(run.count.ids());
  for (std::size_t id = 0; id < result.size(); ++id) { result[id] = sets.lowest(static_cast<index_t>(id)); }
  return result;
}

template std::vector<std::uint32_t> fragments(RunState<float>&);
template std::vector<std::uint32_t> fragments(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
