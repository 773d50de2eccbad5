#pragma once

#include <cstddef>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// The other side of a contact; a wall has no mass and the radius of the sphere.
struct Partner {
  const Material& material;
  double radius;  ///< [m]
  bool wall;
};

/// A contact that can limit the time step: of the smallest spheres of a material with the partner that makes it
/// stiffest. Refers to the scene.
struct Meeting {
  std::size_t material;
  double radius;  ///< [m]
  Partner partner;
  std::size_t partner_material;
  const SceneBoundary* boundary;  ///< null: the partner is a sphere
  MaterialPair pair;
  LawKind law;
};

/// For each material of particles, in its order: the materials of particles, then the boundaries.
[[nodiscard]] std::vector<Meeting> meetings(const Scene& scene);

}  // namespace scree
