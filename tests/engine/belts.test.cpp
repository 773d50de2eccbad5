#include <algorithm>
#include <cmath>

#include "../physics/clump_shapes.hpp"
#include "busy_scene.hpp"
#include "grain_kit.hpp"
#include "host/case/laws.hpp"

/// Boundaries whose surface moves while they stay where they are, or move as well: the same bits in any run, and the
/// motion of particles on a plane that moves in itself.
namespace scree::inline SCREE_BACKEND::belts_test {

class Belts : public BackendTest, public ::testing::WithParamInterface<LawKind> {};

/// The surfaces of a cylinder that stands still, a floor that moves and a paddle that turns.
Scene busy_belts(Precision precision, LawKind law, double verlet) {
  Scene scene = busy_scene(precision, law, verlet);
  scene.boundaries[0].surface_motion = {{Rotation{{0, 0, 1}, {0, 0, 0}, -60}}, {Translation{{0, 0, 0.2}}, 2e-4}};
  scene.boundaries[1].surface_motion = {{Translation{{-0.7, 0.3, 0.2}}}, {Rotation{{0, 1, 0}, {0, 0, 0.01}, 30}, 4e-4}};
  scene.boundaries[2].surface_motion = {
      {TableMotion{.direction = Real3{0, 0, 1}, .velocity = TimeTable{{0, -0.5}, {1e-3, 0.5}, {2e-3, 0}}}}};
  return scene;
}

StateHash hash_after(const Scene& scene, std::uint64_t steps, int threads) {
  const auto engine = make_backend_engine(scene, threads);
  engine->advance(steps);
  return engine->hash();
}

TEST_P(Belts, SameBitsForThreadsListsAndRestarts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = busy_belts(precision, GetParam(), 0.2);
    const auto whole = make_backend_engine(scene);
    whole->advance(240);
    EXPECT_GT(whole->counts().boundary_contacts, 2u);
    EXPECT_GT(whole->counts().searches, 1u);
    EXPECT_FALSE(whole->hash() == hash_after(busy_scene(precision, GetParam(), 0.2), 240, 1)) << "nothing slides";
    EXPECT_TRUE(whole->hash() == hash_after(scene, 240, 2)) << "two threads";
    EXPECT_TRUE(whole->hash() == hash_after(busy_belts(precision, GetParam(), 0.05), 240, 1)) << "another list";
    const auto first = make_backend_engine(scene), resumed = make_backend_engine(scene, 2);
    for (int k = 0; k < 110; ++k) { first->advance(1); }
    resumed->restore(first->save());
    resumed->advance(130);
    EXPECT_TRUE(whole->hash() == resumed->hash()) << "resumed";
    int worked = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_EQ(whole->boundary_loads()[b].work, resumed->boundary_loads()[b].work);
      worked += whole->boundary_loads()[b].work != 0 ? 1 : 0;
    }
    EXPECT_GE(worked, 2);
  }
}

