#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The deepest contact of a particle at the moment of the last forces.
struct DeepestContact {
  std::string partner;              ///< "particle 7" or "boundary \"liner\""
  std::uint32_t soft_material = 0;  ///< index in Scene::materials: that of the two with the lower Young's modulus
};

/// The deepest contact of the particle (or member of a clump) with this id; none if it touches nothing with a known
/// overlap. This lists all contacts and particles, so it is slow and meant for messages only.
[[nodiscard]] std::optional<DeepestContact> deepest_contact(Engine& engine, const Scene& scene, std::uint32_t particle);

/// The key to change so that the contacts of a material (an index in Scene::materials) become stiffer: "raise
/// materials.glass.young_modulus".
[[nodiscard]] std::string stiffer_key(const Scene& scene, std::optional<std::uint32_t> material);

}  // namespace scree
