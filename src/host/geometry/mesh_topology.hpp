#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/scene.hpp"

namespace scree::geometry {

/// What keeps a mesh from enclosing a volume, counted in edges.
struct EdgeFaults {
  std::size_t open = 0;      ///< belong to one triangle only
  std::size_t crowded = 0;   ///< belong to more than two triangles
  std::size_t opposing = 0;  ///< belong to two triangles that disagree about which side is outside

  [[nodiscard]] bool none() const { return open == 0 && crowded == 0 && opposing == 0; }
  [[nodiscard]] std::string text() const;  ///< "12 open edges and 1 edge of more than two triangles"
};

[[nodiscard]] EdgeFaults edge_faults(const TriangleMesh& mesh);

/// Every edge is shared by exactly two triangles that run along it in opposite directions.
[[nodiscard]] bool is_closed(const TriangleMesh& mesh);

/// [n_triangles] The number of the shell that each triangle belongs to, from 0: triangles that share an edge belong to
/// the same shell.
[[nodiscard]] std::vector<std::uint32_t> shells_of(const TriangleMesh& mesh);

/// [n_shells] [m3] The volume that each shell of a closed mesh encloses; negative where its triangles face inwards.
/// `shell` is what shells_of() tells of the mesh.
[[nodiscard]] std::vector<double> volumes_of_shells(const TriangleMesh& mesh, const std::vector<std::uint32_t>& shell);

/// Enclosed volume [m3] of a closed mesh; negative when its triangles face inwards.
[[nodiscard]] double signed_volume(const TriangleMesh& mesh);

}  // namespace scree::geometry
