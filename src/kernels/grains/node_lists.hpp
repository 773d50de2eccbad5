#pragma once

#include <string>
#include <vector>

#include "kernels/archive/state_io.hpp"
#include "kernels/grains/grain_store.hpp"

/// Contacts of nodes in checkpoints. Their content is saved, not the places of their pages.
namespace scree::inline SCREE_BACKEND {

/// Saves the arrays of a group: the number of nodes of each contact, in the order of the group's other arrays, and the
/// histories of all nodes, contact after contact. `ledger` adds the energies of the ledger.
template <class R>
void save_nodes(StateWriter& out, const std::string& group, const GrainStore<R>& store,
                const std::vector<NodeList>& lists, bool ledger) {
  if (!store.any()) { return; }
  const std::vector<NodeRow<R>> rows = store.rows_of(lists);
  out.rows(
      group + "/count", "1", lists.size(), [&](std::size_t k) -> const auto& { return lists[k].count; });
  const auto save = [&](const char* name, const char* unit, auto member) {
    out.rows(
        group + name, unit, rows.size(), [&](std::size_t k) -> const auto& { return rows[k].*member; });
  };
  save("/node", "1", &NodeRow<R>::node);
  save("/shear", "N", &NodeRow<R>::shear);
  save("/normal", "1", &NodeRow<R>::normal);
  save("/overlap", "m", &NodeRow<R>::overlap);
  out.rows(
      group + "/history", "of the law", rows.size(), [&](std::size_t k) -> const auto& { return rows[k].extra[0]; },
      node_history);
  if (ledger) { save("/stored_energy", "J", &NodeRow<R>::stored); }
}

/// Restores the nodes of `n` contacts, [n]. `nodes_of(k, second)` is the number of nodes of the first or second body of
/// contact k. `edges`: they are contacts with boundaries, whose edges may have points. Energies of a ledger are zero
/// where they are missing. Throws StateError.
template <class R, class NodesOf>
[[nodiscard]] std::vector<NodeList> restore_nodes(StateReader& in, const std::string& group, std::size_t n,
                                                  GrainStore<R>& store, std::uint64_t step, bool edges,
                                                  NodesOf&& nodes_of) {
  if (!store.any()) { return {}; }
  std::vector<std::uint32_t> counts(n);
  in.rows(
      group + "/count", "", n, [&](std::size_t k) -> auto& { return counts[k]; });
  std::vector<NodeRow<R>> rows(in.count((group + "/node").c_str()));
  const auto restore = [&](const char* name, auto member) {
    in.rows(
        group + name, "", rows.size(), [&](std::size_t k) -> auto& { return rows[k].*member; });
  };
  restore("/node", &NodeRow<R>::node);
  restore("/shear", &NodeRow<R>::shear);
  restore("/normal", &NodeRow<R>::normal);
  restore("/overlap", &NodeRow<R>::overlap);
  in.rows(
      group + "/history", "", rows.size(), [&](std::size_t k) -> auto& { return rows[k].extra[0]; }, node_history);
  if (in.has(group + "/stored_energy")) { restore("/stored_energy", &NodeRow<R>::stored); }
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts) { sum += count; }
  expect_state(sum == rows.size(), [&] {
    return broken_rule("the sum of " + group + "/count",
                       std::to_string(rows.size()) + ", the length of " + group + "/node", sum);
  });
  std::size_t at = 0;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::uint32_t i = 0; i < counts[k]; ++i, ++at) {
      const std::uint32_t node = rows[at].node;
      const bool on_edge = (node & node_on_edge) != 0 && edges;
      const std::uint32_t end = nodes_of(k, (node & node_of_second) != 0);
      expect_state(on_edge || (node & ~node_of_second) < end, [&] {
        return broken_rule(group + "/node of contact " + std::to_string(k),
                           "below " + std::to_string(end) + ", the number of nodes of the grain",
                           std::uint64_t(node & ~node_of_second));
      });
      expect_state(i == 0 || node > rows[at - 1].node, [&] {
        return broken_rule(group + "/node of contact " + std::to_string(k),
                           "above " + std::to_string(rows[at - 1].node) + ", the node before it", node);
      });
    }
  }
  // The next step writes the other side.
  return store.put_rows(counts, rows, static_cast<std::uint32_t>((step + 1) % 2));
}

}  // namespace scree::inline SCREE_BACKEND
