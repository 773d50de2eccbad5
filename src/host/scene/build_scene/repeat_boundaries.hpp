#pragma once

#include <string>
#include <vector>

#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Boundaries of a periodic cell repeat as everything does. Planes along the edges are the same everywhere; shells of
/// cylinders along the one edge that repeats become as long as needed; meshes get copies around the cell, joined at its
/// faces. What cannot be repeated, or moves as its images cannot, is a problem, with its path.
void repeat_boundaries(Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems);

}  // namespace scree
