#include "kernels/readout/readout.hpp"
#include "kernels/run_state.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
void hash_nodes(RunState<R>& run, UnorderedHash& sum) {
  if (!run.grains.any() || run.lists.rebuilds == 0) { return; }
  constexpr std::uint64_t mark = std::uint64_t(1) << 60;  // distinguishes nodes from the other numbers of a contact
  const auto position = run.bodies.position.to_vector();
  const auto id = run.bodies.id.to_vector();
  std::vector<NodeList> lists;
  std::vector<std::array<std::uint64_t, 2>> of;
  const auto pair = run.contacts.pairs.bodies.to_vector();
  const auto of_pair = run.contacts.pairs.rows.nodes.to_vector();
  for (std::size_t slot = 0; slot < pair.size(); ++slot) {
    const auto [i, j] = pair[slot];
    if (is_parked(position[i]) || is_parked(position[j])) { continue; }
    lists.push_back(of_pair[slot]);
    of.push_back({id[i], id[j]});
  }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slots = run.contacts.near.slot.to_vector();
  const auto of_slot = run.contacts.near.rows.nodes.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    if (is_parked(position[body[row]])) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      lists.push_back(of_slot[k]);
      of.push_back({id[body[row]], ~std::uint64_t(slots[k].feature)});
    }
  }
  const std::vector<NodeRow<R>> rows = run.grains.rows_of(lists);
  std::size_t at = 0;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    for (std::uint32_t i = 0; i < lists[k].count; ++i, ++at) {
      const NodeRow<R>& r = rows[at];
      sum.add({of[k][0], of[k][1], mark + r.node, bits(r.shear.x), bits(r.shear.y), bits(r.shear.z), bits(r.normal.x),
               bits(r.normal.y), bits(r.normal.z), bits(r.extra[0]), bits(r.extra[1]), bits(r.extra[2]),
               bits(r.extra[3])});
    }
  }
}

template void hash_nodes(RunState<float>&, UnorderedHash&);
template void hash_nodes(RunState<double>&, UnorderedHash&);

}  // namespace scree::inline SCREE_BACKEND
