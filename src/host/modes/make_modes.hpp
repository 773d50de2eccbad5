#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/modes/progress.hpp"
#include "scree/grain_shape.hpp"

namespace scree::modes {

/// What the modes of a template are made of: free vibrations, or loads.
struct ModesChoice {
  std::optional<std::size_t> vibrations;  ///< how many of the lowest; whole groups of equal frequencies
  double poisson_ratio = 0.3;             ///< [-] from 0, below 0.5
};

struct MadeModes {
  GrainModes modes;
  std::vector<std::string> report;  ///< sentences for people
};

/// Modes of deformation of a template by linear elastic finite elements on its grid. Throws CaseError (path: the name
/// of the grain) for a mesh that is too large, a grain in pieces, or a choice that cannot be met.
[[nodiscard]] MadeModes make_modes(const GrainShape& shape, const ModesChoice& choice, const Progress& progress);

}  // namespace scree::modes
