#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/archive/state_io.hpp"
#include "kernels/cell/cell_system.hpp"

/// Checks of the cell in a saved state. A checksum protects against damage, but not against a state that somebody has
/// made up. So nothing that is read may lead to an index outside of an array, to an endless loop, or to numbers that
/// are not finite.
namespace scree::inline SCREE_BACKEND {

/// The first component that is not finite; 0 if all are.
inline double not_finite_in(const CellTensor& tensor) {
  const auto found = std::find_if(tensor.begin(), tensor.end(), [](double x) { return !std::isfinite(x); });
  return found == tensor.end() ? 0 : *found;
}

/// Checks a cell after it was read. Throws StateError.
inline void expect_cell(const CellSystem& cell, std::size_t n_stages) {
  const CellControlState& control = cell.control().state();
  expect_state(control.stage <= n_stages, [&] {
    return broken_rule("the stage in cell/control",
                       "at most " + std::to_string(n_stages) + ", the number of stages of the case", control.stage);
  });
  const auto expect_finite = [](const char* what, double value) {
    expect_state(std::isfinite(value),
                 [&] { return broken_rule(std::string(what) + " in cell/control", "finite", value); });
  };
  expect_finite("the beginning of the stage", control.stage_began);
  expect_finite("the pressure", control.pressure);
  expect_finite("the strain at the beginning of the stage", not_finite_in(control.strain_began));
  expect_finite("the sign of a rate", not_finite_in(control.sign));
  expect_finite("the rate of a servo", not_finite_in(control.rate));
  expect_finite("the integral of a servo", not_finite_in(control.integral));
  expect_finite("the error of a servo", not_finite_in(control.error));
  const Vec3d widths = cell.inverse_widths();
  const double volume = cell.volume();
  const bool wide = std::isfinite(widths.x) && std::isfinite(widths.y) && std::isfinite(widths.z);
  expect_state(volume > 0 && std::isfinite(volume) && wide, [&] {
    return broken_rule("the volume between the edges in cell/edges", "> 0 and finite", volume) + " m3";
  });
}

/// Checks the last measure of a cell after it was read. Throws StateError.
inline void expect_measure(const CellMeasure& measure) {
  const auto expect_finite = [](const char* what, double value) {
    expect_state(std::isfinite(value), [&] { return broken_rule(what, "finite", value); });
  };
  expect_finite("the stress in cell/measure", not_finite_in(measure.stress));
  expect_finite("the stiffness in cell/measure", not_finite_in(measure.stiffness));
  expect_finite("the unbalanced force in cell/measure", measure.unbalanced_force);
  expect_finite("cell/dashpot_time", measure.dashpot_time);
}

}  // namespace scree::inline SCREE_BACKEND
