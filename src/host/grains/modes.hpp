#pragma once

#include <functional>
#include <vector>

#include "scree/grain_shape.hpp"
#include "scree/shapes.hpp"

namespace scree::grains {

/// A mode with a formula, in the body frame.
struct ModeFormula {
  std::function<Real3(const Real3&)> displacement;  ///< [-] at a point [m]
  std::size_t along = 3;  ///< axis of a slender body, of which only the strain along it counts; 3: all strains count
};

/// The formulas of closed modes of a shape, scaled such that the largest displacement at a node is 1. The axes x, y and
/// z are those of the source of the shape. Throws CaseError (path: forms) for modes of slender bodies if no axis of the
/// source is one of the body frame.
[[nodiscard]] std::vector<ModeFormula> closed_modes(const GrainShape& shape, const std::vector<ClosedMode>& forms,
                                                    bool beam_theory);

/// [points] [m3] Weights of the points of the grid of a shape for integrals over its volume.
[[nodiscard]] std::vector<double> weights_of(const GrainShape& shape);

/// Gives a shape these modes: displacements, masses over the density and stiffnesses over Young's modulus by quadrature
/// on its grid, for a linear elastic material with this Poisson's ratio. Replaces what modes the shape has.
void set_modes(GrainShape& shape, const std::vector<ModeFormula>& modes, double poisson_ratio);

/// Takes the motion of a rigid body out of the modes: what is left moves neither the centre of mass nor turns the body,
/// so that forces on modes and on the body are independent.
void remove_rigid_motion(GrainShape& shape);

/// Makes modes orthogonal to each other in mass and in stiffness, with a largest displacement of 1 at a node, if they
/// are not. Returns whether they have changed. Throws CaseError (path: empty) if they are not independent, or if they
/// have terms of the energy and would have to change.
bool make_orthogonal(GrainShape& shape);

/// Gives the modes of a shape the integrals by which they couple to its rotation, by quadrature on its grid.
void add_inertia(GrainShape& shape);

}  // namespace scree::grains
