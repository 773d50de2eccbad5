#include <gtest/gtest.h>

#include <cmath>

#include "seam_meshes.hpp"

// Two boundaries that continue each other act as one surface.
namespace scree::physics::joined_meshes_test {

/// Rectangles from x = from, tilted about this edge.
TriangleMesh floor_piece(double from, double to, double half_width, std::uint32_t cuts, double tilt = 0) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= cuts; ++j) {
    const double y = half_width * (2.0 * j / cuts - 1);
    mesh.vertices.push_back({from, y, 0}),
        mesh.vertices.push_back({from + (to - from) * std::cos(tilt), y, (to - from) * std::sin(tilt)});
  }
  for (std::uint32_t j = 0; j < cuts; ++j) {
    mesh.triangles.push_back({2 * j, 2 * j + 1, 2 * j + 2}),
        mesh.triangles.push_back({2 * j + 2, 2 * j + 1, 2 * j + 3});
  }
  return mesh;
}

/// A sphere that moves across x = 0 has one contact, with the force of one plane.
void expect_one_plane(const Scene& scene, double label) {
  for (const double overlap : {1e-3, 1e-2, 0.05}) {
    for (int k = -60; k <= 60; ++k) {
      const Felt here = felt(scene, {k / 60.0 * 0.4 * radius, 0.0003, (1 - overlap) * radius});
      EXPECT_EQ(here.contacts, 1U) << k;
      EXPECT_LT(norm(here.force - Real3{0, 0, linear_stiffness * overlap * radius}),
                1e-3 * linear_stiffness * overlap * radius)
          << k << ' ' << label;
    }
  }
}

// Two meshes end to end, with common corners and without. The sphere has one contact, with the force of one plane.
TEST(Seams, TwoMeshesThatContinueEachOther) {
  for (const std::uint32_t cuts : {6U, 7U}) {
    const Scene scene = surface({floor_piece(-0.1, 0, 0.1, 6), floor_piece(0, 0.1, 0.1, cuts)});
    expect_one_plane(scene, cuts);
  }
}

/// Two meshes as one, as in a file with several parts: their corners are not united.
TriangleMesh parts(TriangleMesh first, const TriangleMesh& second) {
  const auto n = static_cast<std::uint32_t>(first.vertices.size());
  first.vertices.insert(first.vertices.end(), second.vertices.begin(), second.vertices.end());
  for (const auto& t : second.triangles) { first.triangles.push_back({t[0] + n, t[1] + n, t[2] + n}); }
  return first;
}

// Parts of one mesh end to end, with corners at other places, apart by rounding, or one over the other. The sphere has
// one contact, with the force of one plane.
TEST(Seams, PartsOfOneMeshThatContinueEachOther) {
  for (const double end : {0.0, 1e-9, 0.003, 0.02}) {
    const Scene scene = surface({parts(floor_piece(-0.1, end, 0.1, 6), floor_piece(0, 0.1, 0.1, 7))});
    expect_one_plane(scene, end);
  }
}

// One facet beside two, which share corners with it: the corner between them lies on its edge.
TEST(Seams, ACornerOnAnEdgeOfItsMesh) {
  for (const double degrees : {0.0, 5.0, 20.0}) {
    const double angle = degrees * pi / 360, c = 0.1 * std::cos(angle), s = 0.1 * std::sin(angle);
    const Scene scene = surface({{{{-c, -0.1, s}, {-c, 0.1, s}, {0, -0.1, 0}, {0, 0.1, 0}, {c, 0, s}, {0, 0.004, 0}},
                                  {{0, 2, 1}, {1, 2, 3}, {2, 4, 5}, {5, 4, 3}}}});
    const Scene whole = surface(
        {{{{-c, -0.1, s}, {-c, 0.1, s}, {0, -0.1, 0}, {0, 0.1, 0}, {c, 0, s}}, {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}}}});
    for (const double overlap : {1e-3, 1e-2, 0.05}) {
      for (int k = -60; k <= 60; ++k) {
        for (const double y : {0.0, 0.0035, 0.004, 0.009}) {
          const double x = k / 60.0 * 0.4 * radius;
          const Real3 place{x, y, (1 - overlap) * radius / std::cos(angle) + std::abs(x) * std::tan(angle)};
          const Felt here = felt(scene, place), there = felt(whole, place);
          EXPECT_EQ(here.contacts, 1U) << degrees << ' ' << overlap << ' ' << k << ' ' << y;
          EXPECT_LT(norm(here.force - there.force), 1e-6 * norm(there.force)) << degrees << ' ' << overlap << ' ' << k;
        }
      }
    }
  }
}

// A mesh that continues a plane, level or as a ramp, acts like the valley of one mesh.
TEST(Seams, AMeshThatGoesOnFromAPlane) {
  for (const double degrees : {0.0, 5.0, 20.0}) {
    const double angle = degrees * pi / 180;
    Scene scene = surface({floor_piece(0, 0.1, 0.1, 5, angle)});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    const Scene whole = surface({valley(angle)});
    for (const double overlap : {1e-3, 1e-2, 0.05}) {
      for (int k = -60; k <= 60; ++k) {
        const Real3 place = above_valley(angle, k / 60.0 * 0.4 * radius, (1 - overlap) * radius);
        const Felt here = felt(scene, place), there = felt(whole, place);
        EXPECT_EQ(here.contacts, 1U);
        EXPECT_LT(norm(here.force - there.force), 1e-6 * norm(there.force)) << degrees << ' ' << overlap << ' ' << k;
      }
    }
  }
}

// Boundaries that move relative to each other are not joined. The force of the one that slides away must remain.
TEST(Seams, WhatMovesApartIsNotJoined) {
  Scene scene = surface({floor_piece(-0.1, 0, 0.1, 6), floor_piece(0, 0.1, 0.1, 6)});
  scene.boundaries[1].motion = {{Translation{{0, 1, 0}}}};
  EXPECT_EQ(felt(scene, {0, 0.0003, 0.95 * radius}).contacts, 2U);
  scene.boundaries[0].motion = scene.boundaries[1].motion;  // both move together again
  EXPECT_EQ(felt(scene, {0, 0.0003, 0.95 * radius}).contacts, 1U);
}

}  // namespace scree::physics::joined_meshes_test
