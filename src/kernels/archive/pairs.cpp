#include <algorithm>
#include <numeric>

#include "kernels/archive/contact_arrays.hpp"
#include "kernels/archive/groups_of_arrays.hpp"
#include "kernels/archive/load_histories.hpp"
#include "kernels/grains/node_lists.hpp"
#include "kernels/run_state.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Calls visit(name, unit, buffer, columns) for the arrays of listed pairs beside their rows.
template <class R, class Visit>
void visit_pair_arrays(RunState<R>& run, Visit&& visit) {
  Pairs<R>& pairs = run.contacts.pairs;
  visit("pairs/shear", "N", pairs.shear, Columns{1, 1, 0});
  visit("pairs/force", "N", pairs.force, Columns{1, 1, 0});
  visit("pairs/image", "1", pairs.image, Columns{run.cell.any() ? 1u : 0u, 1, 0});
}

}  // namespace

template <class R>
void save_pairs(RunState<R>& run, StateWriter& out) {
  const std::size_t n_pairs = run.contacts.pairs.size();
  std::vector<std::size_t> slots;
  std::vector<std::array<index_t, 2>> ids;
  if (n_pairs > 0) {
    const auto id = run.bodies.id.to_vector();
    const auto pair = run.contacts.pairs.bodies.to_vector();
    const auto touching = run.contacts.pairs.touching.to_vector();
    for (std::size_t slot = 0; slot < n_pairs; ++slot) {
      if (touching[slot] != 0) { slots.push_back(slot); }
    }
    const auto ids_of = [&](std::size_t slot) {
      return std::array<index_t, 2>{id[pair[slot].first], id[pair[slot].second]};
    };
    std::sort(slots.begin(), slots.end(), [&](std::size_t a, std::size_t b) { return ids_of(a) < ids_of(b); });
    for (const std::size_t slot : slots) { ids.push_back(ids_of(slot)); }
  }
  out.rows(
      "pairs/ids", "1", ids.size(), [&](std::size_t k) -> const auto& { return ids[k]; });
  visit_pair_arrays(run, [&](const char* name, const char* unit, auto& buffer, const Columns& c) {
    save_columns(out, name, unit, buffer, slots, c);
  });
  save_rows(out, "pairs", "pair_segments", run.contacts.pairs.rows, run.laws.row_shape(), slots, run.contacts.stacks);
  save_nodes(out, "pair_nodes", run.grains, chosen_lists(run.contacts.pairs.rows, slots),
             run.laws.row_shape().ledger());
}

template <class R>
void restore_pairs(RunState<R>& run, StateReader& in, const std::vector<index_t>& place_of_id) {
  Pairs<R>& pairs = run.contacts.pairs;
  const std::size_t n_pairs = in.count("pairs/ids");
  std::vector<std::array<index_t, 2>> ids(n_pairs);
  in.rows(
      "pairs/ids", "", n_pairs, [&](std::size_t k) -> auto& { return ids[k]; });
  expect_state(n_pairs < no_index / 2, [&] {
    return broken_rule("the length of pairs/ids", "below " + std::to_string(no_index / 2), n_pairs);
  });
  for (std::size_t k = 0; k < n_pairs; ++k) {
    expect_state(ids[k][0] < ids[k][1], [&] {
      return broken_rule(StateEntry{"pairs/ids", "contact", k}.text(),
                         "two ids, the second one above " + std::to_string(ids[k][0]), ids[k][1]);
    });
    expect_state(k == 0 || ids[k - 1] < ids[k], [&] {
      const auto text = [](const auto& two) { return std::to_string(two[0]) + ", " + std::to_string(two[1]); };
      return StateEntry{"pairs/ids", "contact", k}.text() + " must be above those before it, " + text(ids[k - 1]) +
             ", got " + text(ids[k]);
    });
  }
  std::vector<BodyPair> pair(n_pairs);
  std::vector<offset_t> start(run.count.bodies + 1);
  for (std::size_t k = 0; k < n_pairs; ++k) {
    pair[k] = {place_of(place_of_id, ids[k][0], "pairs"), place_of(place_of_id, ids[k][1], "pairs")};
    ++start[pair[k].first + 1];
    ++start[pair[k].second + 1];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  // Pairs are sorted by the first id, then by the second, so each body meets the others in ascending order of id.
  std::vector<offset_t> end = start;
  std::vector<std::uint32_t> incident(2 * n_pairs);
  for (std::size_t k = 0; k < n_pairs; ++k) {
    incident[end[pair[k].first]++] = static_cast<std::uint32_t>(2 * k);
    incident[end[pair[k].second]++] = static_cast<std::uint32_t>(2 * k + 1);
  }
  pairs.bodies.assign(pair);
  pairs.incident_start.assign(start);
  pairs.incident.assign(incident);
  pairs.touching.assign(std::vector<std::uint8_t>(n_pairs, 1));
  pairs.lowest_slot.assign(std::vector<std::uint32_t>(run.count.bodies));
  pairs.chunk_start.assign(std::vector<offset_t>((run.count.bodies + chunk_bodies - 1) / chunk_bodies + 1));
  visit_pair_arrays(run, [&](const char* name, const char* unit, auto& buffer, const Columns& c) {
    restore_columns(in, name, unit, buffer, n_pairs, c);
  });
  for (const std::uint8_t image : pairs.image.to_vector()) {
    expect_state(image < n_images,
                 [&] { return broken_rule("pairs/image", "below " + std::to_string(n_images), std::uint64_t(image)); });
  }
  restore_rows(in, "pairs", "pair_segments", pairs.rows, run.laws.row_shape(), n_pairs, run.contacts.stacks, run.exec);
  const auto nodes = run.grains.nodes_of_bodies(run);
  pairs.rows.nodes.assign(
      restore_nodes(in, "pair_nodes", n_pairs, run.grains, run.step, false,
                    [&](std::size_t k, bool second) { return nodes[second ? pair[k].second : pair[k].first]; }));
  const auto touch_class = TouchTable::classes_of(run.bodies);
  expect_load_histories(run.contacts.stacks, pairs.rows, run.laws.row_shape(), "pair_segments", [&](std::size_t k) {
    return run.laws.of(touch_class[pair[k].first], touch_class[pair[k].second]).has_stack();
  });
}

template void save_pairs(RunState<float>&, StateWriter&);
template void save_pairs(RunState<double>&, StateWriter&);
template void restore_pairs(RunState<float>&, StateReader&, const std::vector<index_t>&);
template void restore_pairs(RunState<double>&, StateReader&, const std::vector<index_t>&);

}  // namespace scree::inline SCREE_BACKEND
