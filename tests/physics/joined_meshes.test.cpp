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

// Two meshes end to end, with common corners and without. The sphere has one contact, with the force of one plane.
TEST(Seams, TwoMeshesThatContinueEachOther) {
  for (const std::uint32_t cuts : {6U, 7U}) {
    const Scene scene = surface({floor_piece(-0.1, 0, 0.1, 6), floor_piece(0, 0.1, 0.1, cuts)});
    for (const double overlap : {1e-3, 1e-2, 0.05}) {
      for (int k = -60; k <= 60; ++k) {
        const Felt here = felt(scene, {k / 60.0 * 0.4 * radius, 0.0003, (1 - overlap) * radius});
        EXPECT_EQ(here.contacts, 1U) << k;
        EXPECT_LT(norm(here.force - Real3{0, 0, linear_stiffness * overlap * radius}),
                  1e-3 * linear_stiffness * overlap * radius)
            << k << ' ' << cuts;
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
