#pragma once

#include "kernels/cell/control.hpp"
#include "kernels/state/cell.hpp"
#include "kernels/state/step_times.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// Where the cell stands, and how it came there; saved in checkpoints.
struct CellGeometry {
  Mat3d edges;        ///< [m] H: edge vectors as columns
  Mat3d deformation;  ///< [-] F since the start
  Mat3d gradient;     ///< [1/s] L of the last step; 0 before the first
  Mat3d stretch;      ///< [-] L dt of the last step
  CellTensor strain;  ///< [-] since the start
};

/// The cell at one moment. Cheap to copy: a driver that plans many steps ahead keeps the moment after each of them.
struct CellMoment {
  CellGeometry geometry;
  CellControl control;
};

/// The periodic cell of a run that has one: geometry and control, on the host. What bodies make of it is in
/// state/cell.hpp.
class CellSystem {
 public:
  explicit CellSystem(const Scene& scene);

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] CellGeometry& geometry() { return now_.geometry; }
  [[nodiscard]] const CellGeometry& geometry() const { return now_.geometry; }
  [[nodiscard]] CellControl& control() { return now_.control; }
  [[nodiscard]] const CellControl& control() const { return now_.control; }
  [[nodiscard]] const Vec3d& origin() const { return origin_; }
  [[nodiscard]] bool along(int k) const { return along_[k]; }
  [[nodiscard]] bool fully_periodic() const { return along_[0] && along_[1] && along_[2]; }
  [[nodiscard]] double volume() const { return determinant(now_.geometry.edges); }
  [[nodiscard]] bool deforms() const { return deforms_; }

  /// Whether its control ends the run before the step that `times` tells of.
  bool ends(const StepTimes& times, const CellMeasure& measure) {
    return any_ && now_.control.ends(times, now_.geometry.strain, measure);
  }
  /// Deforms the cell by the step that `times` tells of, under the gradient that its control chooses.
  void advance(const StepTimes& times, const CellMeasure& measure);
  [[nodiscard]] const CellMoment& moment() const { return now_; }
  void go_to(const CellMoment& moment) { now_ = moment; }
  void set_geometry(const CellGeometry& geometry) { now_.geometry = geometry; }

  /// Whether other edges of the same lattice would be less sheared.
  [[nodiscard]] bool wants_flip() const;
  /// Takes these edges: new H = H G; returns G^-1, which takes images to those that the new edges count.
  Mat3d flip();

  [[nodiscard]] CellWrap wrap() const;
  /// To be added to a position and taken away again: 3/2 2^52 grid spacings along axes that repeat, 0 along others.
  [[nodiscard]] Vec3d rounding() const;
  [[nodiscard]] double grid_spacing() const;
  /// Inverse of the distance [m] between opposite faces, along each edge.
  [[nodiscard]] Vec3d inverse_widths() const;
  [[nodiscard]] double largest_inverse_width() const;  ///< [1/m] among those along which it repeats; 0: none
  /// [1/s] Bound on how fast the mean flow of a gradient parts two points, over their distance.
  [[nodiscard]] static double fastest_strain(const Mat3d& gradient);
  [[nodiscard]] double fastest_strain() const { return fastest_strain(now_.geometry.gradient); }

 private:
  bool any_ = false, deforms_ = false;
  bool along_[3] = {false, false, false};
  Vec3d origin_{0, 0, 0};
  CellMoment now_;
};

}  // namespace scree::inline SCREE_BACKEND
