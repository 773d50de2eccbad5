#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "host/geometry/real3.hpp"
#include "scree/scene.hpp"

namespace scree::test {

/// A closed box of twelve triangles that face outwards.
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

/// The closed surface of an L-shaped prism, facing outwards: the square [0,2]^2 without [1,2]^2, times [0,1].
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

/// A closed ring about z of n x n quads that face outwards. Its vertices lie on a torus.
inline TriangleMesh sample_torus(double major_radius, double minor_radius, std::uint32_t n) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const double u = 2 * std::numbers::pi * i / n, v = 2 * std::numbers::pi * j / n;
      const double away = major_radius + minor_radius * std::cos(v);
      mesh.vertices.push_back({away * std::cos(u), away * std::sin(u), minor_radius * std::sin(v)});
      const std::uint32_t p = j * n + i, q = j * n + (i + 1) % n, r = (j + 1) % n * n + (i + 1) % n,
                          s = (j + 1) % n * n + i;
      mesh.triangles.push_back({p, q, r});
      mesh.triangles.push_back({p, r, s});
    }
  }
  return mesh;
}

/// Writes a binary STL (single precision).
inline void write_stl(const std::filesystem::path& file, const TriangleMesh& mesh) {
  std::string content(80, ' ');
  const auto append_integer = [&](std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) content.push_back(static_cast<char>((value >> shift) & 0xffU));
  };
  const auto append_vector = [&](const Real3& vector) {
    for (const double x : vector) append_integer(std::bit_cast<std::uint32_t>(static_cast<float>(x)));
  };
  append_integer(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& [a, b, c] : mesh.triangles) {
    const Real3 &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
    append_vector(geometry::unit(geometry::cross(geometry::subtract(q, p), geometry::subtract(r, p))));
    append_vector(p);
    append_vector(q);
    append_vector(r);
    content.append(2, '\0');
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  EXPECT_TRUE(out) << file;
}

}  // namespace scree::test
