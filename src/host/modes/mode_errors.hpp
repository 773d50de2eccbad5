#pragma once

#include <string>
#include <vector>

#include "host/modes/load_cases.hpp"
#include "scree/grain_modes.hpp"

namespace scree::modes {

/// [n modes x n] amplitudes of modes that come nearest to displacements [unknowns x n], in the mass.
[[nodiscard]] Matrix amplitudes(const ElasticBody& body, const Matrix& modes, const Matrix& displacements);

/// How far modes are from the grain at a level that was no snapshot.
struct LevelError {
  double depth = 0;             ///< [spacings]
  double rms = 0, largest = 0;  ///< of the displacement of points of the mesh, over the largest there
  double energy = 0;            ///< relative: of the nearest amplitudes, or of the table
  double force = 0;             ///< relative: of the planes that press the grain of modes, or of the table
};

/// Errors at the levels between those of a load case of planes. `modes` [unknowns x n] are scaled as those of `made`;
/// `spacing` [m].
[[nodiscard]] std::vector<LevelError> errors_between(const ElasticBody& body, const LoadCase& load, const Matrix& modes,
                                                     const GrainModes& made, double spacing);

/// Adds a sentence on the largest of these errors.
void report_errors(const ElasticBody& body, const LoadCase& load, const Matrix& modes, const GrainModes& made,
                   double spacing, std::vector<std::string>& report);

}  // namespace scree::modes
