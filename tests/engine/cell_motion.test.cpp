#include "cells.hpp"
#include "kernels/math/vec3.hpp"

/// What must not change a bit in a periodic cell, and what must change.
namespace scree::inline SCREE_BACKEND::cell_motion_test {

constexpr double rate = 400;  ///< [1/s]; so fast that the cell soon flips

class CellMotionTest : public BackendTest {};

Scene sheared(Precision precision, LawKind law = LawKind::hertz_mindlin) {
  Scene scene = dense_cell(5, precision, law);
  scene.cell->velocity_gradient = {{{0, rate, 0}, {0, 0, 0.3 * rate}, {0, 0, 0}}};
  return scene;
}

class CellMotionOfLaw : public BackendTest, public ::testing::WithParamInterface<LawKind> {};
INSTANTIATE_TEST_SUITE_P(Laws, CellMotionOfLaw, ::testing::Values(LawKind::mindlin_reversal, LawKind::jaeger));

TEST_P(CellMotionOfLaw, SameBitsOnThreadsAndListsWhileItFlips) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = sheared(precision, GetParam());
    const auto reference = make_backend_engine(scene, 1);
    reference->advance(2500);
    const auto threads = make_backend_engine(scene, 2);
    threads->advance(2500);
    EXPECT_TRUE(threads->hash() == reference->hash());
    scene.verlet_distance *= 0.2;
    const auto short_lists = make_backend_engine(scene, 1);
    for (int k = 0; k < 25; ++k) {
      short_lists->advance(100);
      short_lists->search_neighbours();
    }
    EXPECT_GT(short_lists->counts().searches, reference->counts().searches);
    EXPECT_TRUE(short_lists->hash() == reference->hash());
    const auto cell = reference->cell();
    ASSERT_TRUE(cell.has_value());
    EXPECT_NEAR(cell->deformation[0][1], rate * scene.time_step * 2500, 0.3);
    EXPECT_LT(std::abs(cell->edges[1][0]), 0.52 * cell->edges[0][0]) << "the cell has flipped on the way";
  }
}

TEST_P(CellMotionOfLaw, GoesOnFromACheckpointBitForBit) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = sheared(precision, GetParam());
    const auto whole = make_backend_engine(scene, 1);
    whole->advance(777);
    const EngineState state = whole->save();
    if (GetParam() == LawKind::jaeger) { EXPECT_GT(whole->counts().longest_history, 20u); }
    whole->advance(1500);
    const auto resumed = make_backend_engine(scene, 2);
    resumed->restore(state);
    EXPECT_TRUE(resumed->save() == state);
    resumed->advance(1500);
    EXPECT_TRUE(resumed->hash() == whole->hash());
    EXPECT_TRUE(resumed->save() == whole->save());
  }
}

/// Stress control looks at the forces every few steps. The measured stress depends neither on threads nor on lists, and
/// a checkpoint keeps it.
TEST_F(CellMotionTest, StressControlHasTheSameBitsOnThreadsListsAndAfterARestore) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = dense_cell(5, precision);
    CellStage first, second;
    for (std::size_t k = 0; k < 3; ++k) { first.goals[k] = second.goals[k] = {CellGoal::Kind::stress, {{0, -2e4}}}; }
    first.duration = 2.4e-3;
    first.inertial_number = second.inertial_number = 0.1;
    second.goals[2] = {CellGoal::Kind::strain_rate, {{0, -20}}};
    second.goals[5] = {CellGoal::Kind::strain_rate, {{0, 60}}, 4e3};
    scene.cell->stages = {first, second};
    const auto one = make_backend_engine(scene, 1), two = make_backend_engine(scene, 2);
    one->advance(1234);
    EXPECT_EQ(one->cell()->stage, 1u) << "the first stage is over";
    EXPECT_LT(one->cell()->strain[2], -0.005);
    const EngineState state = one->save();
    const auto resumed = make_backend_engine(scene, 2);
    resumed->restore(state);
    for (int k = 0; k < 37; ++k) {
      two->advance(k < 36 ? 33 : 1234 - 36 * 33);
      two->search_neighbours();
    }
    EXPECT_TRUE(two->hash() == one->hash());
    for (Engine* engine : {one.get(), two.get(), resumed.get()}) { engine->advance(1500); }
    EXPECT_TRUE(two->hash() == one->hash());
    EXPECT_TRUE(resumed->hash() == one->hash());
    EXPECT_TRUE(resumed->save() == one->save());
  }
}

