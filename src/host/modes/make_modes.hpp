#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/modes/given/given_modes.hpp"
#include "host/modes/progress.hpp"
#include "scree/grain_shape.hpp"

namespace scree::modes {

/// What the modes of a template are made of: free vibrations, snapshots of the grain under loads, or a file.
struct ModesChoice {
  GivenChoice given;                      ///< modes of a file; none of the others then
  std::optional<std::size_t> vibrations;  ///< how many of the lowest; whole groups of equal frequencies
  std::vector<std::string> planes;        ///< load cases of planes: the axes pressed along at once, as "xyz" and "x"
  std::vector<Real3> points;              ///< load cases of two opposite point forces: the directions of their lines
  std::size_t levels = 8;                 ///< of each load case of planes
  double largest = 0.15;                  ///< [equivalent radius] largest indentation
  std::optional<std::size_t> keep;        ///< how many modes; else one for each snapshot, at most 8
  bool quartic = false;                   ///< fit quartic terms of the energy to the levels
  double poisson_ratio = 0.3;             ///< [-] from 0, below 0.5
};

struct MadeModes {
  GrainModes modes;
  std::vector<std::string> report;  ///< sentences for people
};

/// Modes of deformation of a template by linear elastic finite elements on its grid. Throws CaseError (path: the name
/// of the grain) for a mesh that is too large, a grain in pieces, or a choice that cannot be met.
///
/// Vibrations: the lowest modes without rigid motion. Loads: proper orthogonal modes of all snapshots, then turned
/// among themselves until mass and stiffness are diagonal. With one load case of planes and `keep` = 1 the mode is the
/// last snapshot itself, and its force is a table: the sum of the forces of the planes at each level, which is
/// conjugate to the indentation. A file: its modes, see modes_of_file(). In all cases modes are orthogonal to rigid
/// motion in the mass.
[[nodiscard]] MadeModes make_modes(const GrainShape& shape, const ModesChoice& choice, const Progress& progress);

}  // namespace scree::modes
