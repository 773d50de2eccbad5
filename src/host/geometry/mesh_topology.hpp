#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/scene.hpp"

namespace scree::geometry {

/// Numbers of edges that keep a mesh from enclosing a volume.
struct EdgeFaults {
  std::size_t open = 0;      ///< edges of one triangle only
  std::size_t crowded = 0;   ///< edges of more than two triangles
  std::size_t opposing = 0;  ///< edges of two triangles that disagree about which side is outside

  [[nodiscard]] bool none() const { return open == 0 && crowded == 0 && opposing == 0; }
  [[nodiscard]] std::string text() const;  ///< "12 open edges and 1 edge of more than two triangles"
};

[[nodiscard]] EdgeFaults edge_faults(const TriangleMesh& mesh);

/// Whether the mesh has triangles and each edge is shared by exactly two, which pass it in opposite directions.
[[nodiscard]] bool is_closed(const TriangleMesh& mesh);

/// [n_triangles] The number of the shell of each triangle, from 0. Triangles that share an edge belong to one shell.
[[nodiscard]] std::vector<std::uint32_t> shells_of(const TriangleMesh& mesh);

/// [n_shells] [m3] The volume that each shell of a closed mesh encloses; negative if its triangles face inwards.
/// `shell` is the result of shells_of().
[[nodiscard]] std::vector<double> volumes_of_shells(const TriangleMesh& mesh, const std::vector<std::uint32_t>& shell);

/// The volume [m3] that a closed mesh encloses; negative if its triangles face inwards.
[[nodiscard]] double signed_volume(const TriangleMesh& mesh);

}  // namespace scree::geometry