/// A program may put bodies many cells away. Positions and edges are multiples of 2^-45 m, so nothing is rounded.
TEST_F(CellMotionTest, BodiesMayComeFromFarOutside) {
  const auto on_grid = [](double x) { return std::round(std::ldexp(x, 45)) * 0x1p-45; };
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = dense_cell(3, precision);
    for (std::size_t k = 0; k < 3; ++k) { scene.cell->edges[k][k] = on_grid(scene.cell->edges[k][k]); }
    for (Real3& x : scene.particles.position) { x = {on_grid(x[0]), on_grid(x[1]), on_grid(x[2])}; }
    Scene far = scene;
    ParticleSet& particles = far.particles;
    for (std::size_t i = 20; i < particles.size(); ++i) {
      particles.position[i][0] += 7 * scene.cell->edges[0][0];
      particles.position[i][1] -= 1000 * scene.cell->edges[1][1];
    }
    Scene first = far;
    ParticleSet late;
    const auto move_late = [](auto& from, auto& to) {
      to.assign(from.begin() + 20, from.end());
      from.resize(20);
    };
    move_late(first.particles.position, late.position), move_late(first.particles.velocity, late.velocity);
    move_late(first.particles.angular_velocity, late.angular_velocity);
    move_late(first.particles.radius, late.radius), move_late(first.particles.material, late.material);
    const auto inside = make_backend_engine(scene), outside = make_backend_engine(far);
    const auto inserted = make_backend_engine(first);
    inserted->insert(late);
    inside->advance(40);
    const Snapshot expected = inside->snapshot({.force = true});
    EXPECT_GT(inside->counts().contacts, 50u);
    for (Engine* engine : {outside.get(), inserted.get()}) {
      engine->advance(40);
      const Snapshot now = engine->snapshot({.force = true});
      EXPECT_EQ(now.force, expected.force);
      EXPECT_EQ(now.velocity, expected.velocity);
      EXPECT_EQ(now.image[26][0], 7);
      EXPECT_EQ(now.image[26][1], -1000);
    }
  }
}

/// A cell that is too narrow for the first search is an error, after which there are no lists to be read.
TEST_F(CellMotionTest, ACellThatIsTooNarrowIsAnErrorAfterWhichAllCanBeRead) {
  for (const double width : {4.0005, 4.19}) {
    Scene scene = glass_scene();
    add_body(scene, {bead, bead, bead});
    add_body(scene, {bead, bead, 2.9 * bead});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    PeriodicCell cell;
    cell.edges = {{{width * bead, 0, 0}, {0, width * bead, 0}, {0, 0, width * bead}}};
    cell.periodic = {true, true, false};
    scene.cell = cell;
    const auto engine = make_backend_engine(scene);
    EXPECT_THROW(engine->advance(1), KernelFault) << width;
    const Snapshot now = engine->snapshot({.force = true, .coordination = true});
    EXPECT_EQ(now.force[0], Real3{});
    EXPECT_EQ(now.coordination[0], 0u);
    EXPECT_EQ(engine->counts().searches, 0u);
    EXPECT_TRUE(engine->touching_contacts().empty());
  }
}

