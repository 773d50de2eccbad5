#include "kernels/readout/readout.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "kernels/math/real3.hpp"
#include "kernels/run_state.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Contacts of nodes as they lie in memory.
struct NodeSlots {
  struct Slot {
    std::uint32_t first, second;  ///< ids; at a boundary the first is a feature
    bool with_boundary;
    index_t body;  ///< place of the second in memory
  };
  std::vector<NodeList> list;
  std::vector<Slot> slot;
};

template <class R>
NodeSlots slots_of(RunState<R>& run) {
  NodeSlots all;
  const auto position = run.bodies.position().to_vector();
  const auto id = run.bodies.id.to_vector();
  const auto pair = run.contacts.pairs.bodies.to_vector();
  const auto of_pair = run.contacts.pairs.rows.nodes.to_vector();
  for (std::size_t k = 0; k < pair.size(); ++k) {
    const auto [i, j] = pair[k];
    if (of_pair[k].count == 0 || is_parked(position[i]) || is_parked(position[j])) { continue; }
    all.list.push_back(of_pair[k]);
    all.slot.push_back({id[i], id[j], false, j});
  }
  const auto body = run.contacts.near.body_of_row.to_vector();
  const auto start = run.contacts.near.row_start.to_vector();
  const auto slots = run.contacts.near.slot.to_vector();
  const auto of_slot = run.contacts.near.rows.nodes.to_vector();
  for (std::size_t row = 0; row < body.size(); ++row) {
    if (is_parked(position[body[row]])) { continue; }
    for (offset_t k = start[row]; k < start[row + 1]; ++k) {
      if (of_slot[k].count == 0) { continue; }
      all.list.push_back(of_slot[k]);
      all.slot.push_back({slots[k].feature, id[body[row]], true, body[row]});
    }
  }
  return all;
}

}  // namespace

template <class R>
std::vector<TouchingNode> touching_nodes(RunState<R>& run) {
  SCREE_EXPECT(run.forces_known, "contact forces are not known between a search and the next step");
  std::vector<TouchingNode> nodes;
  if (!run.grains.any() || run.lists.rebuilds == 0) { return nodes; }
  const NodeSlots all = slots_of(run);
  const std::vector<NodeRow<R>> rows = run.grains.rows_of(all.list);
  const std::vector<NodeLoad<R>> loads = run.grains.loads_of(all.list);
  const std::vector<PlaceBefore<R>> places = places_before(run);
  std::vector<std::size_t> start(all.list.size());
  for (std::size_t k = 1; k < start.size(); ++k) { start[k] = start[k - 1] + all.list[k - 1].count; }
  std::vector<std::size_t> order(all.list.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](const NodeSlots::Slot& s) {
      return std::tuple(s.with_boundary, s.with_boundary ? s.second : s.first, s.with_boundary ? s.first : s.second);
    };
    return key(all.slot[a]) < key(all.slot[b]);
  });
  for (const std::size_t k : order) {
    const NodeSlots::Slot& slot = all.slot[k];
    for (std::size_t i = start[k]; i < start[k] + all.list[k].count; ++i) {
      nodes.push_back({.first = slot.with_boundary ? run.boundary.features()[slot.first].boundary : slot.first,
                       .second = slot.second,
                       .with_boundary = slot.with_boundary,
                       .of_first = !slot.with_boundary && (rows[i].node & node_of_second) == 0,
                       .force = real3(convert<double>(loads[i].force)),
                       .normal = real3(convert<double>(rows[i].normal)),
                       .point = real3(places[slot.body].position + convert<double>(loads[i].arm)),
                       .overlap = double(rows[i].overlap)});
    }
  }
  return nodes;
}

template std::vector<TouchingNode> touching_nodes(RunState<float>&);
template std::vector<TouchingNode> touching_nodes(RunState<double>&);

template <class R>
NodeCounts node_counts_of(RunState<R>& run) {
  NodeCounts counts = run.grains.near_counts();
  for (const NodeList& list : run.contacts.pairs.rows.nodes.to_vector()) { counts.touching += list.count; }
  for (const NodeList& list : run.contacts.near.rows.nodes.to_vector()) { counts.touching += list.count; }
  return counts;
}

template NodeCounts node_counts_of(RunState<float>&);
template NodeCounts node_counts_of(RunState<double>&);

}  // namespace scree::inline SCREE_BACKEND
