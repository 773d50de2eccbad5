#pragma once

#include <string>
#include <vector>

#include "host/grains/solid.hpp"

namespace scree::grains {

/// Holes may be at most this part of the surface of a mesh.
inline constexpr double most_open = 0.05;

/// Closes the holes of a mesh by triangles around the middle of each hole. Does nothing to a closed mesh. Adds a line
/// to `warnings`. Throws CaseError (path: `name`) when holes are more than `most_open` of the surface, or when two
/// triangles disagree about which side is outside.
void close_holes(TriangleMesh& mesh, const std::string& name, std::vector<std::string>& warnings);

/// The body inside of a mesh: inside is where the winding number exceeds 1/2. Its holes are closed as by close_holes(),
/// and triangles that all face inwards are turned, with a line in `warnings`. Another line tells of separate parts.
/// Throws CaseError (path: `name`), also for parts that overlap.
[[nodiscard]] SolidPointer make_mesh_solid(TriangleMesh mesh, const std::string& name,
                                           std::vector<std::string>& warnings);

}  // namespace scree::grains
