#pragma once

#include <cstdint>
#include <vector>

#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// The surfaces of all level-set grains of a snapshot as one mesh, deformed by their modes.
struct GrainSurfaces {
  TriangleMesh mesh;
  std::vector<std::uint32_t> clump;  ///< [n_triangles] id as in Snapshot::clumps
  std::size_t modes = 0;             ///< the most that a grain of the scene can have
  std::vector<double> amplitude;     ///< [n_triangles * modes] [m] of the grain; 0 for modes that it does not have
  /// The vertices of one grain.
  struct Piece {
    std::uint32_t particle = 0;      ///< id of its only member
    std::size_t first = 0, end = 0;  ///< of its vertices
    Real3 center{};                  ///< [m] its centre of mass
  };
  std::vector<Piece> piece;  ///< in the order of Snapshot::clumps
};
[[nodiscard]] GrainSurfaces surfaces_of_grains(const Scene& scene, const Snapshot& particles);

}  // namespace scree
