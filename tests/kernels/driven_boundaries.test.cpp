#include <algorithm>
#include <cmath>
#include <cstring>

#include "../engine/driven_scene.hpp"
#include "kernels/archive/state_io.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::driven_boundaries_test {

/// Spheres fall into a swinging cone, whose narrow end is narrower than a sphere, around a ball, within a box.
Scene funnel_scene(Precision precision, double verlet) {
  Scene scene = glass_scene(precision);
  scene.gravity = {0, 0, -800};
  scene.integration.damping = 0.3;
  scene.verlet_distance = verlet * bead;
  Random random(8);
  add_lattice(scene, {7, 7, 9}, {-7.35 * bead, -7.35 * bead, 8 * bead}, 2.1 * bead, {0.8 * bead, bead}, 1.5, random);
  const auto add = [&](const BoundaryShape& shape) -> SceneBoundary& {
    scene.boundaries.emplace_back().shape = shape;
    return scene.boundaries.back();
  };
  Oscillation swing;
  swing.axis = Real3{0, 1, 0};
  swing.amplitude = 0.05, swing.frequency = 400;
  SceneBoundary& cone = add(ConeBoundary{{0, 0, -4 * bead}, {0, 0, 30 * bead}, 0.5 * bead, 22 * bead});
  cone.motion = {{swing}};
  SceneBoundary& ball = add(SphereBoundary{{0, 0, 4 * bead}, 2 * bead});
  ball.motion = {{Translation{{0.5, 0, 0.3}}}};
  add(BoxBoundary{{-25 * bead, -25 * bead, -10 * bead}, {25 * bead, 25 * bead, 32 * bead}});
  return scene;
}

struct Outcome {
  StateHash hash;
  std::vector<BoundaryLoad> loads;
  EngineCounts counts;
};

Outcome run(const Scene& scene, std::uint64_t steps, int threads) {
  const auto engine = make_backend_engine(scene, threads);
  engine->advance(steps);
  return {engine->hash(), engine->boundary_loads(), engine->counts()};
}

void expect_same(const Outcome& a, const Outcome& b, const std::string& what) {
  EXPECT_TRUE(a.hash == b.hash) << what;
  for (std::size_t k = 0; k < a.loads.size(); ++k) {
    EXPECT_EQ(a.loads[k].work, b.loads[k].work) << what;
    EXPECT_EQ(a.loads[k].shift, b.loads[k].shift) << what;
    EXPECT_EQ(a.loads[k].angle, b.loads[k].angle) << what;
    EXPECT_EQ(a.loads[k].force, b.loads[k].force) << what;
  }
}

template <class MakeScene>
void expect_same_bits(const MakeScene& make, std::uint64_t steps) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Outcome first = run(make(precision, 0.2), steps, 1);
    EXPECT_GT(first.counts.contacts, 20u);
    EXPECT_GT(first.counts.boundary_contacts, 20u);
    EXPECT_GT(first.counts.searches, 2u);
    for (const double verlet : {0.02, 1.0}) {
      expect_same(run(make(precision, verlet), steps, 1), first, "Verlet distance");
    }
    const Outcome early = run(make(precision, 0.2), steps / 3, 1);
    for (const int threads : {2, 3}) { expect_same(run(make(precision, 0.2), steps / 3, threads), early, "threads"); }
  }
}

class DrivenSystem : public BackendTest {};

TEST_F(DrivenSystem, SameBits) {
  const Outcome outcome = run(driven_scene(Precision::mixed, 0.2), 300, 1);
  EXPECT_LT(outcome.loads[3].shift[2], -0.5 * bead);
  EXPECT_NE(outcome.loads[3].force[2], 0);
  EXPECT_NE(outcome.loads[2].rate, 40);
  EXPECT_NE(outcome.loads[2].work, 0);
  EXPECT_EQ(outcome.loads[0].work, 0);
  expect_same_bits(driven_scene, 300);
}

TEST_F(DrivenSystem, SameBitsInAFunnel) { expect_same_bits(funnel_scene, 1800); }

// The motion of driven boundaries is state: it can be saved and restored, and the pose follows from it.
TEST_F(DrivenSystem, StatesCanBeSavedAndRestored) {
  const Scene scene = driven_scene(Precision::double_, 0.2);
  BoundarySystem boundaries(scene);
  std::vector<DrivenState> states = boundaries.driven_states();
  ASSERT_EQ(states.size(), scene.boundaries.size());
  EXPECT_EQ(states[3].velocity.z, -2);
  EXPECT_EQ(states[2].rate, 40);
  EngineState saved;
  StateWriter writer(saved);
  boundaries.save(0, writer);
  StateArray& array = *std::find_if(saved.arrays.begin(), saved.arrays.end(),
                                    [](const StateArray& one) { return one.name == "boundaries/driven"; });
  ASSERT_EQ(array.bytes.size(), states.size() * sizeof(AxisMotion));
  AxisMotion moved = states[3];
  moved.shift.z = -0.25;
  std::memcpy(array.bytes.data() + 3 * sizeof moved, &moved, sizeof moved);
  StateReader reader(saved);
  boundaries.restore(reader);
  Exec exec(1);
  boundaries.place(exec, 1e-3);
  EXPECT_NEAR(copy_of(boundaries.view().pose)[3].place({0, 0, 0}).z, -0.25, 1e-15);
  EXPECT_EQ(copy_of(boundaries.view().pose)[3].velocity.z, -2);
  array.bytes.resize(array.bytes.size() - array.row_bytes());
  StateReader reader_of_less(saved);
  EXPECT_THROW(boundaries.restore(reader_of_less), StateError);
}

// The sums that drive boundaries are the loads that an engine reports, except for the order of additions.
TEST_F(DrivenSystem, LoadsAreThoseThatAreReported) {
  Scene scene = driven_scene(Precision::double_, 0.2);
  // The contacts must be the only load on this boundary, so that its acceleration gives their force.
  scene.boundaries[3].drive->translation =
      DrivenTranslation{.mass = 1, .free = {"x", "y", "z"}, .velocity = {0, 0, -1}};
  scene.gravity = {0, 0, 0};
  scene.integration.damping = 0;
  const auto engine = make_backend_engine(scene);
  engine->advance(200);
  const Real3 before = engine->boundary_loads()[3].velocity;
  engine->advance(1);
  const BoundaryLoad load = engine->boundary_loads()[3];
  EXPECT_GT(std::abs(load.force[2]), 1e-3);
  EXPECT_NEAR((load.velocity[2] - before[2]) / scene.time_step / load.force[2], 1, 1e-6);
}

// A cylinder gets its far side as a second feature if a particle of the scene or of an inlet is large enough to touch
// both sides.
TEST_F(DrivenSystem, CylindersHaveAFarSideForLargeParticlesOnly) {
  Scene scene = glass_scene();
  add_cylinder(scene, {0, 0, 0}, {0, 0, 1}, 2 * bead);
  add_body(scene, {0, 0, 0}, 1.9 * bead);
  EXPECT_EQ(BoundarySystem(scene).features().size(), 1u);
  SceneInlet inlet;
  inlet.largest_radius = 2.1 * bead;
  scene.inlets.push_back(inlet);
  EXPECT_EQ(BoundarySystem(scene).features().size(), 2u);
  scene.inlets.clear();
  add_body(scene, {1, 0, 0}, 2.1 * bead);
  EXPECT_EQ(BoundarySystem(scene).features().size(), 2u);
}

}  // namespace scree::inline SCREE_BACKEND::driven_boundaries_test
