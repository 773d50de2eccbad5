#pragma once

#include <set>
#include <vector>

#include "../engine/engine_kit.hpp"
#include "kernels/factory.hpp"
#include "kernels/system.hpp"

/// Shared parts of the tests of kernels. They are compiled once per backend, like the kernels, and are in the same
/// namespace.
namespace scree::inline SCREE_BACKEND {

/// Gives tests access to the members of a System.
struct SystemProbe {
  template <class R>
  static Bodies<R>& bodies(System<R>& system) {
    return system.run().bodies;
  }
  template <class R>
  static Pairs<R>& pairs(System<R>& system) {
    return system.run().contacts.pairs;
  }
  template <class R>
  static BoundaryList<R>& near_boundary(System<R>& system) {
    return system.run().contacts.near;
  }
  template <class R>
  static StackStore<R>& stacks(System<R>& system) {
    return system.run().contacts.stacks;
  }
  template <class R>
  static Exec& exec(System<R>& system) {
    return system.run().exec;
  }
  template <class R>
  static ColumnGrid grid(const System<R>& system) {
    return system.search_.grid();
  }
};

/// Copy of a view of backend memory.
template <class T>
std::vector<T> copy_of(const Span<T>& view) {
  std::vector<T> values(view.size);
  if (view.size > 0) { copy_from_backend(values.data(), view.data, view.size * sizeof(T)); }
  return values;
}

/// Pairs of ids that touch, from the lists of a System.
template <class R>
std::set<IdPair> touching_pairs(System<R>& system) {
  const auto pairs = SystemProbe::pairs(system).bodies.to_vector();
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  const auto id = SystemProbe::bodies(system).id.to_vector();
  std::set<IdPair> result;
  for (std::size_t slot = 0; slot < pairs.size(); ++slot) {
    if (touching[slot] != 0) { result.insert({id[pairs[slot].first], id[pairs[slot].second]}); }
  }
  return result;
}

}  // namespace scree::inline SCREE_BACKEND
