#pragma once

#include <functional>
#include <vector>

#include "scree/grain_shape.hpp"
#include "scree/shapes.hpp"

namespace scree::grains {

/// A mode that is given by a formula in the body frame.
struct ModeFormula {
  std::function<Real3(const Real3&)> displacement;  ///< displacement [-] at a point [m]
  std::size_t along = 3;  ///< axis of a slender body, where only the strain along it counts; 3: all strains count
};

/// Formulas of closed modes of a shape, scaled such that the largest displacement of a node is 1. The axes x, y and z
/// of `forms` are axes of the source of the shape. Throws CaseError (path: forms) for a mode of a slender body if its
/// axis is not an axis of the body frame.
[[nodiscard]] std::vector<ModeFormula> closed_modes(const GrainShape& shape, const std::vector<ClosedMode>& forms,
                                                    bool beam_theory);

/// [n_points] [m3] Weights of the points of the grid of a shape for integrals over its volume; their sum is the volume.
[[nodiscard]] std::vector<double> weights_of(const GrainShape& shape);

/// Replaces the modes of a shape. Displacements come from the formulas; the mass over the density and the stiffness
/// over Young's modulus are integrals on the grid, for a linear elastic material with this Poisson's ratio.
void set_modes(GrainShape& shape, const std::vector<ModeFormula>& modes, double poisson_ratio);

/// Removes rigid-body motion from the modes. Then they neither move the centre of mass nor rotate the body, so that the
/// equations of the modes and of the body are independent.
void remove_rigid_motion(GrainShape& shape);

/// Replaces modes by combinations that are orthogonal in mass and in stiffness, with a largest displacement of a node
/// of 1. Returns false without a change if they are orthogonal already. Throws CaseError (path: empty) if the modes are
/// not independent, their stiffness is negative, or they have terms of the energy and are not orthogonal.
bool make_orthogonal(GrainShape& shape);

/// Computes the integrals over the grid by which the modes of a shape couple to its rotation.
void add_inertia(GrainShape& shape);

}  // namespace scree::grains
