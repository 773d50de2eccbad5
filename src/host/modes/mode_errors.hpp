#pragma once

#include <string>
#include <vector>

#include "host/modes/load_cases.hpp"
#include "scree/grain_modes.hpp"

namespace scree::modes {

/// [n_modes x n] The amplitudes of modes that approximate displacements [unknowns x n] best in the norm of the mass.
[[nodiscard]] Matrix amplitudes(const ElasticBody& body, const Matrix& modes, const Matrix& displacements);

/// Errors of modes at an indentation without a snapshot.
struct LevelError {
  double depth = 0;             ///< [spacings]
  double rms = 0, largest = 0;  ///< errors of displacements of points of the mesh over the largest displacement
  double energy = 0;            ///< relative error of the best amplitudes, or of the table
  double force = 0;             ///< relative error of planes that press a grain with these modes, or of the table
};

/// Errors half-way between the levels of a load case of planes. `modes` [unknowns x n_modes] must be scaled as in
/// `made`; `spacing` [m] is the spacing of the grid.
[[nodiscard]] std::vector<LevelError> errors_between(const ElasticBody& body, const LoadCase& load, const Matrix& modes,
                                                     const GrainModes& made, double spacing);

/// Adds a sentence about the last and the largest of these errors to `report`.
void report_errors(const ElasticBody& body, const LoadCase& load, const Matrix& modes, const GrainModes& made,
                   double spacing, std::vector<std::string>& report);

}  // namespace scree::modes
