#include <gtest/gtest.h>

#include "clump_shapes.hpp"

/// Clumps in periodic cells that deform.
namespace scree::physics::cell_clumps_test {

constexpr double radius = 0.01, density = 2500;

Scene cell_scene(double damping_ratio, double time_step) {
  MaterialPair pair;
  pair.friction = 0.4;
  pair.damping_ratio = damping_ratio;
  pair.springs.damping_ratio = pair.springs.shear_damping_ratio = damping_ratio;
  const Substance soft{1e7, 0.3, density};
  Scene scene = empty_scene(LawKind::hertz_mindlin, soft, soft, pair, time_step);
  scene.verlet_distance = 0.2 * radius;
  return scene;
}

void set_cell(Scene& scene, double side, const Matrix3& gradient) {
  PeriodicCell cell;
  cell.edges = {{{side, 0, 0}, {0, side, 0}, {0, 0, side}}};
  cell.velocity_gradient = gradient;
  scene.cell = cell;
}

/// Places of a lattice whose particles nearly touch, each with velocities of its own.
template <class Add>
void fill(double spacing, Add&& add) {
  Numbers numbers(3);
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      for (int c = 0; c < 4; ++c) {
        const Real3 x =
            Real3{(a + 0.5) * spacing, (b + 0.5) * spacing, (c + 0.5) * spacing} + numbers.in_cube(0.02 * radius);
        add(x, numbers.in_cube(0.3), numbers.in_cube(30), numbers.in_cube(1));
      }
    }
  }
}

const Matrix3 shear{{{-3, 40, 0}, {0, -8, 20}, {5, 0, 1}}};

// B14 in a cell: a clump of one sphere moves like the sphere, also where the cell turns and squeezes both. The
// tolerance is rounding, as without a cell.
void expect_that_one_member_is_the_sphere(const Integration& integration) {
  const double spacing = 1.98 * radius;
  std::vector<std::unique_ptr<Engine>> engines;
  for (const bool as_clumps : {false, true}) {
    Scene scene = cell_scene(0.2, 2e-6);
    scene.integration = integration;
    scene.groups.resize(1);  // viscous damping needs one
    if (as_clumps) { scene.clump_shapes = {shape_of({{0, 0, 0}}, {radius})}; }
    fill(spacing, [&](const Real3& x, const Real3& v, const Real3& w, const Real3&) {
      if (as_clumps) {
        add_clump(scene, 0, x, v, w);
      } else {
        add_sphere(scene, x, radius, v, w);
      }
    });
    set_cell(scene, 4 * spacing, shear);
    engines.push_back(make_host_engine(scene, 1));
    engines.back()->advance(1500);
  }
  EXPECT_GT(engines[0]->counts().contacts, 60u);
  const Snapshot spheres = engines[0]->snapshot(), clumps = engines[1]->snapshot();
  for (std::size_t i = 0; i < spheres.id.size(); ++i) {
    EXPECT_LT(norm(clumps.position[i] - spheres.position[i]), 1e-9 * radius) << i;
    EXPECT_LT(norm(clumps.angular_velocity[i] - spheres.angular_velocity[i]), 1e-6) << i;
  }
}

TEST(CellClumps, B14OneMemberIsTheSphere) { expect_that_one_member_is_the_sphere({}); }

// Viscous damping acts on the spin relative to the mean flow.
TEST(CellClumps, B14OneMemberIsTheSphereInAViscousFluid) {
  expect_that_one_member_is_the_sphere({.viscous_damping = 500});
}

// A clump that touches nothing turns with the cell as its shear rate changes. The work of the cell is what the ledger
// then finds in the rotation; the error is rounding for a body of one sphere, and that of the integrator for others.
TEST(CellClumps, LedgerClosesAsTheShearRateChanges) {
  for (const bool sphere : {true, false}) {
    Scene scene = cell_scene(0, 1e-5);
    scene.clump_shapes = {sphere ? shape_of({{0, 0, 0}}, {radius}) : dumbbell(radius, 0.7 * radius)};
    add_clump(scene, 0, {0.05, 0.05, 0.05}, {}, {3, 5, 30}, turn({1, 2, 3}, 0.7));
    set_cell(scene, 0.1, {});
    CellStage stage;
    stage.goals[5].table = {{0.0, 0.0}, {0.01, 40.0}, {0.02, -40.0}};
    scene.cell->stages = {stage};
    scene.energies = true;
    const auto engine = start(scene);
    engine->advance(1);
    const EnergyLedger first = engine->energies();
    engine->advance(1990);
    const EnergyLedger last = engine->energies();
    EXPECT_GT(std::abs(last.cell), 0.1 * first.kinetic_rotation) << "the cell must do work";
    EXPECT_LT(std::abs(last.error), (sphere ? 1e-12 : 1e-5) * first.kinetic_rotation) << sphere;
  }
}

Scene dumbbells(double time_step) {
  Scene scene = cell_scene(0.1, time_step);
  scene.clump_shapes = {dumbbell(radius, 0.7 * radius)};
  const double spacing = 2.6 * radius;
  fill(spacing, [&](const Real3& x, const Real3& v, const Real3& w, const Real3& axis) {
    add_clump(scene, 0, x, v, w, turn(axis, 2));
  });
  set_cell(scene, 4 * spacing, {{{-10, 60, 0}, {0, -10, 20}, {5, 0, -10}}});
  scene.energies = true;
  return scene;
}

/// The ledger closes with the work of the cell on translation, rotation and contacts. The error is of first order in
/// the step, as with all contacts with friction: 3.6e-5 of the work at 2e-6 s, and 8e-6 at a quarter of this step.
TEST(CellClumps, LedgerClosesWhileTheCellDeforms) {
  double error[2];
  for (const int k : {0, 1}) {
    const double time_step = k == 0 ? 2e-6 : 0.5e-6;
    const auto engine = make_host_engine(dumbbells(time_step), 2);
    engine->advance(static_cast<std::uint64_t>(std::lround(0.006 / time_step)));
    EXPECT_GT(engine->counts().contacts, 40u);
    const EnergyLedger ledger = engine->energies();
    EXPECT_GT(ledger.friction, 0.02 * std::fabs(ledger.cell));
    error[k] = std::fabs(ledger.error / ledger.cell);
  }
  EXPECT_LT(error[0], 1e-4);
  EXPECT_LT(error[1], 3e-5);
}

TEST(CellClumps, SameBitsOnThreadsAndAfterARestore) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = dumbbells(2e-6);
    scene.precision = precision;
    scene.cell->velocity_gradient[0][1] = 300;
    const auto one = make_host_engine(scene, 1), two = make_host_engine(scene, 2);
    one->advance(1000);
    two->advance(1000);
    const EngineState state = one->save();
    const auto again = make_host_engine(scene, 2);
    again->restore(state);
    for (Engine* engine : {one.get(), two.get(), again.get()}) { engine->advance(1500); }
    EXPECT_TRUE(two->hash() == one->hash());
    EXPECT_TRUE(again->hash() == one->hash());
  }
}

}  // namespace scree::physics::cell_clumps_test
