#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/archive/state_io.hpp"
#include "kernels/cell/cell_system.hpp"

/// Whether what a state tells of the cell can be. A checksum keeps from damage, not from those who make a state up:
/// nothing that is read may lead to a place outside of an array, to a loop without end, or to numbers that are none.
namespace scree::inline SCREE_BACKEND {

/// What a cell remembers, once it was read.
inline void expect_cell(const CellSystem& cell, const CellMeasure& measure, std::size_t n_stages) {
  const auto finite = [](const auto& values) {
    return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
  };
  const CellControlState& control = cell.control().state();
  bool holds = control.stage <= n_stages && std::isfinite(control.stage_began) && std::isfinite(control.pressure);
  for (const CellTensor* tensor : {&control.strain_began, &control.sign, &control.rate, &control.integral,
                                   &control.error, &measure.stress, &measure.stiffness}) {
    holds = holds && finite(*tensor);
  }
  expect_state(holds && std::isfinite(measure.unbalanced_force),
               "the control of the cell is in a state that cannot be");
  const Vec3d widths = cell.inverse_widths();
  const double volume = cell.volume();
  expect_state(volume > 0 && std::isfinite(volume) && std::isfinite(widths.x) && std::isfinite(widths.y) &&
                   std::isfinite(widths.z),
               "the edges of the cell do not span a volume");
}

}  // namespace scree::inline SCREE_BACKEND
