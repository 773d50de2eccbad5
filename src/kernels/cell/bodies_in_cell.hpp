#pragma once

#include <optional>
#include <vector>

#include "kernels/backend/lane_sums.hpp"
#include "kernels/cell/cell_measure.hpp"
#include "kernels/cell/cell_system.hpp"
#include "kernels/laws/stiffness.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;
template <class R>
struct RunState;

/// The bodies of a periodic cell: their images, their measures, and the cell that is planned ahead. Empty in a run
/// without a cell.
template <class R>
struct BodiesInCell {
  std::vector<CellMoment> ahead;      ///< the cell before the planned steps, and after each of them
  std::optional<CellSystem> planned;  ///< the cell after all planned steps
  CellMeasure measure;                ///< the last measure
  std::uint64_t measured_step = 0;    ///< number of steps made before the last measure
  bool measured_slow = false;         ///< whether stiffness and unbalanced force have ever been measured
  bool some_are_out = false;          ///< whether bodies are so far outside of the cell that all must be taken back
  Mat3d list_edges{};                 ///< [m] edges of the cell when the lists were made
  Buffer<Image> image;                ///< [n_ids] number of edges by which each body has been taken back
  Buffer<Vec3d> shift;                ///< [n_images] [m] of each image in the present step
  SumLanes<CellLane> lanes;           ///< work space
  Buffer<CellSums> sums;              ///< [1] work space

  /// Rounds the positions of the bodies from `first` in memory on to the grid of the cell, at the start and after
  /// insertions. The next step takes them back if they are far outside. Throws BackendError if there are too many
  /// bodies.
  void enter(RunState<R>& run, std::size_t first);
  /// Rounds the positions of bodies from `first` on to the grid of the cell.
  void round_positions(RunState<R>& run, std::size_t first);
  /// Prepares the cell for the next step, while contacts still have the forces of the last one: measures the values
  /// that the control needs, chooses other edges, and takes bodies back into the cell. Each of these happens only if it
  /// is due.
  void prepare(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness);
  /// Measures the values that the control needs before the next step: always the stress, the unbalanced force in stages
  /// that wait for it, and from time to time all values. `pair_stiffness` is work space. Measures only once before a
  /// step, unless `anew`.
  void look(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness, bool anew = false);
  /// Begins the stages that are due before the next step, each with a measure of its own. Returns whether no stage is
  /// left, which ends the run. The next step uses these measures, too.
  [[nodiscard]] bool look_for_end(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness);
  /// Begins a plan with the present cell of the run.
  void begin_plan(const CellSystem& cell);
  /// Deforms the planned cell over one more step. Returns the values for the motion of bodies in this step.
  [[nodiscard]] CellStep<R> deform(const RunState<R>& run, const StepTimes& times);
  /// The constant values of the cell for the motion of bodies.
  [[nodiscard]] CellMotion<R> motion(const CellSystem& cell) const;
  /// [m] A bound of how far the mean flow carries a body along a boundary in the first n_steps of the batch. The search
  /// treats this as a movement of the boundaries.
  [[nodiscard]] double flow_travel(const RunState<R>& run, std::size_t n_steps) const;
  /// [m] The same for step k of the batch alone.
  [[nodiscard]] double flow_travel_in(const RunState<R>& run, std::size_t k) const;

  /// Saves the last measure and the images of bodies. `ids` are the ids of the bodies in the state, in its order. In a
  /// run without a cell this and the next two do nothing.
  void save(const RunState<R>& run, const std::vector<index_t>& ids, StateWriter& out) const;
  /// To be called when clock, population, cell and bodies are restored. Throws StateError.
  void restore(RunState<R>& run, const std::vector<index_t>& ids, StateReader& in);
  void hash(RunState<R>& run, UnorderedHash& sum);
  [[nodiscard]] std::uint64_t bytes() const {
    return image.bytes() + shift.bytes() + lanes.lanes.bytes() + sums.bytes();
  }
};

}  // namespace scree::inline SCREE_BACKEND
