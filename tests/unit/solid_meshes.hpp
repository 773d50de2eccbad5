#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "host/geometry/real3.hpp"
#include "host/geometry/volume_mesh.hpp"

namespace scree::test {

/// A box about the origin as hexahedra.
inline geometry::VolumeMesh box_of_hexahedra(const Real3& half_edges, const std::array<std::uint32_t, 3>& cells) {
  geometry::VolumeMesh mesh;
  const auto place = [&](std::uint32_t at, std::size_t axis) {
    return half_edges[axis] * (2 * static_cast<double>(at) / static_cast<double>(cells[axis]) - 1);
  };
  const auto point = [&](std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    return (k * (cells[1] + 1) + j) * (cells[0] + 1) + i;
  };
  for (std::uint32_t k = 0; k <= cells[2]; ++k) {
    for (std::uint32_t j = 0; j <= cells[1]; ++j) {
      for (std::uint32_t i = 0; i <= cells[0]; ++i) {
        mesh.points.push_back({place(i, 0), place(j, 1), place(k, 2)});
        if (i == cells[0] || j == cells[1] || k == cells[2]) { continue; }
        mesh.hexahedra.push_back({point(i, j, k), point(i + 1, j, k), point(i + 1, j + 1, k), point(i, j + 1, k),
                                  point(i, j, k + 1), point(i + 1, j, k + 1), point(i + 1, j + 1, k + 1),
                                  point(i, j + 1, k + 1)});
      }
    }
  }
  return mesh;
}

/// A ball about the origin as tetrahedra: the shells of a cube become those of the ball, and each small cube is cut
/// into six.
inline geometry::VolumeMesh ball_of_tetrahedra(double radius, std::uint32_t cells) {
  geometry::VolumeMesh mesh = box_of_hexahedra({1, 1, 1}, {cells, cells, cells});
  for (Real3& point : mesh.points) {
    const double shell = std::max({std::fabs(point[0]), std::fabs(point[1]), std::fabs(point[2])});
    if (shell > 0) { point = geometry::scaled(point, radius * shell / geometry::length(point)); }
  }
  for (const auto& c : mesh.hexahedra) {  // around the diagonal from corner 0 to corner 6
    for (const auto& [a, b] : {std::array<std::size_t, 2>{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}}) {
      mesh.tetrahedra.push_back({c[0], c[a], c[b], c[6]});
    }
  }
  mesh.hexahedra.clear();
  return mesh;
}

}  // namespace scree::test
