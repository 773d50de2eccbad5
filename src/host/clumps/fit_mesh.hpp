#pragma once

#include <string>
#include <vector>

#include "host/clumps/clump.hpp"
#include "scree/scene.hpp"

namespace scree::clumps {

struct FitChoice {
  std::size_t spheres = 10;  ///< at most so many
  unsigned resolution = 48;  ///< points on the longest edge of the mesh's box
};

/// Integrals over the inside of a closed mesh whose triangles face outwards (divergence theorem).
[[nodiscard]] Moments mesh_moments(const TriangleMesh& mesh);

/// Spheres inside a closed surface. One after the other, each is the largest that fits around the point of a grid where
/// it covers most that is not covered yet; then each is moved, with the others held, as long as the union grows. Fewer
/// spheres come back when no more is left to cover. The result depends on nothing but the mesh and the choice.
/// Throws CaseError (path: `name`) for a mesh that is not closed or that the grid does not resolve.
[[nodiscard]] std::vector<ClumpSphere> fit_spheres(const TriangleMesh& mesh, const FitChoice& choice,
                                                   const std::string& name);

}  // namespace scree::clumps
