#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Adds a problem for each derived number that the precision of the run cannot represent: positions, masses, moments of
/// inertia, and stiffnesses, forces and accelerations of contacts. Needs particles, inlets, materials and pairs of
/// `scene`.
void check_derived_numbers(const Scene& scene, std::vector<InputProblem>& problems);

/// Likewise for the time step, the number of steps and the Verlet distance. Needs all of `scene`.
void check_steps(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
