#pragma once

#include <cstdint>
#include <vector>

#include "kernels/state/grains.hpp"
#include "scree/engine.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

template <class R>
class ModeStore;
template <class R>
struct RunState;
template <class R>
struct PairViews;
template <class R>
struct BoundaryContactViews;

/// The level-set shapes of a run and the contacts of their nodes. Empty in a run without such grains.
template <class R>
class GrainStore {
 public:
  /// Copies the shapes of a scene and their modes to the backend. Throws ContractError if the arrays of a shape are not
  /// sound.
  void set_shapes(const Scene& scene, ModeStore<R>& modes);
  [[nodiscard]] bool any() const { return form_.size() > 0; }

  /// The data of nodes for kernels of contacts; null without grains.
  [[nodiscard]] const NodeViews<R>* views() { return any() ? views_.data() : nullptr; }
  /// The present grains of a run, for kernels that do not need to know which body is which grain.
  [[nodiscard]] GrainViews<R> grains_of(RunState<R>& run) { return views_of(run).grains; }
  /// The nodes that touch, for readouts between two batches.
  [[nodiscard]] NodePool<R> pool_of(RunState<R>& run) { return views_of(run).pool; }
  /// To be called when lists of contacts or bodies have moved in memory.
  void refresh(RunState<R>& run);
  /// Finds the nodes that touch in this step. If the driver waits, as in the first step of a batch, the pool grows
  /// until there is room for them; else a pool that is too small halts the batch.
  void find(RunState<R>& run, bool driver_waits);

  /// Copies of the rows of some lists, one list after the other.
  [[nodiscard]] std::vector<NodeRow<R>> rows_of(const std::vector<NodeList>& lists) const;
  /// Copies of the loads of the same rows in the last step. Throws ContractError if the run does not keep loads.
  [[nodiscard]] std::vector<NodeLoad<R>> loads_of(const std::vector<NodeList>& lists) const;
  /// Writes rows to one side of the pool, behind the rows that were written since forget(). `counts` is the number of
  /// rows of each list. Returns the lists.
  [[nodiscard]] std::vector<NodeList> put_rows(const std::vector<std::uint32_t>& counts,
                                               const std::vector<NodeRow<R>>& rows, std::uint32_t side);
  /// Clears all rows.
  void forget() { pages_put_ = 0; }
  /// [n_bodies] The number of nodes of each body, by its position in memory; 0 for spheres. A removed body counts as
  /// the grain with most nodes: its grain is no longer known, while contacts of the last step still have its nodes.
  [[nodiscard]] std::vector<std::uint32_t> nodes_of_bodies(const RunState<R>& run) const;
  /// Near nodes and searches for them; `touching` is not counted here.
  [[nodiscard]] NodeCounts near_counts() const;
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  friend struct StateScrambler;  // names every member, see checkpoint_guard.test.cpp

  void launch(RunState<R>& run);
  template <class Field>
  void launch_searches(RunState<R>& run, const PairViews<R>& pairs, const BoundaryContactViews<R>& near);
  void reserve_pages(std::uint64_t pages, bool with_references);
  void forget_near_nodes();
  /// Calls take(side, place) for each row of the lists.
  template <class Take>
  void each_row(const std::vector<NodeList>& lists, Take&& take) const;
  [[nodiscard]] NodeViews<R> views_of(RunState<R>& run);

  Buffer<GrainForm<R>> form_;
  Buffer<Four<float>> value_;
  Buffer<GrainNode<R>> node_;
  Buffer<NodeBall<R>> ball_;
  Buffer<float> bound_;
  Buffer<std::uint32_t> grain_of_shape_;
  std::vector<std::uint32_t> nodes_of_grain_;  ///< [n_grain_shapes]
  std::uint64_t pages_put_ = 0;
  std::uint32_t two_pass_ = 0, by_area_ = 1;
  bool keeps_loads_ = false;
  bool remaps_ = true;  ///< FieldUpdate::remap

  Buffer<NodeRow<R>> row_[2];
  Buffer<NodeLoad<R>> load_;
  Buffer<Vec3<R>> reference_;
  Buffer<std::uint32_t> next_[2];
  Buffer<std::uint64_t> taken_;  ///< [4] pages of each side, room for near nodes, searches for them
  Buffer<NodeList> pair_now_, slot_now_;
  Buffer<NearNodes<R>> near_pair_;
  Buffer<NearNodes<double>> near_slot_;
  Buffer<std::uint32_t> near_leaf_;
  Buffer<NodeViews<R>> views_;  ///< [1]
};

}  // namespace scree::inline SCREE_BACKEND
