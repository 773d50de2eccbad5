#pragma once

#include <cstdint>
#include <vector>

#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// The surfaces of all level-set grains of a snapshot as one mesh, and which grain each triangle belongs to.
struct GrainSurfaces {
  TriangleMesh mesh;
  std::vector<std::uint32_t> clump;  ///< [n_triangles] id as in Snapshot::clumps
};
[[nodiscard]] GrainSurfaces surfaces_of_grains(const Scene& scene, const Snapshot& particles);

}  // namespace scree
