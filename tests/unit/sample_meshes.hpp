#pragma once

#include <array>
#include <cstdint>

#include "scree/scene.hpp"

namespace scree::test {

/// Closed box of twelve triangles, facing outwards.
inline TriangleMesh sample_box(const Real3& low, const Real3& high) {
  TriangleMesh mesh;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Real3 &x = corner & 1U ? high : low, &y = corner & 2U ? high : low, &z = corner & 4U ? high : low;
    mesh.vertices.push_back({x[0], y[1], z[2]});
  }
  const std::array<std::array<std::uint32_t, 4>, 6> sides = {
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : sides) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

/// Closed surface of an L-shaped prism, facing outwards: the square [0,2]^2 without its corner [1,2]^2, times [0,1].
inline TriangleMesh sample_corner() {
  const std::array<std::array<double, 2>, 6> outline = {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}};
  TriangleMesh mesh;
  for (const double z : {0.0, 1.0}) {
    for (const auto& [x, y] : outline) mesh.vertices.push_back({x, y, z});
  }
  for (std::uint32_t a = 0; a < 6; ++a) {
    const std::uint32_t b = (a + 1) % 6;
    mesh.triangles.push_back({a, b, b + 6});
    mesh.triangles.push_back({a, b + 6, a + 6});
  }
  const std::array<std::array<std::uint32_t, 3>, 4> faces = {{{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}};
  for (const auto& [a, b, c] : faces) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + 6, b + 6, c + 6});
  }
  return mesh;
}

}  // namespace scree::test
