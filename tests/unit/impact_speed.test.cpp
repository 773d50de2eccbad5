#include "host/scene/time_step_impact.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace scree::impact_speed_test {

/// Particles at given places, at rest under gravity.
Scene scene_of(const std::vector<Real3>& places) {
  Scene scene;
  scene.gravity = {0, 0, -10};
  scene.particles.position = places;
  scene.particles.velocity.resize(places.size());
  scene.particles.radius.assign(places.size(), 1e-3);
  scene.particles.material.assign(places.size(), 0);
  return scene;
}

void add_plane(Scene& scene, const Real3& point, const Real3& normal) {
  SceneBoundary boundary;
  boundary.shape = PlaneBoundary{point, normal};
  scene.boundaries.push_back(boundary);
}

void add_mesh(Scene& scene, const std::vector<Real3>& vertices) {
  SceneBoundary boundary;
  boundary.shape = MeshBoundary{};
  boundary.mesh.vertices = vertices;
  scene.boundaries.push_back(boundary);
}

double height_of(const Scene& scene, const std::vector<InletStart>& inlets = {}) {
  return fall_height(scene, inlets, scene.gravity);
}

TEST(FallHeight, OntoAFloorFromTheHighest) {
  Scene scene = scene_of({{0, 0, 0.1}, {3, 0, 0.4}});
  EXPECT_EQ(height_of(scene), 0);  // nothing lies below
  add_plane(scene, {0, 0, -0.1}, {0, 0, 1});
  EXPECT_NEAR(height_of(scene), 0.5, 1e-12);
  EXPECT_NEAR(height_of(scene, {{{{-1, -1, 0.5}, {1, 1, 0.9}}, {}}}), 1.0, 1e-12);
  scene.gravity = {};
  EXPECT_EQ(height_of(scene), 0);
}

TEST(FallHeight, InABoxAlongGravity) {
  Scene scene = scene_of({{0.1, 0.1, 0.3}});
  SceneBoundary box;
  box.shape = BoxBoundary{{0, 0, 0}, {0.4, 0.2, 0.5}};
  scene.boundaries = {box};
  EXPECT_NEAR(height_of(scene), 0.3, 1e-12);
  scene.gravity = {6, 0, -8};  // it falls to the corner at x = 0.4: 0.6 * 0.3 + 0.8 * 0.3
  EXPECT_NEAR(height_of(scene), 0.42, 1e-9);
}

// An endless incline of 45 degrees: a particle hits it on its way straight down. A wall at the foot ends the slide, and
// an outlet before the wall makes the wall unreachable.
TEST(FallHeight, DownAnIncline) {
  const double half = std::sqrt(0.5);
  Scene scene = scene_of({{0, 0, 0.2}});
  add_plane(scene, {0, 0, 0}, {half, 0, half});
  EXPECT_NEAR(height_of(scene), 0.2, 1e-12);
  add_plane(scene, {1, 0, 0}, {-1, 0, 0});
  EXPECT_NEAR(height_of(scene), 1.2, 1e-9);
  scene.outlets = {{{0.5, 0, 0}, {1, 0, 0}, 0}};
  EXPECT_NEAR(height_of(scene), 0.7, 1e-9);
}

// A particle on its way into an outlet hits only boundaries above the outlet.
TEST(FallHeight, AboveAnOutlet) {
  Scene scene = scene_of({{0, 0, 0.3}});
  scene.outlets = {{{0, 0, -5}, {0, 0, -1}, 0}};
  EXPECT_EQ(height_of(scene), 0);
  add_mesh(scene, {{0, 0, 0.1}, {0.1, 0, 0.1}, {0, 0.1, -0.2}});
  EXPECT_NEAR(height_of(scene), 0.5, 1e-12);
  add_mesh(scene, {{0, 0, 0}, {0.1, 0, 0}, {0, 0, -8}});  // this mesh ends below the outlet
  EXPECT_NEAR(height_of(scene), 5.3, 1e-9);
  add_plane(scene, {0, 0, -1}, {0, 0, 1});
  EXPECT_NEAR(height_of(scene), 1.3, 1e-9);
}

TEST(FallHeight, OntoShellsAndHeldParticles) {
  Scene scene = scene_of({{0, 0, 0.3}, {0, 0, 0.1}});
  SceneBoundary drum;
  drum.shape = CylinderBoundary{{0, 0, 0}, {0, 1, 0}, 0.5};
  scene.boundaries = {drum};
  EXPECT_NEAR(height_of(scene), 0.8, 1e-12);
  scene.boundaries.clear();
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation;
  scene.particles.group = {0, 1};
  EXPECT_NEAR(height_of(scene), 0.2, 1e-12);
  scene.particles.group = {1, 0};  // only the lower particle falls, and nothing lies below it
  EXPECT_EQ(height_of(scene), 0);
}

TEST(ImpactSpeed, AddsTheEnergiesOfStartAndFall) {
  Scene scene = scene_of({{0, 0, 0.2}, {1, 0, 0.2}});
  EXPECT_EQ(impact_speed(scene, {}), 0);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  EXPECT_NEAR(impact_speed(scene, {}), 2, 1e-12);
  scene.particles.velocity = {{3, 0, 0}, {1, 0, 0}};
  EXPECT_NEAR(impact_speed(scene, {}), std::sqrt(13.0), 1e-12);
  scene.particles.velocity = {{3, 0, 0}, {-2, 0, 0}};  // head-on
  EXPECT_NEAR(impact_speed(scene, {}), std::sqrt(29.0), 1e-12);
  EXPECT_NEAR(impact_speed(scene, {{{{0, 0, 0}, {0, 0, 0.1}}, {0, 0, -6}}}), 7,
              1e-12);  // sqrt(45) m/s relative to the first
  scene.boundaries[0].motion = {{Translation{{0, 0, 9}}}};
  EXPECT_NEAR(impact_speed(scene, {}), std::sqrt(85.0), 1e-12);
  scene.boundaries.back().surface_motion = {{Translation{{0, 3, 0}}}};  // on top of a speed of 9
  EXPECT_NEAR(impact_speed(scene, {}), std::sqrt(148.0), 1e-12);
}

// Stages let go of a particle that was held 0.2 m above the floor, throw it, and turn gravity up.
TEST(ImpactSpeed, CountsWhatStagesDo) {
  Scene scene = scene_of({{0, 0, 0.2}});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.particles.group = {1};
  EXPECT_EQ(impact_speed(scene, {}), 0);
  SceneStage let_go, strong;
  let_go.groups = {{1, {.fixed = 0u}}};
  scene.stages = {let_go};
  EXPECT_NEAR(impact_speed(scene, {}), 2, 1e-12);
  scene.stages[0].groups[0].change.velocity = Real3{0, 3, 0};
  EXPECT_NEAR(impact_speed(scene, {}), std::sqrt(13.0), 1e-12);
  strong.gravity = Real3{0, 0, -40};
  scene.stages.push_back(strong);
  EXPECT_NEAR(impact_speed(scene, {}), 5, 1e-12);
  scene.stages[0].groups[0].change = {.rotation = Rotation{{0, 0, 1}, {2, 0, 0}, 4}};  // at 8 m/s
  EXPECT_NEAR(impact_speed(scene, {}), 8, 1e-12);
}

}  // namespace scree::impact_speed_test
