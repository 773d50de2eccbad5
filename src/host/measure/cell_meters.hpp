#pragma once

#include <string>
#include <vector>

#include "host/measure/measured_state.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

/// What is measured of the packing in a periodic cell; defined in docs/output.md.
namespace scree {

/// Velocity [m/s] of the mean deformation between two points that are `way` [m] apart.
[[nodiscard]] Real3 mean_flow(const CellState& cell, const Real3& way);
/// Spin [rad/s] of the mean deformation: half of the curl of its velocity.
[[nodiscard]] Real3 mean_spin(const CellState& cell);

/// Position [m] of particle `i` of a snapshot as if it had never been moved back into the periodic cell.
[[nodiscard]] Real3 unwrapped_position(const Snapshot& particles, std::size_t i, const CellState& cell);

/// A copy of the snapshot whose velocities and spins are relative to the mean deformation.
[[nodiscard]] Snapshot fluctuating(Snapshot particles, const Scene& scene, const CellState& cell);

/// Columns of the series, only in runs with a periodic cell, and their values.
[[nodiscard]] std::vector<std::string> cell_columns();
[[nodiscard]] std::vector<double> measure_cell(const MeasuredState& state, const Scene& scene);

}  // namespace scree