/// A stage with stress follows one without, so nothing was measured before. Its first measure is due in its first step,
/// wherever that lies in a batch of steps.
TEST_F(CellMotionTest, AStageMeasuresAtItsFirstStepAlsoWithinABatch) {
  Scene scene = dense_cell(4);
  CellStage shear, press;
  shear.goals[5] = {CellGoal::Kind::strain_rate, {{0, 100}}};
  shear.duration = 100 * scene.time_step;
  for (std::size_t k = 0; k < 3; ++k) { press.goals[k] = {CellGoal::Kind::stress, {{0, -2e4}}}; }
  press.inertial_number = 0.1;
  scene.cell->stages = {shear, press};
  const auto at_once = make_backend_engine(scene), in_steps = make_backend_engine(scene);
  at_once->advance(95), at_once->advance(105);
  for (int k = 0; k < 200; ++k) { in_steps->advance(1); }
  EXPECT_EQ(at_once->cell()->stage, 1u);
  EXPECT_TRUE(at_once->hash() == in_steps->hash());
}

/// A run ends with the last step of its last stage. No further step follows in which the cell would stand still.
TEST_F(CellMotionTest, ARunEndsWithItsLastStage) {
  Scene scene = dense_cell(3);
  CellStage shear, press;
  shear.goals[5] = {CellGoal::Kind::strain_rate, {{0, 150}}};
  shear.duration = 100 * scene.time_step;
  press.goals[2] = {CellGoal::Kind::strain_rate, {{0, -30}}};
  press.strain[2] = 30 * 50 * scene.time_step;
  scene.cell->stages = {shear, press};
  // The engine must know that the run is over both when a call ends with the stage and when the stage ends within a
  // call.
  for (const std::uint64_t chunk : {1U, 10U, 1000U}) {
    const auto engine = make_backend_engine(scene);
    std::uint64_t calls = 0;
    while (!engine->finished() && ++calls < 500) { engine->advance(chunk); }
    EXPECT_EQ(engine->step(), 150u) << chunk;
    EXPECT_EQ(engine->advance(10), 0u);
    const CellState cell = engine->cell().value();
    EXPECT_EQ(cell.stage, 2u);
    EXPECT_EQ(cell.velocity_gradient[2][2], -30) << "of the last step that was made";
    EXPECT_NEAR(cell.strain[5], 150 * 100 * scene.time_step, 1e-12);
    EXPECT_NEAR(cell.strain[2], -30 * 50 * scene.time_step, 2e-6);  // ln(1 - x) = -x - x^2 / 2 in each step
    const auto resumed = make_backend_engine(scene);
    resumed->restore(engine->save());
    EXPECT_TRUE(resumed->finished());
  }
  scene.cell->stages.back().duration = 0;
  scene.cell->stages.erase(scene.cell->stages.begin());
  EXPECT_TRUE(make_backend_engine(scene)->finished()) << "nothing to do";
}

/// C11 and C12: free bodies move with the cell. Expected velocities are L x in the first step and v + dt L v in the
/// second, with the velocity gradient L.
TEST_F(CellMotionTest, FreeBodiesMoveWithTheCell) {
  Scene scene = glass_scene(Precision::double_);
  scene.time_step = 1e-4;
  PeriodicCell cell;
  cell.edges = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  cell.velocity_gradient = {{{0, 0.7, 0}, {0.2, -0.1, 0}, {0, 0, 0.05}}};
  scene.cell = cell;
  scene.verlet_distance = 1e-3;
  add_body(scene, {0.5, 0.05, 0.5});
  const auto engine = make_backend_engine(scene, 1);
  engine->advance(1);
  Snapshot now = engine->snapshot();
  const auto expect = [](const Real3& a, const Real3& b, double tolerance) {
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(a[k], b[k], tolerance); }
  };
  expect(now.velocity[0], {0.035, 0.095, 0.025}, 1e-14);
  expect(now.angular_velocity[0], {0, 0, -0.25}, 1e-14);
  engine->advance(1);
  now = engine->snapshot();
  const Real3 v{0.035, 0.095, 0.025};
  expect(now.velocity[0],
         {v[0] + 1e-4 * 0.7 * v[1], v[1] + 1e-4 * (0.2 * v[0] - 0.1 * v[1]), v[2] + 1e-4 * 0.05 * v[2]}, 1e-14);
  EXPECT_EQ(norm(Vec3d{now.fluctuation[0][0], now.fluctuation[0][1], now.fluctuation[0][2]}), 0);
}

