#pragma once

#include <cstddef>
#include <string>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Puts a boundary back into the run. Returns a warning that names the number of particles that overlap a boundary now
/// and did not before, since they are pushed out with a jolt; empty if there are none, and before the first step.
[[nodiscard]] std::string put_back(Engine& engine, const Scene& scene, std::size_t boundary);

}  // namespace scree
