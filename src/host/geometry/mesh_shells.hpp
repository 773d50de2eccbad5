#pragma once

#include "scree/scene.hpp"

namespace scree::geometry {

/// The volume of a closed mesh of several shells: pieces that hang together along edges.
struct ShellVolume {
  /// [m3] Volume of the points that lie inside of an odd number of shells, as MeshSurface::encloses() counts.
  double volume = 0;
  /// [-] Part of the surface where shells cross: there a shell is on the other side of another one than elsewhere.
  double crossing = 0;
};

/// Which way the triangles face does not matter: a shell inside of another one is a hole, one inside of a hole is solid
/// again, and shells beside each other add up. For shells that cross the volume is wrong. Sides are known from some
/// thousand points of the surface.
[[nodiscard]] ShellVolume shell_volume(const TriangleMesh& mesh);

}  // namespace scree::geometry
