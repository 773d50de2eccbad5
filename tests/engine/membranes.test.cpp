#include "../physics/membrane_scenes.hpp"
#include "engine_kit.hpp"

/// Runs with membranes: the same bits in any run, pressures over time, and nodes that leave.
namespace scree::inline SCREE_BACKEND::membranes_test {

/// Two sleeves side by side, some beads in the first one, and beads between their ids. The first ring of the second one
/// is held.
Scene two_sleeves(Precision precision, double verlet = 0.2) {
  const physics::Tube tube{.node = 1e-3, .room = 4.2e-3, .length = 0.014, .young = 1e6, .ratio = 0.2, .damping = 0.1};
  Scene scene = physics::tube_scene(tube, 4e3, 4e-6);
  scene.precision = precision;
  scene.verlet_distance = verlet * 1e-3;
  scene.gravity = {0, 0, -20};
  scene.energies = true;
  const ParticleSet sleeve = scene.particles;
  Random random(5);
  add_lattice(scene, {3, 3, 5}, {-3.3e-3, -3.3e-3, 1e-3}, 2.2e-3, {0.8e-3, 0.9e-3}, 1, random);
  scene.particles.group.resize(scene.particles.size(), 0);
  SceneMembrane second = scene.membranes.front();
  second.name = "second";
  second.first = static_cast<std::uint32_t>(scene.particles.size());
  second.pressure = {{0, 0}, {4e-4, -3e3}, {9e-4, 1e3}};
  scene.membranes.push_back(second);
  const std::uint32_t around = second.lattice.around;
  for (std::size_t k = 0; k < sleeve.size(); ++k) {
    physics::add_sphere(scene, {sleeve.position[k][0] + 0.02, sleeve.position[k][1], sleeve.position[k][2]}, 1e-3);
    scene.particles.group.push_back(k < around ? 1 : 0);
  }
  scene.groups[1].fixed = fixed_translation;
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  for (SceneBoundary& boundary : scene.boundaries) { boundary.material = 1; }
  return scene;
}

struct Outcome {
  StateHash hash;
  double work;
  EngineCounts counts;
};

Outcome outcome(Engine& engine) { return {engine.hash(), engine.energies().groups, engine.counts()}; }

/// The pressure of the first sleeve changes after 150 steps.
constexpr std::uint64_t before = 150, after = 250;
const TimeTable later = {{6e-4, 4e3}, {1.2e-3, 2e4}};

Outcome run(const Scene& scene, int threads) {
  const auto engine = make_backend_engine(scene, threads);
  engine->advance(before);
  engine->set_membrane_pressure(0, later);
  engine->advance(after);
  return outcome(*engine);
}

class MembraneRuns : public BackendTest {};

TEST_F(MembraneRuns, SameBitsForThreadsListsStepsAndRestarts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = two_sleeves(precision);
    const Outcome whole = run(scene, 1);
    EXPECT_GT(whole.counts.contacts, whole.counts.bonds + 5);
    EXPECT_EQ(whole.counts.broken_bonds, 0u);
    EXPECT_NE(whole.work, 0);
    const auto expect_same = [&](const Outcome& other, const char* what) {
      EXPECT_TRUE(other.hash == whole.hash) << what;
      EXPECT_EQ(other.work, whole.work) << what;
    };
    expect_same(run(scene, 2), "two threads");
    expect_same(run(two_sleeves(precision, 0.05), 1), "another list");
    const auto single = make_backend_engine(scene);
    for (std::uint64_t step = 0; step < before; ++step) { single->advance(1); }
    single->set_membrane_pressure(0, later);
    for (std::uint64_t step = 0; step < after; ++step) { single->advance(1); }
    expect_same(outcome(*single), "step by step");
    const auto first = make_backend_engine(scene), resumed = make_backend_engine(scene, 2);
    first->advance(before);
    first->set_membrane_pressure(0, later);
    first->advance(90);
    resumed->restore(first->save());
    resumed->set_membrane_pressure(0, later);
    resumed->advance(after - 90);
    expect_same(outcome(*resumed), "resumed");
  }
}

