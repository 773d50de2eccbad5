#pragma once

#include "host/modes/make_modes.hpp"

namespace scree::modes {

/// Modes of a template that a file gives: displacements at the points of a grid or of a mesh, trilinear or linear in
/// between. Where a place lies outside of them, they have the value of the nearest point.
///
/// Rigid motion is taken out of each mode, and it is scaled such that the largest displacement of a node is 1. Mass and
/// stiffness are those of the file, or else integrals over the mesh, over the grid of the template where the file has
/// no mesh; strains are those of the interpolated field. Weights of the integrals are scaled to the volume of the
/// template. Throws CaseError (path: the file) if the file cannot be read, does not cover all nodes up to one spacing
/// of the grid, has another volume, or if its modes are no more than rigid motion, depend on each other, or have a
/// stiffness that is not positive.
[[nodiscard]] MadeModes modes_of_file(const GrainShape& shape, const ModesChoice& choice, const Progress& progress);

}  // namespace scree::modes