/// Bodies that fall on the plane z = 0 and slide, roll and spin there: spheres and clumps.
Scene bodies_on_plane(LawKind law) {
  Scene scene = glass_scene(Precision::double_, law);
  scene.gravity = {0, 0, -200};
  if (law == LawKind::hertz_mindlin || law == LawKind::linear_spring_dashpot) {
    scene.pairs[0].rolling = {.stiffness = 0.5, .friction = 0.05, .twisting_stiffness = 0.5, .twisting_friction = 0.05};
  }
  scene.energies = true;
  scene.clump_shapes.push_back(physics::dumbbell(0.7 * bead, 0.75 * bead));
  Random random(4);
  for (int k = 0; k < 12; ++k) {
    const Real3 place{(k % 4) * 3 * bead, (k / 4) * 3 * bead, 1.02 * bead},
        v = random.point({-0.1, -0.1, -0.2}, {0.1, 0.1, -0.1}), spin = random.point({-90, -90, -90}, {90, 90, 90});
    if (k % 3 == 2) {
      physics::add_clump(scene, 0, place, v, spin, physics::turn({0, 1, 1}, 0.3 * k));
    } else {
      add_body(scene, place, bead, v, spin);
    }
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

/// A plane that moves in itself, and one whose surface alone moves, act alike.
void expect_to_move_alike(Scene scene, const Motion& motion, std::uint64_t steps) {
  SceneBoundary& plane = scene.boundaries.back();
  plane.motion = {motion};
  const auto moving = make_backend_engine(scene);
  std::swap(plane.motion, plane.surface_motion);
  const auto sliding = make_backend_engine(scene);
  moving->advance(steps), sliding->advance(steps);
  const Snapshot a = moving->snapshot(), b = sliding->snapshot();
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    EXPECT_LT(length_of(a.position[i] - b.position[i]), 1e-10 * bead) << i;
    EXPECT_LT(length_of(a.angular_velocity[i] - b.angular_velocity[i]), 1e-8) << i;
  }
  const EnergyLedger e = moving->energies(), f = sliding->energies();
  EXPECT_GT(std::abs(e.boundaries), 0.1 * e.friction);
  EXPECT_NEAR(e.boundaries / f.boundaries, 1, 1e-8);
  EXPECT_NEAR(e.friction / f.friction, 1, 1e-8);
  EXPECT_NEAR(e.error - f.error, 0, 1e-8 * e.friction);
  // The poses tell the velocity of a moving plane up to terms of second order in the step.
  EXPECT_NEAR(moving->boundary_loads().back().work / sliding->boundary_loads().back().work, 1, 1e-6);
}

// The same contacts see the same velocities: differences are those of rounding, at places of the plane that differ.
TEST_P(Belts, APlaneThatMovesInItselfActsAlike) {
  const Scene scene = bodies_on_plane(GetParam());
  expect_to_move_alike(scene, {Translation{{0.4, -0.2, 0}}}, 500);
  expect_to_move_alike(scene, {Rotation{{0, 0, 1}, {4.5 * bead, 3 * bead, 0}, 60.0}}, 500);
}
INSTANTIATE_TEST_SUITE_P(Laws, Belts,
                         ::testing::Values(LawKind::hertz_mindlin, LawKind::cundall_strack, LawKind::mindlin_reversal,
                                           LawKind::jkr, LawKind::linear_spring_dashpot, LawKind::jaeger,
                                           LawKind::eepa),
                         [](const auto& law) { return law_name(law.param); });

using GrainsOnBelts = BackendTest;

TEST_F(GrainsOnBelts, APlaneThatMovesInItselfActsAlike) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 1e3;
  scene.pairs[0].springs.shear_stiffness = 600;
  scene.gravity = {0, 0, -50};
  scene.energies = true;
  add_grain_shape(scene,
                  grain_of(rounded_box({0.6 * bead, 0.5 * bead, 0.6 * bead}, 0.2 * bead), 1.3 * bead, 0.1 * bead, 600));
  physics::add_clump(scene, 0, {2 * bead, 0, 1.1 * bead}, {0.1, 0.05, -0.4}, {100, -50, 20},
                     physics::turn({1, 2, -1}, 0.7));
  physics::add_clump(scene, 0, {2 * bead, 4 * bead, 0.75 * bead});
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  expect_to_move_alike(scene, {Translation{{0.4, -0.2, 0}}}, 1500);
  expect_to_move_alike(scene, {Rotation{{0, 0, 1}, {bead, 0, 0}, 60.0}}, 1500);
}

// The shell of a cylinder that turns about its axis acts as one whose surface turns, also on grains.
TEST_F(GrainsOnBelts, ACylinderThatTurnsActsAlike) {
  Scene scene = bodies_on_plane(LawKind::hertz_mindlin);
  scene.boundaries.clear();
  add_plane(scene, {0, 0, -0.3 * bead}, {0, 0, 1});
  add_cylinder(scene, {4.5 * bead, 3 * bead, -20 * bead}, {4.5 * bead, 3 * bead, 20 * bead}, 7 * bead);
  scene.gravity = {300, 50, -50};
  expect_to_move_alike(scene, {Rotation{{0, 0, 1}, {4.5 * bead, 3 * bead, 0}, 60.0}}, 800);
}

}  // namespace scree::inline SCREE_BACKEND::belts_test
