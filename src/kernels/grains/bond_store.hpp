#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/state/node_bonds.hpp"
#include "kernels/state/state_hash.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
template <class R>
struct RunState;

/// The bonds between level-set grains. Empty in a run without a law that bonds nodes. Broken bonds stay in the list
/// until a checkpoint is restored; no result depends on them.
template <class R>
class BondStore {
 public:
  /// Makes bonds beside those that were restored, and counts the bonds of each body in ContactLists::bonds_made. To be
  /// called before the first step, when the pairs are listed.
  void make(RunState<R>& run);
  /// Finds the bonds of each pair, after the list of pairs has changed.
  void refresh(RunState<R>& run);
  [[nodiscard]] NodeBondViews<R> views(const RunState<R>& run);

  /// Number of whole bonds between bodies that are still in the run.
  [[nodiscard]] std::uint64_t whole(const RunState<R>& run) const { return in_run(run).size(); }
  /// Ids of the bodies that whole bonds join, lower id first; in ascending order, each pair once.
  [[nodiscard]] std::vector<std::array<index_t, 2>> bonded_pairs(const RunState<R>& run) const;
  void hash(const RunState<R>& run, UnorderedHash& sum) const;
  void save(const RunState<R>& run, StateWriter& out) const;
  /// To be called when the bodies are restored. Throws StateError.
  void restore(const RunState<R>& run, StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const { return bond_.bytes() + of_pair_.bytes(); }

 private:
  friend struct StateScrambler;  // names every member, see checkpoint_guard.test.cpp

  /// Copies of the whole bonds between bodies that are still in the run, in their order.
  [[nodiscard]] std::vector<NodeBond<R>> in_run(const RunState<R>& run) const;

  Buffer<NodeBond<R>> bond_;
  Buffer<BondRange> of_pair_;  ///< [n_pairs]
};

}  // namespace scree::inline SCREE_BACKEND
