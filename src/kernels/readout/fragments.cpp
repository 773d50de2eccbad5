#include <numeric>

#include "kernels/contact/bonds.hpp"
#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

constexpr const char* fragments_label = "fragments";

struct BondedPair {
  index_t first, second;  ///< ids
};

/// Counts the whole bond of each listed pair; one thread per pair.
template <class R>
struct CountBond {
  WholeBond<R> bond;
  Span<offset_t> count;  ///< [n_pairs + 1]
  SCREE_HD void operator()(std::size_t slot) const { count[slot] = bond.is_whole(slot) ? 1 : 0; }
};

/// Packs the pairs that have one.
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

/// Single spheres that bonds join.
template <class R>
std::vector<BondedPair> bonded_spheres(RunState<R>& run) {
  const std::size_t n = run.contacts.pairs.size();
  if (run.lists.rebuilds == 0 || n == 0 || run.laws.bits.makes_bonds == 0) { return {}; }
  const WholeBond<R> bond{pair_views(run), {}};
  Buffer<offset_t> start;
  start.discard_and_resize(n + 1, "output");
  run.exec.for_each(fragments_label, n, CountBond<R>{bond, start.view()});
  Buffer<BondedPair> packed;
  packed.discard_and_resize(run.primitives.exclusive_scan_total(start, n), "output");
  run.exec.for_each(fragments_label, n, PackBond<R>{bond, start.view(), packed.view()});
  return packed.to_vector();
}

/// Sets that grow together. The lowest member stands for a set, so it does not matter in which order they are joined.
class Sets {
 public:
  explicit Sets(std::size_t n) : above_(n) { std::iota(above_.begin(), above_.end(), index_t(0)); }

  index_t lowest(index_t i) {
    while (above_[i] != i) { i = above_[i] = above_[above_[i]]; }
    return i;
  }
  void join(index_t i, index_t j) {
    const index_t a = lowest(i), b = lowest(j);
    above_[a < b ? b : a] = a < b ? a : b;
  }

 private:
  std::vector<index_t> above_;
};

}  // namespace

template <class R>
std::vector<std::uint32_t> fragments(RunState<R>& run) {
  Sets sets(run.count.ids());
  for (const BondedPair& pair : bonded_spheres(run)) { sets.join(pair.first, pair.second); }
  for (const auto& [first, second] : run.bonds.bonded_pairs(run)) { sets.join(first, second); }
  if (run.clumps.any()) {
    for (const SnapshotClump& clump : run.clumps.snapshot(run)) {
      for (std::uint32_t k = 1; k < clump.members; ++k) { sets.join(clump.first, clump.first + k); }
    }
  }
  std::vector<std::uint32_t> result(run.count.ids());
  for (std::size_t id = 0; id < result.size(); ++id) { result[id] = sets.lowest(static_cast<index_t>(id)); }
  return result;
}

template std::vector<std::uint32_t> fragments(RunState<float>&);
template std::vector<std::uint32_t> fragments(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
