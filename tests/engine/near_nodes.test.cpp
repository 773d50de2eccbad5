#include "grain_kit.hpp"

// The nodes that a step looks at: those near to what they may touch, found anew when a grain has moved. Runs have the
// same bits as those that find them in each step.
namespace scree::inline SCREE_BACKEND::near_nodes_test {

using physics::add_clump;
using NearNodesTest = BackendTest;

TEST_F(NearNodesTest, RunsHaveTheBitsOfThoseThatFindNearNodesInEachStep) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const bool two_pass : {false, true}) {
      const auto engine = make_backend_engine(grain_drum(precision, two_pass)),
                 other = make_backend_engine(grain_drum(precision, two_pass));
      std::uint64_t nodes = 0, contacts = 0, boundary_contacts = 0;
      for (int k = 0; k < 300; ++k) {
        engine->advance(5);
        nodes = std::max(nodes, engine->node_counts().touching);
        contacts = std::max(contacts, engine->counts().contacts);
        boundary_contacts = std::max(boundary_contacts, engine->counts().boundary_contacts);
        for (int step = 0; step < 5; ++step) {
          other->search_neighbours();  // forgets the near nodes
          other->advance(1);
        }
        ASSERT_TRUE(engine->hash() == other->hash()) << "step " << 5 * k + 5;
      }
      EXPECT_GT(nodes, 20u);
      EXPECT_GT(contacts, 2u);
      EXPECT_GT(boundary_contacts, 2u);
      EXPECT_LT(4 * engine->node_counts().searches, other->node_counts().searches);
    }
  }
}

/// Boxes that tumble in a shell, which turns and swings, and fall over its rims.
Scene boxes_in(const decltype(SceneBoundary::shape)& shell) {
  Scene scene = glass_scene(Precision::mixed);
  scene.verlet_distance = 0.4 * bead;
  scene.gravity = {0, 0, -50};
  add_grain_shape(scene, rough_box());
  SceneBoundary boundary;
  boundary.name = "shell";
  boundary.shape = shell;
  boundary.motion = {{Rotation{{0, 0, 1}, {}, 30.0}}, {Rotation{{0.6, 0.8, 0}, {}, 4.0}}};
  scene.boundaries.push_back(boundary);
  Random random(3);
  for (int k = 0; k < 8; ++k) {
    const int row = k / 2 % 2, layer = k / 4;
    const Real3 x{(k % 2 - 0.5) * 1.6 * bead, (row - 0.5) * 1.6 * bead, layer * 1.6 * bead};
    const Real3 axis = random.direction(), v = random.point({-0.3, -0.3, -0.6}, {0.3, 0.3, 0.1}),
                spin = random.point({-60, -60, -60}, {60, 60, 60});
    const double angle = random(0, 3);
    add_clump(scene, 0, x, v, spin, physics::turn(axis, angle), 0.6);
  }
  return scene;
}

TEST_F(NearNodesTest, OfShellsAreThoseThatAStepFinds) {
  const decltype(SceneBoundary::shape) shells[] = {
      CylinderBoundary{{0, 0, -2 * bead}, {0, 0, 2.5 * bead}, 2.3 * bead},
      ConeBoundary{{0, 0, -2.5 * bead}, {0, 0, 2 * bead}, 0.9 * bead, 3.5 * bead},
      ConeBoundary{{0, 0, 3 * bead}, {0, 0, -2.6 * bead}, 0, 3.5 * bead}, SphereBoundary{{0, 0, 0}, 3.2 * bead}};
  for (const auto& shell : shells) {
    const auto engine = make_backend_engine(boxes_in(shell)), other = make_backend_engine(boxes_in(shell));
    std::uint64_t touched = 0;
    for (int k = 0; k < 300; ++k) {
      engine->advance(5);
      touched += engine->counts().boundary_contacts;
      for (int step = 0; step < 5; ++step) {
        other->search_neighbours();  // forgets the near nodes
        other->advance(1);
      }
      ASSERT_TRUE(engine->hash() == other->hash()) << "shell " << shell.index() << ", step " << 5 * k + 5;
    }
    EXPECT_GT(touched, 20u);
    EXPECT_LT(2 * engine->node_counts().searches, other->node_counts().searches);
  }
}

/// A field that is too steep for a distance: nodes must be looked at in time although values say that they are far.
TEST_F(NearNodesTest, AGrainIsFoundThroughASteepField) {
  GrainShape steep = grain_of(ball(bead), bead, 0.15 * bead, 400);
  for (float& phi : steep.phi) { phi *= 5; }
  const auto falling = [&](double step_length) {
    Scene scene = glass_scene(Precision::double_);
    scene.time_step = step_length;
    scene.verlet_distance = bead;
    add_grain_shape(scene, steep);
    add_clump(scene, 0, {0, 0, 0});
    add_clump(scene, 0, {0.1 * bead, 0, 2.3 * bead}, {0, 0, -1});
    return scene;
  };
  const auto engine = make_backend_engine(falling(1e-7)), other = make_backend_engine(falling(1e-7));
  std::uint64_t touched = 0;
  for (int step = 0; step < 6000; ++step) {
    other->search_neighbours();
    engine->advance(1);
    other->advance(1);
    touched += engine->node_counts().touching;
    ASSERT_TRUE(engine->hash() == other->hash()) << "step " << step;
  }
  EXPECT_GT(touched, 100u);
}

TEST_F(NearNodesTest, FewNodesAreLookedAtAndSeldomFound) {
  Scene scene = glass_scene();
  scene.gravity = {0, 0, -9.81};
  scene.integration.damping = 0.3;
  add_grain_shape(
      scene, grain_of(rounded_box({0.5 * bead, 0.5 * bead, 0.5 * bead}, 0.4 * bead), 1.3 * bead, 0.1 * bead, 1600));
  add_box_walls(scene, {4 * bead, 2 * bead, 0});
  add_clump(scene, 0, {bead, bead, bead});
  add_clump(scene, 0, {2.9 * bead, bead, bead});
  const auto engine = make_backend_engine(scene);
  engine->advance(5000);
  const NodeCounts before = engine->node_counts();
  engine->advance(1000);
  const NodeCounts after = engine->node_counts();
  EXPECT_GT(after.touching, 0u);
  EXPECT_GE(after.near, after.touching);
  // Two faces of half of the edge squared, of 1600 nodes on two grains: about 80 nodes on each.
  EXPECT_LT(after.near, 400u);
  EXPECT_LT(after.searches - before.searches, 100u);
}

}  // namespace scree::inline SCREE_BACKEND::near_nodes_test
