#pragma once

#include <string>
#include <vector>

#include "host/grains/solid.hpp"

namespace scree::grains {

/// The largest area of holes over the area of the surface of a mesh.
inline constexpr double most_open = 0.05;

/// Closes the holes of a mesh by triangles around the middle of each hole, and adds a line to `warnings`. Does not
/// change a closed mesh. Throws CaseError (path: `name`) if holes are more than `most_open` of the surface, or if two
/// triangles disagree about which side is outside.
void close_holes(TriangleMesh& mesh, const std::string& name, std::vector<std::string>& warnings);

/// The body inside a mesh, where the winding number exceeds 1/2. Holes are closed by close_holes(). If all triangles
/// face inwards, they are reversed, with a line in `warnings`. Another line reports separate parts. Throws CaseError
/// (path: `name`) as close_holes() does, and if parts overlap.
[[nodiscard]] SolidPointer make_mesh_solid(TriangleMesh mesh, const std::string& name,
                                           std::vector<std::string>& warnings);

}  // namespace scree::grains
