#pragma once

#include <optional>
#include <string>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// A sentence about particles that have fallen far below all boundaries and all places of the start, so that nothing
/// will stop them. None without gravity, without boundaries, and in a cell that repeats along gravity.
[[nodiscard]] std::optional<std::string> lost_particles(const Scene& scene, Engine& engine);

}  // namespace scree
