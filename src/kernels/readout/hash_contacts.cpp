#include "kernels/readout/readout.hpp"

#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Adds what a contact of these two remembers beyond the shear, without the values of the energy ledger, which change
/// no result.
template <class R>
void hash_row(const std::vector<R>& extra, const RowShape& shape, std::size_t row, std::uint64_t first,
              std::uint64_t second, UnorderedHash& sum) {
  for (std::size_t c = 0; c < shape.own_width; ++c) { sum.add({first, second, c, bits(extra[row * shape.width + c])}); }
}

template <class R>
void hash_pairs(RunState<R>& run, UnorderedHash& sum) {
  const auto position = run.bodies.position().to_vector();
  const auto id = run.bodies.id.to_vector();
  Pairs<R>& pairs = run.contacts.pairs;
  const auto pair = pairs.bodies.to_vector();
  const auto touching = pairs.touching.to_vector();
  const auto shear = pairs.shear.to_vector();
  const auto extra = pairs.rows.extra.to_vector();
  for (std::size_t slot = 0; slot < pair.size(); ++slot) {
    // A pair that lost a body to an outlet since its last evaluation is left out, because the next search forgets it.
    if (touching[slot] == 0 || is_parked(position[pair[slot].first]) || is_parked(position[pair[slot].second])) {
      continue;
    }
    const std::uint64_t first = id[pair[slot].first], second = id[pair[slot].second];
    sum.add({first, second, bits(shear[slot].x), bits(shear[slot].y), bits(shear[slot].z)});
    hash_row(extra, run.laws.row_shape(), slot, first, second, sum);
  }
}

template <class R>
void hash_boundary_contacts(RunState<R>& run, UnorderedHash& sum) {
  const auto position = run.bodies.position().to_vector();
  const auto id = run.bodies.id.to_vector();
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slot = run.contacts.near.slot.to_vector();
  const auto near_extra = run.contacts.near.rows.extra.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    if (is_parked(position[body[row]])) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (slot[k].touching == 0) { continue; }
      sum.add({id[body[row]], ~std::uint64_t(slot[k].feature), bits(slot[k].shear.x), bits(slot[k].shear.y),
               bits(slot[k].shear.z), bits(slot[k].normal.x), bits(slot[k].normal.y), bits(slot[k].normal.z)});
      hash_row(near_extra, run.laws.row_shape(), k, id[body[row]], ~std::uint64_t(slot[k].feature), sum);
    }
  }
}

template <class R>
void hash_bonds(RunState<R>& run, UnorderedHash& sum) {
  const auto made = run.contacts.bonds_made.to_vector();
  const auto broken = run.contacts.bonds_broken.to_vector();
  for (std::size_t i = 0; i < made.size(); ++i) { sum.add({i, made[i], broken[i]}); }
  run.bonds.hash(run, sum);
}

}  // namespace

template <class R>
void hash_contacts(RunState<R>& run, UnorderedHash& sum) {
  hash_bonds(run, sum);
  if (run.lists.rebuilds == 0) { return; }
  hash_pairs(run, sum);
  hash_boundary_contacts(run, sum);
  hash_stacks(run, sum);
  hash_nodes(run, sum);
}

template void hash_contacts(RunState<float>&, UnorderedHash&);
template void hash_contacts(RunState<double>&, UnorderedHash&);

}  // namespace scree::inline SCREE_BACKEND
