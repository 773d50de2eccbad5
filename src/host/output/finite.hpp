#pragma once

#include <string>

#include "scree/cell.hpp"
#include "scree/engine_state.hpp"
#include "scree/snapshot.hpp"

/// Checks that output is finite. Otherwise the run ends with a fault that names the value. All functions throw
/// KernelFault.
namespace scree {

/// All numbers of particles and clumps in the snapshot.
void expect_finite(const Snapshot& particles);

/// A number of a table; `heading` is that of its column.
void expect_finite(double value, const std::string& heading, std::uint64_t step);

/// Numbers of a row of a table. Cells of the row and of `header` are separated by commas.
void expect_finite_row(const std::string& row, const std::string& header, std::uint64_t step);

/// The periodic cell, whose edges must enclose a volume.
void expect_finite(const CellState& cell, std::uint64_t step);

/// The real numbers of all arrays of a state.
void expect_finite(const EngineState& state, std::uint64_t step);

}  // namespace scree
