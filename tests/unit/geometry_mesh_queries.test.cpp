#include <gtest/gtest.h>

#include <numbers>

#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/packing/random.hpp"
#include "sample_meshes.hpp"

namespace scree::geometry::geometry_mesh_queries_test {

using test::sample_box;
using test::sample_corner;

TEST(MeshTopology, VolumeAndClosednessOfKnownBodies) {
  const TriangleMesh box = sample_box({-1, 0, 5}, {1, 3, 6});
  EXPECT_TRUE(is_closed(box));
  EXPECT_NEAR(signed_volume(box), 6.0, 1e-14);
  const TriangleMesh corner = sample_corner();
  EXPECT_TRUE(is_closed(corner));
  EXPECT_NEAR(signed_volume(corner), 3.0, 1e-14);
}

TEST(MeshTopology, AMissingTriangleLeavesThreeOpenEdges) {
  TriangleMesh box = sample_box({0, 0, 0}, {1, 1, 1});
  box.triangles.pop_back();
  EXPECT_FALSE(is_closed(box));
  EXPECT_EQ(edge_faults(box).open, 3u);
  EXPECT_EQ(edge_faults(box).text(), "3 open edges");
}

TEST(MeshTopology, AFlippedOrDoubledTriangleIsFound) {
  TriangleMesh flipped = sample_box({0, 0, 0}, {1, 1, 1});
  std::swap(flipped.triangles[4][0], flipped.triangles[4][1]);
  EXPECT_EQ(edge_faults(flipped).opposing, 3u);
  TriangleMesh doubled = sample_box({0, 0, 0}, {1, 1, 1});
  doubled.triangles.push_back(doubled.triangles[0]);
  EXPECT_EQ(edge_faults(doubled).crowded, 3u);
  EXPECT_FALSE(is_closed(flipped) || is_closed(doubled) || is_closed({}));
}

TEST(MeshSurface, EnclosesExactlyTheInsideOfAConcaveBody) {
  const TriangleMesh mesh = sample_corner();
  const MeshSurface surface(mesh);
  packing::Random random(3, 0);
  for (int k = 0; k < 20000; ++k) {
    const Real3 p = {random.uniform(-0.5, 2.5), random.uniform(-0.5, 2.5), random.uniform(-0.5, 1.5)};
    const bool inside = p[0] > 0 && p[1] > 0 && p[2] > 0 && p[2] < 1 && p[0] < 2 && p[1] < 2 && (p[0] < 1 || p[1] < 1);
    ASSERT_EQ(surface.encloses(p), inside) << p[0] << " " << p[1] << " " << p[2];
  }
}

TEST(MeshSurface, EnclosesTheInsideOfARingOfManyTriangles) {
  const double major_radius = 1, minor_radius = 0.4;
  const TriangleMesh mesh = test::sample_torus(major_radius, minor_radius, 60);
  ASSERT_TRUE(is_closed(mesh));
  const MeshSurface surface(mesh);
  packing::Random random(5, 0);
  int inside = 0, in_the_hole = 0;
  for (int k = 0; k < 50000; ++k) {
    const Real3 p = {random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5), random.uniform(-0.5, 0.5)};
    const double across = std::hypot(p[0], p[1]), depth = minor_radius - std::hypot(across - major_radius, p[2]);
    if (std::fabs(depth) < 0.01) continue;  // the quads deviate from the torus by up to 0.002
    ASSERT_EQ(surface.encloses(p), depth > 0) << p[0] << " " << p[1] << " " << p[2];
    inside += depth > 0 ? 1 : 0;
    in_the_hole += across < major_radius - minor_radius ? 1 : 0;
  }
  EXPECT_GT(inside, 10000);
  EXPECT_GT(in_the_hole, 1000);
}

TEST(MeshSurface, RaysThroughEdgesAndVerticesCountOnce) {
  const TriangleMesh mesh = sample_corner();
  const MeshSurface surface(mesh);
  // Columns above diagonals, edges and the vertex (1, 1) of both end faces.
  for (const auto& [x, y] : {std::pair{0.5, 0.5}, {1.0, 1.0}, {1.0, 0.5}, {0.5, 1.0}, {1.5, 0.5}, {1.0, 0.25}}) {
    if (!(x == 1.0 && y == 1.0)) { EXPECT_TRUE(surface.encloses({x, y, 0.5})) << x << " " << y; }
    EXPECT_FALSE(surface.encloses({x, y, -0.5})) << x << " " << y;
    EXPECT_FALSE(surface.encloses({x, y, 1.5})) << x << " " << y;
  }
}

TEST(MeshSurface, DistanceToABoxIsExact) {
  const TriangleMesh mesh = sample_box({0, 0, 0}, {1, 1, 1});
  const MeshSurface surface(mesh);
  const auto distance = [&](const Real3& p) { return std::sqrt(surface.squared_distance_within(p, 10)); };
  EXPECT_NEAR(distance({0.5, 0.5, 0.25}), 0.25, 1e-15);
  EXPECT_NEAR(distance({0.5, 0.5, 3}), 2, 1e-15);
  EXPECT_NEAR(distance({2, 2, 0.5}), std::numbers::sqrt2, 1e-15);
  EXPECT_NEAR(distance({-1, -1, -1}), std::numbers::sqrt3, 1e-15);
  EXPECT_EQ(distance({0.3, 0.3, 1}), 0);
  EXPECT_EQ(surface.squared_distance_within({0.5, 0.5, 3}, 0.5), 0.25);  // nothing is closer than 0.5
}

TEST(MeshSurface, TriangleDistanceCoversFaceEdgesAndVerticesOfAnObtuseTriangle) {
  const Real3 a = {0, 0, 0}, b = {4, 0, 0}, c = {-1, 1, 0};
  EXPECT_DOUBLE_EQ(squared_distance({1, 0.2, 3}, a, b, c), 9);
  EXPECT_DOUBLE_EQ(squared_distance({2, -2, 0}, a, b, c), 4);
  EXPECT_DOUBLE_EQ(squared_distance({-1, -1, 0}, a, b, c), 2);
  EXPECT_DOUBLE_EQ(squared_distance({6, 0, 0}, a, b, c), 4);
  EXPECT_DOUBLE_EQ(squared_distance({-2, 2, 1}, a, b, c), 3);
}

}  // namespace scree::geometry::geometry_mesh_queries_test
