#include <gtest/gtest.h>

#include <cmath>

#include "scenes.hpp"

namespace scree::physics::statics_test {

/// A column of spheres that just touch at the start, damped until it is at rest.
Snapshot column_at_rest(Scene scene, double radius, int count, double time) {
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damping = 0.5;
  for (int i = 0; i < count; ++i) { add_sphere(scene, {0, 0, (2 * i + 1) * radius}, radius); }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const auto engine = start(scene);
  engine->advance(static_cast<std::uint64_t>(time / scene.time_step));
  return engine->snapshot();
}

void expect_linear_column(const Snapshot& column, double tolerance) {
  const double z[] = {.0099946580, .0299903845, .0499871793, .0699850425, .0899839741};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(column.position[i][2], z[i], tolerance) << i;
    const double below = i == 0 ? -0.01 : column.position[i - 1][2];  // a wall acts like a mirrored sphere below it
    EXPECT_NEAR(0.02 - (column.position[i][2] - below), double(5 - i) * 1.068392830e-6, tolerance) << i;
  }
}

// A24, statics of linear springs (closed form); 1e-9 m as in the catalogue.
TEST(Statics, A24LinearColumn) {
  expect_linear_column(column_at_rest(linear_scene({1e7, 0.3, 2600}, 0.5, 1e-4), 0.01, 5, 0.5), 1e-9);
}
// A24 in mixed precision: overlaps are differences in double, but a radius is a float with an error of up to 3e-10 m,
// and nine radii lie below the highest centre.
TEST(Statics, A24LinearColumnMixedPrecision) {
  Scene scene = linear_scene({1e7, 0.3, 2600}, 0.5, 1e-4);
  scene.precision = Precision::mixed;
  expect_linear_column(column_at_rest(scene, 0.01, 5, 0.5), 3e-9);
}

// A24, statics of Hertz contacts between spheres (closed form); 1e-9 m as in the catalogue.
TEST(Statics, A24HertzColumn) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Scene scene = hertz_scene({1e8, 0.3, 2500}, {0.5, 0.1}, 2e-5);
    scene.precision = precision;
    const Snapshot column = column_at_rest(scene, 0.005, 4, 0.3);
    const double overlap[] = {4.800219e-6, 3.663252e-6, 2.307704e-6};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(0.01 - (column.position[i + 1][2] - column.position[i][2]), overlap[i], 1e-9) << i;
    }
  }
}

constexpr double trough_force = .0755467814805, trough_overlap = 7.554678e-7;

Scene trough_scene() {
  Scene scene = linear_scene({1e7, 0.3, 2600}, 0, 2e-5);  // friction would carry a part
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damping = 0.5;
  add_sphere(scene, {0, 0, 0.01 * std::sqrt(2.0)}, 0.01);
  return scene;
}

// A25: two planes at 45 degrees (closed form). Relative 1e-6 as in the catalogue, the overlap to its seven digits.
TEST(Statics, A25TroughOfPlanes) {
  Scene scene = trough_scene();
  add_plane(scene, {0, 0, 0}, {1, 0, 1});
  add_plane(scene, {0, 0, 0}, {-1, 0, 1});
  const auto engine = start(scene);
  engine->advance(20000);
  EXPECT_EQ(coordination(*engine).at(0), 2U);
  const Real3 at = read(*engine).position;
  for (const double side : {1.0, -1.0}) {
    const auto load = engine->boundary_loads().at(side > 0 ? 0 : 1);
    EXPECT_NEAR(norm(load.force) / trough_force, 1, 1e-6);
    EXPECT_NEAR(dot(load.force, {-side, 0, -1}) / std::sqrt(2.0) / trough_force, 1, 1e-6);
    EXPECT_NEAR((0.01 - dot(at, {side, 0, 1}) / std::sqrt(2.0)) / trough_overlap, 1, 1e-6);
  }
}

// A25 with facets instead of planes, in one mesh with a concave seam and in two meshes.
TEST(Statics, A25TroughOfFacets) {
  const Real3 seam{0, -0.1, 0}, along{0, 0.2, 0};
  const TriangleMesh rising_left = parallelogram(seam, {-0.1, 0, 0.1}, along);
  const TriangleMesh rising_right = parallelogram(seam, {0.1, 0, 0.1}, along);
  for (const bool one_mesh : {true, false}) {
    Scene scene = trough_scene();
    if (one_mesh) {
      TriangleMesh both = rising_left;  // its vertices 0 and 3 are the seam
      both.vertices.push_back(rising_right.vertices[1]);
      both.vertices.push_back(rising_right.vertices[2]);
      both.triangles.push_back({0, 5, 4});
      both.triangles.push_back({0, 3, 5});
      add_mesh(scene, both);
    } else {
      add_mesh(scene, rising_left);
      add_mesh(scene, rising_right);
    }
    const auto engine = start(scene);
    engine->advance(20000);
    EXPECT_EQ(coordination(*engine).at(0), 2U);
    const Reading sphere = read(*engine);
    for (const double side : {1.0, -1.0}) {
      EXPECT_NEAR((0.01 - dot(sphere.position, {side, 0, 1}) / std::sqrt(2.0)) / trough_overlap, 1, 1e-6) << one_mesh;
    }
    const auto loads = engine->boundary_loads();
    if (one_mesh) {
      EXPECT_NEAR(loads[0].force[2] / (-trough_force * std::sqrt(2.0)), 1, 1e-6);
    } else {
      for (const auto& load : loads) { EXPECT_NEAR(norm(load.force) / trough_force, 1, 1e-6); }
    }
  }
}

}  // namespace scree::physics::statics_test
