#pragma once

#include <map>
#include <numbers>
#include <utility>

#include "grain_kit.hpp"

/// Spheres whose surface is that of a divided icosahedron.
namespace scree::inline SCREE_BACKEND {

/// Triangles of an icosahedron on the unit sphere, each divided into four `level` times.
inline TriangleMesh icosphere(int level) {
  const double g = 0.5 * (1 + std::sqrt(5.0));
  TriangleMesh mesh;
  mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Real3& x : mesh.vertices) { x = (1 / length_of(x)) * x; }
  mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int l = 0; l < level; ++l) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, added] = between.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh.vertices.size()));
      if (added) {
        const Real3 sum = mesh.vertices[a] + mesh.vertices[b];
        mesh.vertices.push_back((1 / length_of(sum)) * sum);
      }
      return at->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      for (const std::array<std::uint32_t, 3>& t :
           {std::array{a, ab, ca}, std::array{b, bc, ab}, std::array{c, ca, bc}, std::array{ab, bc, ca}}) {
        finer.push_back(t);
      }
    }
    mesh.triangles = finer;
  }
  return mesh;
}

/// A sphere on a grid of spacing 1 with the nodes and the triangles of an icosphere. Each node has a third of the
/// spherical triangles at it. With `raw` the grid has the plain distance.
inline GrainShape sphere_of(double radius, int level, bool raw = false) {
  GrainShape shape;
  shape.name = "sphere";
  fill_grid(shape, ball(radius), radius, 1);
  if (raw) {
    for (std::size_t n = 0; n < shape.phi.size(); ++n) {
      const std::size_t i = n % shape.size[0], j = n / shape.size[0] % shape.size[1],
                        k = n / (std::size_t(shape.size[0]) * shape.size[1]);
      shape.phi[n] = static_cast<float>(
          length_of({shape.origin[0] + double(i), shape.origin[1] + double(j), shape.origin[2] + double(k)}) - radius);
    }
  }
  const TriangleMesh mesh = icosphere(level);
  shape.triangle = mesh.triangles;
  shape.node_area.assign(mesh.vertices.size(), 0);
  for (const Real3& x : mesh.vertices) { shape.node.push_back(radius * x); }
  for (const auto& t : mesh.triangles) {
    const Real3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const double solid = 2 * std::atan2(physics::dot(a, physics::cross(b, c)),
                                        1 + physics::dot(a, b) + physics::dot(b, c) + physics::dot(c, a));
    for (const std::uint32_t corner : t) { shape.node_area[corner] += solid * radius * radius / 3; }
  }
  shape.volume = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
  const double moment = 0.4 * shape.volume * radius * radius;
  shape.inertia = {moment, moment, moment};
  shape.bounding_radius = shape.equivalent_radius = radius;
  return shape;
}

}  // namespace scree::inline SCREE_BACKEND
