#include "../physics/clump_shapes.hpp"
#include "engine_kit.hpp"
#include "scree/errors.hpp"

/// Runs in a fluid: the same bits in any run.
namespace scree::inline SCREE_BACKEND::fluid_test {

/// Spheres and clumps that fall through a surface into a vortex on a grid, onto a floor.
Scene sinking(Precision precision, Hindrance hindrance, double verlet = 0.2) {
  physics::Substance grain{1e6, 0.3, 2500};
  Scene scene = physics::linear_scene(grain, 0.4, 2e-5);
  scene.precision = precision;
  scene.verlet_distance = verlet * 1e-3;
  scene.gravity = {0, 0, -9.81};
  scene.energies = true;
  scene.groups.emplace_back();
  scene.clump_shapes = {physics::dumbbell(1e-3, 0.9e-3)};
  Random random(5);
  add_lattice(scene, {4, 4, 4}, {0, 0, 0}, 2.4e-3, {0.8e-3, 1e-3}, 0.3, random);
  for (int k = 0; k < 6; ++k) {
    physics::add_clump(scene, 0, {4.2e-3 * k, 2e-3, 0.014}, {0, 0, -0.1}, {30, 0, 10.0 * k});
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  for (SceneBoundary& boundary : scene.boundaries) { boundary.material = 1; }
  SceneFluid& fluid = scene.fluid.emplace();
  fluid.density = 900, fluid.viscosity = 3e-3;
  fluid.hindrance = hindrance, fluid.hindrance_width = 5e-3;
  fluid.surface = FluidSurface{{0, 0, 0.012}, {0, 0.1, 1}};
  FlowGrid& grid = fluid.grid.emplace();
  grid.points = {3, 3, 2}, grid.first = {0, 0, 0}, grid.spacing = {4e-3, 4e-3, 0.02};
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) { grid.velocity.push_back({0.3 * (1 - j), 0.3 * (i - 1), 0.05 * k}); }
    }
  }
  return scene;
}

struct Outcome {
  StateHash hash;
  EnergyLedger energies;
  Real3 force;
};
Outcome outcome(Engine& engine) { return {engine.hash(), engine.energies(), engine.fluid_force()}; }

class FluidRuns : public BackendTest {};

TEST_F(FluidRuns, SameBitsForThreadsListsStepsAndRestarts) {
  constexpr std::uint64_t before = 150, after = 250;
  for (const auto& [precision, hindrance] : {std::pair{Precision::mixed, Hindrance::none},
                                             {Precision::double_, Hindrance::none},
                                             {Precision::mixed, Hindrance::di_felice},
                                             {Precision::double_, Hindrance::di_felice}}) {
    const Scene scene = sinking(precision, hindrance);
    const auto run = [&](const Scene& of, int threads) {
      const auto engine = make_backend_engine(of, threads);
      engine->advance(before + after);
      return outcome(*engine);
    };
    const Outcome whole = run(scene, 1);
    EXPECT_NE(whole.energies.fluid, 0);
    EXPECT_NE(whole.force[0], 0);
    EXPECT_GT(whole.energies.friction, 0);
    const auto expect_same = [&](const Outcome& other, const char* what) {
      EXPECT_TRUE(other.hash == whole.hash) << what;
      EXPECT_EQ(other.energies.fluid, whole.energies.fluid) << what;
      EXPECT_EQ(other.energies.error, whole.energies.error) << what;
      EXPECT_EQ(other.force, whole.force) << what;
    };
    expect_same(run(scene, 2), "two threads");
    expect_same(run(sinking(precision, hindrance, 0.05), 1), "another list");
    const auto single = make_backend_engine(scene);
    for (std::uint64_t step = 0; step < before + after; ++step) { single->advance(1); }
    expect_same(outcome(*single), "step by step");
    const auto first = make_backend_engine(scene), resumed = make_backend_engine(scene, 2);
    first->advance(before);
    resumed->restore(first->save());
    resumed->advance(after);
    expect_same(outcome(*resumed), "resumed");
  }
}

// The drag of the fluid is all that damps, so the ledger can tell its work.
TEST_F(FluidRuns, NoOtherDampingCanBeSet) {
  const auto engine = make_backend_engine(sinking(Precision::mixed, Hindrance::none));
  EXPECT_THROW(engine->set_damping(0.1, 0), ContractError);
  EXPECT_THROW(engine->set_damping(0, 3), ContractError);
  engine->set_damping(0, 0);
}

}  // namespace scree::inline SCREE_BACKEND::fluid_test
