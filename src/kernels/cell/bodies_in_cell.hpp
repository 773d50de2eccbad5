#pragma once

#include <optional>
#include <vector>

#include "kernels/cell/cell_system.hpp"
#include "kernels/contact/cell_measure.hpp"
#include "kernels/laws/stiffness.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
struct RunState;

/// What the bodies of a periodic cell have to do with it. Empty in a run without one.
template <class R>
struct BodiesInCell {
  /// the cell before the steps that were planned last, and after each of them
  std::vector<CellMoment> ahead;
  std::optional<CellSystem> planned;  ///< the cell after these steps, which becomes that of the run when they are made
  CellMeasure measure;
  std::uint64_t measured_step = 0;  ///< in which that was found
  bool measured_slow = false;       ///< stiffness and unbalanced force were, too
  bool some_are_out = false;        ///< some bodies are far out of the cell
  Mat3d list_edges{};               ///< [m] of the cell when the lists were made
  Buffer<Image> image;              ///< [ids] edges that bodies were taken back by
  Buffer<Vec3d> shift;              ///< [n_images]
  Buffer<CellLane> lanes;

  /// At the start and after insertions: bodies from `first` on to the grid of the cell. Throws BackendError.
  void enter(RunState<R>& run, std::size_t first);
  /// Before a step, while contacts still have the forces of the last: measures what the control asks for, takes other
  /// edges and takes bodies back where that is due.
  void prepare(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness);
  /// Stress and, now and then, stiffness, where the control needs them. `pair_stiffness` is work space.
  void look(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness);
  /// Whether the control ends the run before the next step. A measure that it needs for this is that of the next step,
  /// too.
  [[nodiscard]] bool look_for_end(RunState<R>& run, Buffer<ContactStiffness<R>>& pair_stiffness);
  /// Plans begin with the cell of the run as it stands.
  void begin_plan(const CellSystem& cell);
  /// Deforms the planned cell over one more step and tells how bodies move in it.
  [[nodiscard]] CellStep<R> deform(const RunState<R>& run, const StepTimes& times);
  /// What the motion of every step sees of the cell, without the step.
  [[nodiscard]] CellMotion<R> motion(const CellSystem& cell) const;
  /// [m] How far the mean flow has carried bodies along boundaries at most, in the first so many steps of the batch:
  /// for the search as if the boundaries had moved.
  [[nodiscard]] double flow_travel(const RunState<R>& run, std::size_t n_steps) const;
};

}  // namespace scree::inline SCREE_BACKEND
