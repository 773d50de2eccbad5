#pragma once

#include <cstdint>
#include <vector>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The ids of the particles that join a group now, in ascending order. A clump is one particle, with the id of its
/// first sphere, and is where its centre of mass is. Throws CaseError if the region or a name is not possible.
[[nodiscard]] std::vector<std::uint32_t> ids_that_join(const JoiningParticles& joining, const Scene& scene,
                                                       Engine& engine);

}  // namespace scree