/// Choosing other edges of the same lattice and taking bodies back into the cell changes no bit of the forces.
TEST_F(CellMotionTest, OtherEdgesOfTheLatticeChangeNoForce) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = sheared(precision);
    const auto kept = make_backend_engine(scene, 1);
    std::uint64_t steps = 0;
    const double skewed = 0.505;
    while (std::abs(kept->cell()->edges[1][0]) < skewed * kept->cell()->edges[0][0]) {
      kept->advance(1);
      ASSERT_LT(++steps, 2000u);
    }
    // The same particles at rest in two cells of the same lattice. One of the cells has other edges, and its bodies are
    // at other images.
    const auto scene_of = [&](bool flipped) {
      Scene same = scene;
      const Snapshot now = kept->snapshot();
      same.cell->velocity_gradient = {};
      same.cell->edges = kept->cell()->edges;
      if (flipped) {
        for (std::size_t k = 0; k < 3; ++k) { same.cell->edges[1][k] -= same.cell->edges[0][k]; }
      }
      for (std::size_t i = 0; i < now.id.size(); ++i) {
        same.particles.position[i] = now.position[i];
        if (flipped && i % 3 == 0) {
          for (std::size_t k = 0; k < 3; ++k) {
            same.particles.position[i][k] -= same.cell->edges[0][k] - same.cell->edges[2][k];
          }
        }
        same.particles.velocity[i] = now.fluctuation[i];
      }
      return same;
    };
    const auto one = make_backend_engine(scene_of(false), 1), other = make_backend_engine(scene_of(true), 1);
    one->advance(1);
    other->advance(1);
    EXPECT_GT(one->counts().contacts, 200u);
    const Snapshot a = one->snapshot({.force = true}), b = other->snapshot({.force = true});
    for (std::size_t i = 0; i < a.id.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) { ASSERT_EQ(a.force[i][k], b.force[i][k]) << "particle " << i; }
    }
  }
}

/// Unwrapped positions never jump, although bodies are taken back into the cell and the cell flips.
TEST_F(CellMotionTest, UnwrappedPositionsNeverJump) {
  Scene scene = sheared(Precision::double_);
  for (Real3& v : scene.particles.velocity) { v[0] += 8; }
  const auto engine = make_backend_engine(scene, 1);
  const auto unwrapped = [&](const Snapshot& now) {
    const Matrix3 e = engine->cell()->edges;
    std::vector<Real3> x = now.position;
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t axis = 0; axis < 3; ++axis) { x[i][axis] += now.image[i][k] * e[k][axis]; }
      }
    }
    return x;
  };
  engine->advance(1);
  std::vector<Real3> before = unwrapped(engine->snapshot());
  double farthest = 0;
  for (int step = 0; step < 1500; ++step) {
    engine->advance(1);
    const Snapshot now = engine->snapshot();
    const std::vector<Real3> x = unwrapped(now);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3d way{x[i][0] - before[i][0], x[i][1] - before[i][1], x[i][2] - before[i][2]};
      const Real3 y = x[i];
      const Vec3d mean{scene.time_step * rate * y[1], scene.time_step * 0.3 * rate * y[2], 0};
      ASSERT_LT(norm(way - mean), 0.05 * bead) << "step " << step;
      farthest = std::max(farthest, std::abs(double(now.image[i][0])));
    }
    before = x;
  }
  EXPECT_GE(farthest, 3) << "bodies have gone round the cell";
}

}  // namespace scree::inline SCREE_BACKEND::cell_motion_test
