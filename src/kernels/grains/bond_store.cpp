#include "kernels/grains/bond_store.hpp"

#include <algorithm>
#include <initializer_list>
#include <tuple>

#include "kernels/archive/state_io.hpp"
#include "kernels/run_state.hpp"
#include "kernels/step/nodes/find_bonds.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

template <class R>
auto key_of(const NodeBond<R>& bond) {
  return std::tuple(bond.first, bond.second, bond.node);
}

/// [n_ids] whether a body is in the run.
template <class R>
std::vector<bool> bodies_in_run(const RunState<R>& run) {
  std::vector<bool> result(run.count.ids());
  const auto position = run.bodies.position().to_vector();
  const auto id = run.bodies.id.to_vector();
  for (std::size_t i = 0; i < id.size(); ++i) {
    if (!is_parked(position[i])) { result.at(id[i]) = true; }
  }
  return result;
}

}  // namespace

template <class R>
NodeBondViews<R> BondStore<R>::views(const RunState<R>& run) {
  return {bond_.view(), of_pair_.view(), run.scene.interaction_range};
}

template <class R>
void BondStore<R>::make(RunState<R>& run) {
  const std::size_t n = run.contacts.pairs.size();
  Buffer<std::uint32_t> count, start;
  count.discard_and_resize(n, "bonds");
  start.discard_and_resize(n, "bonds");
  count.zero();
  const auto find = [&](Span<NodeBond<R>> found) {
    for (const auto& law : run.laws.laws) {
      law->find_node_bonds(run.exec, n, pair_views(run), bond_making(run), {count.view(), start.view(), found});
    }
  };
  find({});
  std::uint64_t sum = 0;
  std::vector<std::uint32_t> first;
  for (const std::uint32_t of_pair : count.to_vector()) {
    first.push_back(static_cast<std::uint32_t>(sum));
    sum += of_pair;
  }
  std::vector<NodeBond<R>> bonds = bond_.to_vector();
  SCREE_EXPECT(sum + bonds.size() < BondCursor<R>::none, "a run has fewer than 2^32 bonds");
  if (sum + bonds.size() == 0) { return; }
  if (sum > 0) {
    start.assign(first, "bonds");
    Buffer<NodeBond<R>> found;
    found.discard_and_resize(sum, "bonds");
    find(found.view());
    const std::vector<NodeBond<R>> fresh = found.to_vector();
    bonds.insert(bonds.end(), fresh.begin(), fresh.end());
  }
  std::sort(bonds.begin(), bonds.end(), [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
  std::vector<std::uint32_t> made = run.contacts.bonds_made.to_vector();
  for (const NodeBond<R>& bond : bonds) {
    ++made.at(bond.first);
    ++made.at(bond.second);
  }
  run.contacts.bonds_made.assign(made, "bonds");
  bond_.assign(bonds, "bonds");
}

template <class R>
void BondStore<R>::refresh(RunState<R>& run) {
  if (bond_.size() == 0) { return; }
  of_pair_.discard_and_resize(run.contacts.pairs.size(), "bonds");
  run.exec.for_each("find bonds", run.contacts.pairs.size(), FindBondsOfPair<R>{pair_views(run), views(run)});
}

template <class R>
std::vector<NodeBond<R>> BondStore<R>::in_run(const RunState<R>& run) const {
  if (bond_.size() == 0) { return {}; }
  std::vector<NodeBond<R>> bonds = bond_.to_vector();
  const std::vector<bool> is_here = bodies_in_run(run);
  std::erase_if(
      bonds, [&](const auto& bond) { return bond.whole == 0 || !is_here.at(bond.first) || !is_here.at(bond.second); });
  return bonds;
}

template <class R>
std::vector<std::array<index_t, 2>> BondStore<R>::bonded_pairs(const RunState<R>& run) const {
  std::vector<std::array<index_t, 2>> pairs;
  for (const NodeBond<R>& bond : in_run(run)) {
    const std::array<index_t, 2> pair{bond.first, bond.second};
    if (pairs.empty() || pairs.back() != pair) { pairs.push_back(pair); }
  }
  return pairs;
}

template <class R>
void BondStore<R>::hash(const RunState<R>& run, UnorderedHash& sum) const {
  constexpr std::uint64_t mark = std::uint64_t(1) << 61;  // distinguishes bonds from the other numbers of a contact
  for (const NodeBond<R>& bond : in_run(run)) {
    sum.add(std::initializer_list<std::uint64_t>{
        // nvcc loses the braces in a template
        bond.first, bond.second, mark + bond.node, bits(bond.place.x), bits(bond.place.y), bits(bond.place.z),
        bits(bond.point.x), bits(bond.point.y), bits(bond.point.z), bits(bond.normal.x), bits(bond.normal.y),
        bits(bond.normal.z), bits(bond.overlap)});
  }
}

template <class R>
void BondStore<R>::save(const RunState<R>& run, StateWriter& out) const {
  if (!run.laws.bonds_nodes) { return; }
  const std::vector<NodeBond<R>> bonds = in_run(run);
  const auto save = [&](const char* name, const char* unit, auto member) {
    out.rows(
        name, unit, bonds.size(), [&](std::size_t k) -> const auto& { return bonds[k].*member; });
  };
  save("node_bonds/first", "1", &NodeBond<R>::first);
  save("node_bonds/second", "1", &NodeBond<R>::second);
  save("node_bonds/node", "1", &NodeBond<R>::node);
  save("node_bonds/place", "m", &NodeBond<R>::place);
  save("node_bonds/point", "m", &NodeBond<R>::point);
  save("node_bonds/normal", "1", &NodeBond<R>::normal);
  save("node_bonds/overlap", "m", &NodeBond<R>::overlap);
}

template <class R>
void BondStore<R>::restore(const RunState<R>& run, StateReader& in) {
  bond_.assign({}, "bonds");
  if (!run.laws.bonds_nodes) { return; }
  std::vector<NodeBond<R>> bonds(in.count("node_bonds/node"));
  const auto restore = [&](const char* name, auto member) {
    in.rows(
        name, "", bonds.size(), [&](std::size_t k) -> auto& { return bonds[k].*member; });
  };
  restore("node_bonds/first", &NodeBond<R>::first);
  restore("node_bonds/second", &NodeBond<R>::second);
  restore("node_bonds/node", &NodeBond<R>::node);
  restore("node_bonds/place", &NodeBond<R>::place);
  restore("node_bonds/point", &NodeBond<R>::point);
  restore("node_bonds/normal", &NodeBond<R>::normal);
  restore("node_bonds/overlap", &NodeBond<R>::overlap);
  const std::vector<std::uint32_t> nodes = run.grains.nodes_of_bodies(run);
  const auto id = run.bodies.id.to_vector();
  const auto material = run.bodies.material.to_vector();
  std::vector<std::uint32_t> nodes_of_id(run.count.ids()), material_of_id(run.count.ids());
  for (std::size_t i = 0; i < id.size(); ++i) {
    nodes_of_id.at(id[i]) = nodes[i];
    material_of_id.at(id[i]) = material[i];
  }
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    NodeBond<R>& bond = bonds[k];
    expect_state(bond.first < bond.second && bond.second < run.count.start, [&] {
      return broken_rule(StateEntry{"node_bonds/second", "bond", k}.text(),
                         "above node_bonds/first, " + std::to_string(bond.first) + ", and below " +
                             std::to_string(run.count.start) + ", the number of particles at the start",
                         bond.second);
    });
    const index_t slave = (bond.node & node_of_second) != 0 ? bond.second : bond.first;
    const index_t master = slave == bond.first ? bond.second : bond.first;
    expect_state((bond.node & ~node_of_second) < nodes_of_id[slave] && nodes_of_id[master] > 0, [&] {
      return broken_rule(StateEntry{"node_bonds/node", "bond", k}.text(),
                         "below " + std::to_string(nodes_of_id[slave]) + ", the number of nodes of a grain",
                         std::uint64_t(bond.node & ~node_of_second));
    });
    expect_state(k == 0 || key_of(bonds[k - 1]) < key_of(bond), [&] {
      return "node_bonds must be in ascending order of their ids and nodes, but bond " + std::to_string(k) + " is not";
    });
    bond.whole = 1;
    const BondRule rule = bond_rule_of(run.scene, material_of_id[bond.first], material_of_id[bond.second]);
    bond.strength = static_cast<R>(strength_of(bond, rule, run.scene.seed));
  }
  bond_.assign(bonds, "bonds");
}

template class BondStore<float>;
template class BondStore<double>;

}  // namespace scree::inline SCREE_BACKEND
