#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Puts the stages of the run into a scene that has its boundaries, outlets and groups. A boundary that a stage moves
/// gets a motion of no speed if it has none, since one without motions rests for good. Adds what is wrong to
/// `problems`.
void make_stages(const Case& input, Scene& scene, std::vector<InputProblem>& problems);

/// Puts the friction that stages give to materials into the stages of a scene that is whole but for it. Adds what is
/// wrong to `problems`, and to `warnings` entries that change nothing.
void set_staged_friction(const Case& input, Scene& scene, std::vector<std::string>& warnings,
                         std::vector<InputProblem>& problems);

}  // namespace scree
