#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/archive/state_io.hpp"
#include "kernels/cell/cell_system.hpp"

/// Checks of the cell in a saved state. A checksum protects against damage, but not against a state that somebody has
/// made up. So nothing that is read may lead to an index outside of an array, to an endless loop, or to numbers that
/// are not finite.
namespace scree::inline SCREE_BACKEND {

inline bool is_finite(const CellTensor& tensor) {
  return std::all_of(tensor.begin(), tensor.end(), [](double x) { return std::isfinite(x); });
}

/// Checks a cell after it was read. Throws StateError.
inline void expect_cell(const CellSystem& cell, std::size_t n_stages) {
  const CellControlState& control = cell.control().state();
  bool holds = control.stage <= n_stages && std::isfinite(control.stage_began) && std::isfinite(control.pressure);
  for (const CellTensor* tensor :
       {&control.strain_began, &control.sign, &control.rate, &control.integral, &control.error}) {
    holds = holds && is_finite(*tensor);
  }
  expect_state(holds, "the control of the cell is in a state that cannot be");
  const Vec3d widths = cell.inverse_widths();
  const double volume = cell.volume();
  expect_state(volume > 0 && std::isfinite(volume) && std::isfinite(widths.x) && std::isfinite(widths.y) &&
                   std::isfinite(widths.z),
               "the edges of the cell do not span a volume");
}

/// Checks the last measure of a cell after it was read. Throws StateError.
inline void expect_measure(const CellMeasure& measure) {
  expect_state(is_finite(measure.stress) && is_finite(measure.stiffness) && std::isfinite(measure.unbalanced_force) &&
                   std::isfinite(measure.dashpot_time),
               "cell/measure is one that cannot be");
}

}  // namespace scree::inline SCREE_BACKEND
