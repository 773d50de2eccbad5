#pragma once

#include <array>
#include <utility>
#include <vector>

#include "host/measure/spline_kernel.hpp"
#include "scree/outputs.hpp"

namespace scree {

struct FieldLoads;
struct LineLoad;
struct PointLoad;

/// Where the cylinder of a grid is.
struct CylinderPlace {
  Real3 origin{};               ///< [m] on its axis, in the lower end face
  std::array<Real3, 3> axes{};  ///< of length 1: towards the angle 0, towards a right angle, along the axis
  [[nodiscard]] Real3 local(const Real3& vector) const;  ///< components of a vector along the axes
};

/// Sums over the cells of a cylindrical grid, of what FieldSums has. The kernel is the product of splines along the
/// axes of the cylinder. Along its axis the kernel is integrated in closed form. Across, it stands at the middles of
/// m x m squares, with the integrals over these as weights, which add up to 1: whatever the cells are, all that a
/// particle carries is shared out to them. Four squares lie side by side in a ring; but m is at least 8, and at
/// most 24.
class CylinderSums {
 public:
  CylinderSums(const FieldGrid& grid, double width);

  [[nodiscard]] const spline::Axes& axes() const { return axes_; }
  [[nodiscard]] const CylinderPlace& place() const { return place_; }
  /// [m] Lowest and highest corner of a box outside which no particle reaches into the grid.
  [[nodiscard]] std::pair<Real3, Real3> reach() const;
  /// Adds loads to `sums` [n_cells, FieldSums::quantities], in their order whatever the number of threads.
  void add(const FieldLoads& loads, std::vector<double>& sums) const;

 private:
  class Deposits;
  struct Square {
    double offset, share, slope;  ///< [m], [-], [1/m]: of a strip of the kernel along one axis
  };

  spline::Axes axes_;
  CylinderPlace place_;
  std::vector<Square> strips_;  ///< [m] along the first axis as along the second
};

}  // namespace scree
