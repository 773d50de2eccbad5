#pragma once

#include "host/modes/make_modes.hpp"

namespace scree::modes {

/// Makes the modes of a template from a file with displacements at the points of a grid or of a mesh, which are
/// interpolated linearly. Places outside the points have the displacement of the nearest point.
///
/// Rigid-body motion is removed from each mode, and the largest displacement of a node is scaled to 1. Mass and
/// stiffness come from the file, or are integrals over the mesh, or over the grid of the template if the file has no
/// mesh. Strains are those of the interpolated field. The weights of integrals are scaled to the volume of the
/// template. Throws CaseError (path: the file) if the file cannot be read, leaves a node more than one spacing outside,
/// has another volume, or has modes that are only rigid-body motion, depend on each other, or have a stiffness that is
/// not positive.
[[nodiscard]] MadeModes modes_of_file(const GrainShape& shape, const ModesChoice& choice, const Progress& progress);

}  // namespace scree::modes
