#pragma once

#include "kernels/cell/control.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/step_times.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;

/// Edges of the cell, and the deformation that led to them. Saved in checkpoints.
struct CellGeometry {
  Mat3d edges;        ///< [m] H: edge vectors as columns
  Mat3d deformation;  ///< [-] F since the start
  Mat3d gradient;     ///< [1/s] L of the last step; 0 before the first
  Mat3d stretch;      ///< [-] L dt of the last step
  CellTensor strain;  ///< [-] since the start, see CellTensor
};

/// The cell at one moment. It is cheap to copy: a plan of many steps keeps the cell after each of them.
struct CellMoment {
  CellGeometry geometry;
  CellControl control;
};

/// The periodic cell of a run, if it has one: geometry and control, on the host. state/cell.hpp has what kernels see of
/// it.
class CellSystem {
 public:
  explicit CellSystem(const Scene& scene);

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] CellGeometry& geometry() { return now_.geometry; }
  [[nodiscard]] const CellGeometry& geometry() const { return now_.geometry; }
  [[nodiscard]] CellControl& control() { return now_.control; }
  [[nodiscard]] const CellControl& control() const { return now_.control; }
  [[nodiscard]] const Vec3d& origin() const { return origin_; }
  /// Whether the cell repeats along edge k.
  [[nodiscard]] bool along(int k) const { return along_[k]; }
  [[nodiscard]] bool fully_periodic() const { return along_[0] && along_[1] && along_[2]; }
  [[nodiscard]] double volume() const { return determinant(now_.geometry.edges); }  ///< [m3]
  [[nodiscard]] bool deforms() const { return deforms_; }

  /// Begins the next stage of its control before the step at `times`, if that is due. Returns whether no stage is left,
  /// which ends the run.
  bool ends(const StepTimes& times, const CellMeasure& measure) {
    return any_ && now_.control.ends(times, now_.geometry.strain, measure);
  }
  /// The index of the present stage, if advance() must return at the beginning of the next one; else 0.
  [[nodiscard]] std::uint64_t stage_to_watch() const { return returns_at_stages_ ? now_.control.state().stage : 0; }
  /// Deforms the cell over the step at `times`, with the velocity gradient that its control chooses.
  void advance(const StepTimes& times, const CellMeasure& measure);
  [[nodiscard]] const CellMoment& moment() const { return now_; }
  void go_to(const CellMoment& moment) { now_ = moment; }

  /// Whether other edges of the same lattice would be less sheared.
  [[nodiscard]] bool wants_flip() const;
  /// Changes to such edges: H becomes H G. Returns G^-1, which converts images so that they count the new edges.
  Mat3d flip();

  [[nodiscard]] CellWrap wrap() const;
  /// Sets the bounds [m] along the axes on which the cell repeats to its own, from face to face and around a sheared
  /// cell. Others stay.
  void set_bounds(Vec3d& low, Vec3d& high) const;
  /// [m] 3/2 2^52 grid spacings along edges that repeat, 0 along others. Adding this to a position and subtracting it
  /// again rounds the position to the grid.
  [[nodiscard]] Vec3d rounding() const;
  /// [m] Spacing of the grid of positions, a power of two.
  [[nodiscard]] double grid_spacing() const;
  /// [1/m] Inverse of the distance between opposite faces, along each edge.
  [[nodiscard]] Vec3d inverse_widths() const;
  [[nodiscard]] double largest_inverse_width() const;  ///< [1/m] among the edges that repeat; 0: none repeats
  /// [1/s] A bound of the relative velocity of two points in the mean flow of a gradient, over their distance.
  [[nodiscard]] static double fastest_strain(const Mat3d& gradient);
  [[nodiscard]] double fastest_strain() const { return fastest_strain(now_.geometry.gradient); }

  /// In a run without a cell these do nothing. restore() throws StateError.
  void save(StateWriter& out) const;
  void restore(const Scene& scene, StateReader& in);
  void hash(UnorderedHash& sum) const;

 private:
  bool any_ = false, deforms_ = false, returns_at_stages_ = false;
  bool along_[3] = {false, false, false};
  Vec3d origin_{0, 0, 0};
  CellMoment now_;
};

}  // namespace scree::inline SCREE_BACKEND
