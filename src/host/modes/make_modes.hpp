#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/modes/given/given_modes.hpp"
#include "host/modes/progress.hpp"
#include "scree/grain_shape.hpp"

namespace scree::modes {

/// The origin of the modes of a template: free vibrations, snapshots of the grain under loads, or a file.
struct ModesChoice {
  GivenChoice given;                      ///< modes of a file; excludes all other origins
  std::optional<std::size_t> vibrations;  ///< number of lowest vibrations; groups of equal frequencies stay whole
  std::vector<std::string> planes;  ///< load cases of planes: axes that are pressed at once, such as "xyz" and "x"
  std::vector<Real3> points;        ///< load cases of two opposite point forces: the directions of their lines
  std::size_t levels = 8;           ///< levels of each load case of planes
  double largest = 0.15;            ///< largest indentation over the equivalent radius
  std::optional<std::size_t> keep;  ///< number of modes of loads; none: one for each snapshot, at most 8
  bool quartic = false;             ///< fit quartic terms of the energy to the levels
  double poisson_ratio = 0.3;       ///< [-] at least 0 and below 0.5
};

struct MadeModes {
  GrainModes modes;
  std::vector<std::string> report;  ///< sentences for the user
};

/// Makes modes of deformation of a template by linear elastic finite elements on its grid. Throws CaseError (path: the
/// name of the grain) if the mesh is too large, the grain is in pieces, or the choice is impossible.
///
/// Vibrations give the lowest modes without rigid-body motion. Loads give the proper orthogonal modes of all snapshots,
/// combined such that mass and stiffness are diagonal. With one load case of planes and `keep` = 1 the mode is the last
/// snapshot itself, and its force is a table: the sum of the forces of the planes at each level, which is conjugate to
/// the indentation. For a file see modes_of_file(). Modes are always orthogonal to rigid-body motion in the mass.
[[nodiscard]] MadeModes make_modes(const GrainShape& shape, const ModesChoice& choice, const Progress& progress);

}  // namespace scree::modes
