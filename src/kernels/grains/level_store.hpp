#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/backend/buffer.hpp"
#include "kernels/backend/exec.hpp"
#include "kernels/grains/level_update.hpp"
#include "kernels/state/state_hash.hpp"
#include "scree/grain_contacts.hpp"
#include "scree/grain_shape.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;

/// The grids on which the level sets of deformed grains are kept. Empty if contacts move points back to the undeformed
/// grain instead (FieldUpdate::remap and remap_corners).
template <class R>
class LevelStore {
 public:
  /// Adds the grid of shape `index` of a scene, if the shape has modes and a grid is needed. The nodes of the shape
  /// come in `order`. Throws ContractError if distances must be computed from triangles and the shape has none.
  void add_shape(const Scene& scene, std::size_t index, std::span<const std::size_t> order);
  /// Copies the shapes to the backend. To be called after the last one was added. `stride` is the largest number of
  /// modes of a grain.
  void send_shapes(const Scene& scene, std::uint32_t stride);

  /// Sets the views of the grids for kernels.
  void show(ModeViews<R>& views);
  /// Appends `n` clumps, whose grids are to be made.
  void append(std::size_t n);
  /// Calls bring(values, numbers per clump) for each array that must keep the order of the clumps.
  template <class Bring>
  void sort(Bring&& bring) {
    if (stride_ == 0) { return; }
    bring(known_, mode_stride_), bring(moved_, 1), bring(phi_, stride_);
  }
  /// Updates the grids of all grains to their present amplitudes. A second call does nothing.
  void update(Exec& exec, const GrainViews<R>& grains, const Control* control);
  /// Adds the grids of advection, which are state, to the hash. `order` is the order of the clumps by their ids.
  void hash(const std::vector<std::size_t>& order, const std::vector<index_t>& id, UnorderedHash& sum) const;
  void save(const std::vector<std::size_t>& order, StateWriter& out) const;
  /// Restores the grids of `n` clumps. Throws StateError.
  void restore(std::size_t n, StateReader& in);
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  friend struct StateScrambler;  // names every member, see checkpoint_guard.test.cpp

  [[nodiscard]] bool uses_triangles() const {
    return update_ == FieldUpdate::recompute || update_ == FieldUpdate::precomputed;
  }
  void add_triangles(const GrainShape& shape, std::span<const std::size_t> order, const LevelGrid& grid);
  void precompute(Exec& exec, const GrainViews<R>& grains);
  [[nodiscard]] bool advects() const { return update_ == FieldUpdate::advect && stride_ > 0; }

  /// A shape whose grids are precomputed.
  struct Precomputing {
    std::uint32_t form, n_levels;
    std::uint64_t points;
    std::vector<double> step;  ///< [modes] [m]
  };

  FieldUpdate update_ = FieldUpdate::remap;
  std::uint32_t stride_ = 0, mode_stride_ = 0;
  std::vector<Precomputing> to_precompute_;  ///< empty when it is done
  std::vector<LevelGrid> grid_;              ///< until they are sent, as the next four
  std::vector<double> step_;
  std::vector<LevelTriangle> triangle_;
  std::vector<std::uint64_t> near_start_;
  std::vector<NearTriangle> near_;
  std::uint64_t n_values_ = 0;

  Buffer<LevelGrid> grid_there_;
  Buffer<double> step_there_;
  Buffer<LevelTriangle> triangle_there_;
  Buffer<std::uint64_t> near_start_there_;
  Buffer<NearTriangle> near_there_;
  Buffer<Four<float>> value_;
  Buffer<double> phi_, change_;   ///< [n_clumps * stride]
  Buffer<double> known_, moved_;  ///< [n_clumps * mode_stride], [n_clumps]
};

}  // namespace scree::inline SCREE_BACKEND
