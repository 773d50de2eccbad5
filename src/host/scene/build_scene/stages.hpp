#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Puts the stages of the run into the scene. Needs boundaries, outlets and groups. If a stage moves a boundary that
/// has no motion, the boundary gets a motion with velocity 0, because an engine cannot set motions of boundaries
/// without any. Adds problems of the input to `problems`.
void make_stages(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Puts the friction that stages give to pairs of materials into the stages of the scene. Needs the particles, inlets
/// and boundaries, and the materials of grains. Adds problems of the input to `problems`, and a warning for each entry
/// that changes nothing.
void set_staged_friction(const Case& input, Scene& scene, std::vector<std::string>& warnings,
                         std::vector<InputProblem>& problems);

}  // namespace scree
