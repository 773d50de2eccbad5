#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Adds a problem for each number that follows from those of the case and that its precision cannot hold: places,
/// masses, moments of inertia, stiffnesses, forces and accelerations of contacts. Needs particles, inlets, materials
/// and pairs of `scene`.
void check_derived_numbers(const Scene& scene, std::vector<InputProblem>& problems);

/// The same for the time step, the number of steps and the Verlet distance. Needs all of `scene`.
void check_steps(const Case& input, const Scene& scene, std::vector<InputProblem>& problems);

}  // namespace scree
