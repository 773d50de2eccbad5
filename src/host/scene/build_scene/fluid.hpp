#pragma once

#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The fluid of a case, with the velocities of its file; none without one. Needs the cell of the scene.
void make_fluid(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Sets how large the surroundings of a grain are that hinder it. Needs the particles and the inlets of the scene.
/// Throws CaseError if the given width is smaller than a particle.
void choose_hindrance_width(const Case& input, Scene& scene);

}  // namespace scree