// The pressure is that of its table at the time of the forces. Bonds without stiffness leave the nodes to it alone: a
// node far from others gains p A / m dt in each step. Here all but a few nodes are held, so the radial velocity of a
// free node is the sum over the steps, until the bonds push back; they are too soft to matter to 1e-3.
TEST_F(MembraneRuns, ThePressureFollowsItsTable) {
  physics::Tube tube{.young = 1, .fixed_ends = fixed_translation};
  Scene scene = physics::tube_scene(tube, 0, 1e-6);
  scene.membranes[0].pressure = {{2e-5, 0}, {6e-5, 4e3}};
  const physics::TubeLattice exact(tube, scene);
  const auto engine = make_backend_engine(scene);
  const double mass = physics::sphere_mass(tube.node, 1000);
  double gained = 0;
  for (int step = 0; step < 90; ++step) {
    const double time = engine->time();
    const double pressure = time <= 2e-5 ? 0 : time >= 6e-5 ? 4e3 : 1e8 * (time - 2e-5);
    EXPECT_NEAR(engine->membrane_pressure(0), pressure, 1e-9 * 4e3);
    gained += (step == 0 ? 0.5 : 1) * scene.time_step * pressure * exact.inward() / mass;
    engine->advance(1);
  }
  const Snapshot now = engine->snapshot({});
  const std::size_t node = (exact.lattice.rings / 2) * exact.lattice.around;
  const double speed =
      -(now.velocity[node][0] * now.position[node][0] + now.velocity[node][1] * now.position[node][1]) /
      std::hypot(now.position[node][0], now.position[node][1]);
  EXPECT_NEAR(speed / gained, 1, 5e-3);
}

TEST_F(MembraneRuns, RefusesPressuresThatCannotBe) {
  const auto engine = make_backend_engine(two_sleeves(Precision::double_));
  EXPECT_THROW(engine->set_membrane_pressure(2, {{0, 1}}), ContractError);
  EXPECT_THROW(engine->set_membrane_pressure(0, {}), ContractError);
  EXPECT_THROW(engine->set_membrane_pressure(0, {{0, NAN}}), ContractError);
  EXPECT_THROW(static_cast<void>(engine->membrane_pressure(2)), ContractError);
  engine->set_membrane_pressure(1, {{0, 5}});
  EXPECT_EQ(engine->membrane_pressure(1), 5);
  EXPECT_EQ(engine->membrane_pressure(0), 4e3);
}

// Triangles that have lost a node press no more, and the others go on.
TEST_F(MembraneRuns, NodesThatLeaveAreNotPressed) {
  Scene scene = two_sleeves(Precision::double_);
  add_outlet(scene, "side", {0.0245, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene, 2);
  engine->advance(200);
  EXPECT_GT(engine->counts().removed.at(0), 5u);
  for (const Real3& velocity : engine->snapshot({}).velocity) { EXPECT_LT(physics::norm(velocity), 10); }
}

// Where a sheet folds, its nodes press into each other. That is not an overlap of grains, so the run does not tell of
// it; it does tell of a bead that presses into a node. Without bonds the nodes of a ring overlap from the start.
TEST_F(MembraneRuns, DoNotTellOfOverlapsOfASheetWithItself) {
  for (const bool with_bead : {false, true}) {
    for (const bool with_membrane : {true, false}) {
      const physics::Tube tube{.node = 1e-3, .room = 4.2e-3, .length = 0.014, .young = 1e6, .ratio = 0.2};
      const Scene sheet = physics::tube_scene(tube, 0, 1e-6);
      const physics::Substance rubber{tube.young, tube.ratio, 1000};
      Scene scene = physics::empty_scene(LawKind::hertz_mindlin, rubber, rubber, MaterialPair{}, 1e-6);
      scene.precision = Precision::double_;
      scene.verlet_distance = 2e-4;
      scene.groups = sheet.groups;
      scene.particles = sheet.particles;
      if (with_membrane) { scene.membranes = sheet.membranes; }
      if (with_bead) {
        const Real3 node = scene.particles.position[0];
        physics::add_sphere(scene, {node[0], node[1], node[2] - 1.97e-3}, 1e-3);
        scene.particles.group.push_back(0);
      }
      const auto engine = make_backend_engine(scene);
      engine->advance(1);
      const double overlap = engine->watch().most_overlap;
      if (!with_membrane) {
        EXPECT_GT(overlap, 0.035) << "the overlap of neighbours in a ring";
      } else {
        EXPECT_NEAR(overlap, with_bead ? 0.03 : 0, 1e-5);
      }
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::membranes_test
