#include "kernels/readout/readout.hpp"

#include "kernels/backend/lane_sums.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Adds the histories of contacts beyond the shear to the hash: the numbers of their laws, and load histories. The
/// values of the energy ledger are left out, since they change no result.
template <class R>
struct HashRow {
  Span<R> extra;
  std::uint32_t width, own_width;
  Span<StackEnd<R>> stack;  ///< empty if no law has load histories
  SegmentPool<R> pool;

  SCREE_HD void operator()(std::size_t row, std::uint64_t first, std::uint64_t second, UnorderedHash& sum) const {
    for (std::size_t c = 0; c < own_width; ++c) { sum.add({first, second, c, bits(extra[row * width + c])}); }
    if (stack.size > 0) { add_stack(stack[row], first, second, sum); }
  }

 private:
  /// Adds segments from the uppermost one down. They are numbered from the lowest one up.
  SCREE_HD void add_stack(const StackEnd<R>& end, std::uint64_t first, std::uint64_t second, UnorderedHash& sum) const {
    constexpr std::uint64_t mark = std::uint64_t(1)
                                   << 61;  // distinguishes segments from the other numbers of a contact
    std::uint32_t n = end.count;
    for (std::uint32_t k = end.held; k-- > 0;) {
      const auto& held = end.segment[k];
      sum.add({first, second, mark + --n, bits(held.end), bits(held.slope[0]), bits(held.slope[1])});
    }
    for (std::uint32_t at = end.page; n > 0;) {
      const SegmentPage<R>& page = pool.page(at);
      const std::uint32_t lowest = (n - 1) / rows_per_page * rows_per_page;
      while (n > lowest) {
        const JaegerSegment<R>& segment = page.row[--n - lowest];
        sum.add({first, second, mark + n, bits(segment.signed_end), bits(segment.kept_slope.x),
                 bits(segment.kept_slope.y)});
      }
      if (n > 0) { at = pool.below[at]; }
    }
  }
};

/// The nodes at which contacts of level-set grains touch.
template <class R>
struct HashNodes {
  Span<NodeList> list;  ///< empty if there are no level-set grains
  NodePool<R> pool;

  SCREE_HD void operator()(std::size_t row, std::uint64_t first, std::uint64_t second, UnorderedHash& sum) const {
    if (list.size == 0) { return; }
    constexpr std::uint64_t mark = std::uint64_t(1) << 60;  // distinguishes nodes from the other numbers of a contact
    for (NodeCursor<R> at(pool, list[row]); !at.at_end(); at.advance()) {
      const NodeRow<R>& r = at.row();
      sum.add({first, second, mark + r.node, bits(r.shear.x), bits(r.shear.y), bits(r.shear.z), bits(r.normal.x),
               bits(r.normal.y), bits(r.normal.z), bits(r.extra[0]), bits(r.extra[1]), bits(r.extra[2]),
               0});  // without the stored energy: the ledger changes no result
    }
  }
};

/// Adds a touching pair to the hash. A pair that lost a body to an outlet since its last evaluation is left out,
/// because the next search drops it.
template <class R>
struct HashPair {
  BodyView<R> bodies;
  Span<BodyPair> pair;
  Span<std::uint8_t> touching;
  Span<Vec3<R>> shear;
  HashRow<R> rows;
  HashNodes<R> nodes;

  SCREE_HD void operator()(std::size_t slot, UnorderedHash& sum) const {
    const bool at_nodes = nodes.list.size > 0 && nodes.list[slot].count > 0;
    if (touching[slot] == 0 && !at_nodes) { return; }
    const auto [i, j] = pair[slot];
    if (is_parked(bodies.position[i]) || is_parked(bodies.position[j])) { return; }
    const std::uint64_t first = bodies.id[i], second = bodies.id[j];
    nodes(slot, first, second, sum);
    if (touching[slot] == 0) { return; }
    sum.add({first, second, bits(shear[slot].x), bits(shear[slot].y), bits(shear[slot].z)});
    rows(slot, first, second, sum);
  }
};

/// Adds the contacts of a row of a body near boundaries to the hash.
template <class R>
struct HashBoundaryRow {
  BodyView<R> bodies;
  Span<index_t> body_of_row;
  Span<offset_t> row_start;
  Span<BoundarySlot<R>> slots;
  HashRow<R> rows;
  HashNodes<R> nodes;

  SCREE_HD void operator()(std::size_t row, UnorderedHash& sum) const {
    const index_t body = body_of_row[row];
    if (is_parked(bodies.position[body])) { return; }
    const std::uint64_t id = bodies.id[body];
    for (offset_t k = row_start[row]; k < row_start[row + 1]; ++k) {
      const BoundarySlot<R>& s = slots[k];
      const std::uint64_t feature = ~std::uint64_t(s.feature);
      nodes(k, id, feature, sum);
      if (s.touching == 0) { continue; }
      sum.add({id, feature, bits(s.shear.x), bits(s.shear.y), bits(s.shear.z), bits(s.normal.x), bits(s.normal.y),
               bits(s.normal.z)});
      rows(k, id, feature, sum);
    }
  }
};

/// Adds the numbers of bonds of a body that may have some.
struct HashBonds {
  Span<std::uint32_t> made, broken;
  SCREE_HD void operator()(std::size_t id, UnorderedHash& sum) const { sum.add({id, made[id], broken[id]}); }
};

}  // namespace

template <class R>
void hash_contacts(RunState<R>& run, UnorderedHash& sum) {
  ContactLists<R>& contacts = run.contacts;
  const std::size_t bonds = contacts.bonds_made.size(), n_pairs = contacts.pairs.size();
  run.bonds.hash(run, sum);
  SumLanes<UnorderedHash> sums;
  sums.clear(run.exec, bonds + n_pairs);
  sums.add(run.exec, "hash", bonds, HashBonds{contacts.bonds_made.view(), contacts.bonds_broken.view()});
  if (run.lists.rebuilds > 0) {
    const BodyView<R> bodies = view(run.bodies);
    const RowShape& shape = run.laws.row_shape();
    const SegmentPool<R> segments = contacts.stacks.any() ? contacts.stacks.view() : SegmentPool<R>{};
    const NodePool<R> pool = run.grains.any() ? run.grains.pool_of(run) : NodePool<R>{};
    const auto rows = [&](ContactRows<R>& of) {
      return HashRow<R>{of.extra.view(), shape.width, shape.own_width, of.stack.view(), segments};
    };
    const auto nodes = [&](ContactRows<R>& of) {
      return HashNodes<R>{run.grains.any() ? of.nodes.view() : Span<NodeList>{}, pool};
    };
    Pairs<R>& pairs = contacts.pairs;
    sums.add(run.exec, "hash", n_pairs,
             HashPair<R>{bodies, pairs.bodies.view(), pairs.touching.view(), pairs.shear.view(), rows(pairs.rows),
                         nodes(pairs.rows)});
    BoundaryList<R>& near = contacts.near;
    sums.add(run.exec, "hash", near.body_of_row.size(),
             HashBoundaryRow<R>{bodies, near.body_of_row.view(), near.row_start.view(), near.slot.view(),
                                rows(near.rows), nodes(near.rows)});
  }
  sum.add(sums.total(run.exec, "hash"));
}

template void hash_contacts(RunState<float>&, UnorderedHash&);
template void hash_contacts(RunState<double>&, UnorderedHash&);

}  // namespace scree::inline SCREE_BACKEND
