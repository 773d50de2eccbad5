#pragma once

#include "scree/scene.hpp"

namespace scree::geometry {

/// The volume of a closed mesh of several shells. A shell is a set of triangles that are connected by edges.
struct ShellVolume {
  /// [m3] volume of all points that are inside an odd number of shells; MeshSurface::encloses() uses the same rule
  double volume = 0;
  /// [-] share of the surface area that lies on the wrong side of another shell because the two shells cross
  double crossing = 0;
};

/// Computes the volume of a closed mesh [m]. The orientation of the triangles does not matter: a shell inside another
/// shell is a hole, a shell inside a hole is solid, and the volumes of separate shells are added. If shells cross, the
/// volume is wrong and `crossing` is above 0. Some thousand sample points of the surface decide which shell is inside
/// which.
[[nodiscard]] ShellVolume shell_volume(const TriangleMesh& mesh);

}  // namespace scree::geometry
