#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "scenes.hpp"

/// Meshes whose facets continue each other, and what a sphere feels of them.
namespace scree::physics {

/// [m] of the sphere, and of the cylinder or bowl in which it moves.
inline constexpr double radius = 0.01, shell = 0.1;

/// A hollow cylinder about y of flat strips, turned by an angle. Every other rectangle is cut along the other diagonal.
inline TriangleMesh strips(std::uint32_t count, double turned = 0, double half_length = 0.5, std::uint32_t cuts = 1) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= cuts; ++j) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const double angle = turned + 2 * pi * k / count;
      mesh.vertices.push_back({shell * std::cos(angle), half_length * (2.0 * j / cuts - 1), shell * std::sin(angle)});
    }
  }
  for (std::uint32_t j = 0; j < cuts; ++j) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t a = j * count + k, b = j * count + (k + 1) % count, c = a + count, d = b + count;
      if ((j + k) % 2 == 0) {
        mesh.triangles.push_back({a, c, b}), mesh.triangles.push_back({b, c, d});
      } else {
        mesh.triangles.push_back({a, c, d}), mesh.triangles.push_back({a, d, b});
      }
    }
  }
  return mesh;
}

/// A hollow cylinder with random cuts: strips of random width, each a row of triangles with corners at random places.
inline TriangleMesh irregular_strips(std::uint32_t count, std::uint64_t seed) {
  Numbers numbers(seed);
  TriangleMesh mesh;
  constexpr std::uint32_t rows = 40;
  std::vector<double> angles;
  for (std::uint32_t k = 0; k < count; ++k) { angles.push_back(2 * pi * (k + numbers.between(-0.35, 0.35)) / count); }
  for (const double angle : angles) {
    for (std::uint32_t j = 0; j <= rows; ++j) {
      const double y = 0.2 * ((j + (j == 0 || j == rows ? 0 : numbers.between(-0.4, 0.4))) / rows - 0.5);
      mesh.vertices.push_back({shell * std::cos(angle), y, shell * std::sin(angle)});
    }
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    for (std::uint32_t j = 0; j < rows; ++j) {
      const std::uint32_t a = k * (rows + 1) + j, b = (k + 1) % count * (rows + 1) + j;
      if (numbers.next() < 0.5) {
        mesh.triangles.push_back({a, a + 1, b}), mesh.triangles.push_back({b, a + 1, b + 1});
      } else {
        mesh.triangles.push_back({a, a + 1, b + 1}), mesh.triangles.push_back({a, b + 1, b});
      }
    }
  }
  return mesh;
}

/// A sphere of 20 * 4^levels facets with the given radius.
inline TriangleMesh icosphere(double size, int levels) {
  const double t = (1 + std::sqrt(5.0)) / 2;
  TriangleMesh mesh{{{-1, t, 0},
                     {1, t, 0},
                     {-1, -t, 0},
                     {1, -t, 0},
                     {0, -1, t},
                     {0, 1, t},
                     {0, -1, -t},
                     {0, 1, -t},
                     {t, 0, -1},
                     {t, 0, 1},
                     {-t, 0, -1},
                     {-t, 0, 1}},
                    {{{0, 11, 5}},  {{0, 5, 1}},  {{0, 1, 7}},  {{0, 7, 10}}, {{0, 10, 11}}, {{1, 5, 9}}, {{5, 11, 4}},
                     {{11, 10, 2}}, {{10, 7, 6}}, {{7, 1, 8}},  {{3, 9, 4}},  {{3, 4, 2}},   {{3, 2, 6}}, {{3, 6, 8}},
                     {{3, 8, 9}},   {{4, 9, 5}},  {{2, 4, 11}}, {{6, 2, 10}}, {{8, 6, 7}},   {{9, 8, 1}}}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t p, std::uint32_t q) {
      const auto [place, fresh] =
          middles.try_emplace({std::min(p, q), std::max(p, q)}, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (fresh) { mesh.vertices.push_back(0.5 * (mesh.vertices[p] + mesh.vertices[q])); }
      return place->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
    for (Real3& v : mesh.vertices) { v = (1 / norm(v)) * v; }
  }
  for (Real3& v : mesh.vertices) { v = (size / norm(v)) * v; }
  return mesh;
}

/// The force on a sphere at a place, and the number of its contacts, without gravity.
struct Felt {
  Real3 force;
  std::uint32_t contacts;
};
inline Felt felt(Scene scene, const Real3& place) {
  add_sphere(scene, place, radius);
  const auto engine = start(scene);
  engine->advance(1);
  return {read(*engine).force, coordination(*engine).at(0)};
}

/// [Pa], [N/m]
inline constexpr double soft_young = 1e5, linear_stiffness = soft_young * radius;

/// The meshes as boundaries of a soft material. Under the law cundall_strack a plane pushes a sphere with the overlap u
/// by linear_stiffness u.
inline Scene surface(const std::vector<TriangleMesh>& meshes, LawKind law = LawKind::cundall_strack) {
  Scene scene = law == LawKind::cundall_strack ? linear_scene({soft_young, 0.3, 2600}, 0, 1e-9)
                                               : hertz_scene({soft_young, 0.3, 2600}, {0, 0}, 1e-9);
  for (const TriangleMesh& mesh : meshes) { add_mesh(scene, mesh); }
  return scene;
}

/// Two rectangles that share an edge along y; the second one rises by an angle.
inline TriangleMesh valley(double angle) {
  TriangleMesh mesh{{{-0.05, -0.1, 0}, {-0.05, 0.1, 0}, {0, -0.1, 0}, {0, 0.1, 0}},
                    {{{0, 2, 1}}, {{1, 2, 3}}, {{2, 4, 3}}, {{3, 4, 5}}}};
  mesh.vertices.push_back({0.05 * std::cos(angle), -0.1, 0.05 * std::sin(angle)});
  mesh.vertices.push_back({0.05 * std::cos(angle), 0.1, 0.05 * std::sin(angle)});
  return mesh;
}

/// Centre of a sphere that follows a valley at a height above its surface. The path coordinate s is 0 at the seam;
/// where the centre would have to turn a corner, the path is a straight line.
inline Real3 above_valley(double angle, double s, double height) {
  const double limit = height * std::sin(0.5 * angle);
  const auto on_the_left = [&](double x) { return Real3{x, 0, height}; };
  const auto on_the_right = [&](double x) {
    return Real3{x * std::cos(angle) - height * std::sin(angle), 0, x * std::sin(angle) + height * std::cos(angle)};
  };
  if (s < -limit || !(limit > 0)) { return on_the_left(s); }
  if (s > limit) { return on_the_right(s); }
  const double share = (s + limit) / (2 * limit);
  return (1 - share) * on_the_left(-limit) + share * on_the_right(limit);
}

}  // namespace scree::physics
