#pragma once

#include <string>
#include <vector>

#include "host/clumps/clump.hpp"
#include "scree/scene.hpp"

namespace scree::clumps {

struct FitChoice {
  std::size_t spheres = 10;  ///< largest number of spheres
  unsigned resolution = 48;  ///< number of points along the longest edge of the bounding box of the mesh
};

/// Integrals over the inside of a closed mesh [m] whose triangles face outwards, by the divergence theorem.
[[nodiscard]] Moments mesh_moments(const TriangleMesh& mesh);

/// Fills a closed surface [m] with spheres. Each new sphere is the largest around a point of a grid, at the point where
/// it covers the largest volume that is not covered yet. Then each sphere is moved while the others stay, as long as
/// the union grows. Returns fewer spheres if nothing is left to cover. The result depends only on the mesh and the
/// choice. Throws CaseError (path: `name`) if the mesh is not closed or the grid does not resolve it.
[[nodiscard]] std::vector<ClumpSphere> fit_spheres(const TriangleMesh& mesh, const FitChoice& choice,
                                                   const std::string& name);

}  // namespace scree::clumps
