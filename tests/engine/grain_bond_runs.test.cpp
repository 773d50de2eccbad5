#include "bond_kit.hpp"

// Bonded level-set grains in runs: conservation, the energy ledger, the same bits with any lists and threads, after
// restarts, and in a periodic cell.
namespace scree::inline SCREE_BACKEND::grain_bond_runs_test {

using physics::turn;
using GrainBondRuns = BackendTest;

TEST_F(GrainBondRuns, AFreePairKeepsMomentumAndAngularMomentum) {
  for (const bool two_pass : {false, true}) {
    Scene scene = cube_and_plate();
    scene.grain_contacts.two_pass = two_pass;
    scene.time_step = 2e-7;
    scene.pairs[0].bond.damping = 0.05;
    scene.particles.clumps[0].velocity = {0.02, -0.01, 0.03};
    scene.particles.clumps[0].angular_velocity = {30, 50, -40};
    scene.particles.clumps[1].velocity = {-0.01, 0, 0.05};
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    const Motion3 before = motion_of(*engine);
    engine->advance(20000);
    EXPECT_GE(engine->counts().bonds, 100u);
    EXPECT_EQ(engine->counts().broken_bonds, 0u);
    const Motion3 after = motion_of(*engine);
    const double mass = engine->snapshot().clumps[0].mass, p = 0.05 * mass, l = p * bead;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(after.momentum[k], before.momentum[k], 1e-12 * p);
      // Spins half a step before the places: the error is of the order of the turn in a step.
      EXPECT_NEAR(after.angular[k], before.angular[k], 2e-4 * l);
    }
  }
}

// Both bodies turn about one axis like one body: bonds see no displacement.
TEST_F(GrainBondRuns, ARigidRotationGivesNoForce) {
  Scene scene = held(turned_scene(cube_and_plate(), turn({1, 2, 3}, 0.8)));
  scene.groups[1].rotation = Rotation{{0.6, 0, 0.8}, {0.3 * bead, -bead, 0.5 * bead}, 500.0};
  const auto engine = make_backend_engine(scene);
  for (int k = 0; k < 10; ++k) {
    engine->advance(500);
    const auto contacts = engine->touching_contacts();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_LT(length_of(contacts[0].force), 1e-9 * bond_strength * 4 * bead * bead) << "after " << engine->step();
  }
  EXPECT_EQ(engine->counts().bonds, face_nodes * face_nodes);
}

/// A chain of three cubes, which tears while all turn. `loose`: two loose cubes and a plane come together with it.
Scene chain(Precision precision, bool soft, bool two_pass, bool loose) {
  Scene scene = bond_scene(precision);
  scene.grain_contacts.two_pass = two_pass;
  scene.pairs[0].bond.damping = 0.05;
  scene.pairs[0].bond.tensile_strength = 3e4;
  GrainShape cube = box_grain({bead, bead, bead}, 6);
  if (soft) {
    set_modes(cube, {[](const Real3& x) {
                return Real3{-0.3 * x[0] / bead, -0.3 * x[1] / bead, x[2] / bead};
              }},
              {cube.volume / 3}, {2 * cube.volume / (bead * bead)});
    cube.modes.damping.ratio = 0.05;
  }
  add_grain_shape(scene, cube);
  scene.clump_shapes[0].radius[0] *= 1.1;
  scene.clump_shapes[0].bounding_radius *= 1.1;
  if (loose) { add_plane(scene, {0, 0, -1.3 * bead}, {0, 0, 1}); }
  for (int k = 0; k < (loose ? 5 : 3); ++k) {
    const double far = k < 3 ? 0 : 0.2 * bead;
    physics::add_clump(scene, 0, {0, 0, k * (2 * bead + 0.02 * bead) + far},
                       {0.1 * k, 0, k < 3 ? 0.28 * (k - 1) : -0.3}, {60, 0, 40}, {1, 0, 0, 0});
  }
  scene = turned_scene(scene, turn({1, 0.2, 0}, 0.05));
  if (soft) {
    for (Clump& clump : scene.particles.clumps) { clump.amplitude = {0.001 * bead}, clump.amplitude_rate = {0}; }
  }
  scene.time_step = 1e-6;
  scene.energies = true;
  return scene;
}

TEST_F(GrainBondRuns, HaveTheSameBitsWithAnyListsAndThreadsAndAfterRestarts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const bool soft : {false, true}) {
      const Scene scene = chain(precision, soft, soft, true);
      Scene other = scene, plain = scene;
      other.verlet_distance = 0.05 * bead;
      plain.energies = false;
      const auto engine = make_backend_engine(scene, 1), lists = make_backend_engine(other, 2),
                 without = make_backend_engine(plain, 1);
      std::uint64_t broken = 0;
      for (int k = 0; k < 4; ++k) {
        engine->advance(250);
        lists->advance(250);
        without->advance(250);
        EXPECT_TRUE(engine->hash() == lists->hash());
        EXPECT_TRUE(engine->hash() == without->hash()) << "the ledger changes no bit";
        const auto resumed = make_backend_engine(other);
        resumed->restore(engine->save());
        EXPECT_TRUE(resumed->hash() == engine->hash());
        EXPECT_TRUE(resumed->save() == engine->save());
        EXPECT_EQ(resumed->counts().bonds, engine->counts().bonds);
        const auto on = make_backend_engine(scene);
        on->restore(engine->save());
        on->advance(100);
        resumed->advance(100);
        EXPECT_TRUE(resumed->hash() == on->hash());
        broken = engine->counts().broken_bonds;
      }
      EXPECT_GT(broken, 10u);
      EXPECT_GT(engine->counts().bonds, 10u);
      const auto damage = engine->snapshot({.damage = true}).damage;
      EXPECT_GT(*std::max_element(damage.begin(), damage.end()), 0);
    }
  }
}

/// What the ledger says at the end, and the largest error on the way [J].
struct Ledger {
  EnergyLedger end;
  double error = 0;
};
Ledger ledger_of(Scene scene, double part) {
  scene.time_step *= part;
  const auto engine = make_backend_engine(scene);
  Ledger ledger;
  for (int k = 0; k < static_cast<int>(std::lround(100 / part)); ++k) {
    engine->advance(10);
    ledger.error = std::max(ledger.error, std::abs(engine->energies().error));
  }
  ledger.end = engine->energies();
  return ledger;
}

// Measured: 6e-5 of what is lost, and 8e-6 with steps of a quarter. With loose cubes, whose contacts are those of the
// interpolated normals, 4e-4 with any step.
TEST_F(GrainBondRuns, CloseTheLedgerAlsoWhereBondsBreak) {
  for (const bool soft : {false, true}) {
    const Scene scene = chain(Precision::double_, soft, soft, false);
    const Ledger ledger = ledger_of(scene, 1), finer = ledger_of(scene, 0.25);
    const double lost = ledger.end.breakage + ledger.end.viscous;
    EXPECT_GT(ledger.end.breakage, 0.5 * lost);
    EXPECT_GT(ledger.end.viscous, 0.1 * lost);
    EXPECT_LT(ledger.error, 1.5e-4 * lost);
    EXPECT_LT(finer.error, 2e-5 * lost);
    EXPECT_LT(std::abs(ledger.end.parting), 1e-9 * lost) << "bonds do not just vanish";
    const Ledger loose = ledger_of(chain(Precision::double_, soft, soft, true), 1);
    EXPECT_GT(loose.end.friction, 0);
    EXPECT_LT(loose.error, 1e-3 * lost);
  }
}

TEST_F(GrainBondRuns, ActThroughAPeriodicCell) {
  // One pair, whose bond is inside of the cell or across its face.
  Real3 force[2];
  for (const int across : {0, 1}) {
    Scene scene = held(cube_and_plate());
    PeriodicCell cell;
    cell.edges = {{{12 * bead, 0, 0}, {0, 12 * bead, 0}, {0, 0, 12 * bead}}};
    cell.origin = {-6 * bead, -6 * bead, across == 1 ? -11 * bead : -6 * bead};
    scene.cell = cell;
    scene.particles.clumps[1].velocity = {0.02, 0.01, 0.05};
    if (across == 1) {
      scene.particles.clumps[1].position[2] -= 12 * bead;
      scene.particles.position[1][2] -= 12 * bead;
    }
    const auto engine = make_backend_engine(scene);
    engine->advance(100);
    EXPECT_EQ(engine->counts().bonds, face_nodes * face_nodes);
    force[across] = engine->touching_contacts().at(0).force;
  }
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(force[1][k], force[0][k], 1e-9 * length_of(force[0])); }
}

TEST_F(GrainBondRuns, EndWithoutBreakingWhenABodyLeaves) {
  Scene scene = cube_and_plate();
  for (Clump& clump : scene.particles.clumps) { clump.velocity = {0, 0, -1}; }
  add_outlet(scene, "below", {0, 0, -0.1 * bead}, {0, 0, -1});
  const auto engine = make_backend_engine(scene), resumed = make_backend_engine(scene);
  engine->advance(99);
  EXPECT_EQ(engine->counts().bonds, face_nodes * face_nodes);
  engine->advance(2);
  EXPECT_EQ(engine->counts().particles, 1u) << "the cube has left";
  EXPECT_EQ(engine->counts().bonds, 0u);
  EXPECT_EQ(engine->counts().broken_bonds, 0u);
  resumed->restore(engine->save());
  EXPECT_TRUE(resumed->hash() == engine->hash());
  engine->advance(100), resumed->advance(100);
  EXPECT_TRUE(resumed->hash() == engine->hash());
  EXPECT_EQ(engine->counts().contacts, 0u);
}

TEST_F(GrainBondRuns, CountForTheCriticalStep) {
  Scene scene = cube_and_plate();
  const double mass = 2500 * 8 * bead * bead * bead, other = 2500 * 1.6 * 1.6 * 8 * bead * bead * bead;
  const double stiffness = bond_stiffness * 4 * bead * bead;
  const double limit = 2 / std::sqrt(stiffness * (1 / mass + 1 / other));
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  const double critical = engine->critical_step().value;
  EXPECT_LT(critical, limit) << "that of the two masses on the spring alone";
  EXPECT_GT(critical, 0.3 * limit);
}

}  // namespace scree::inline SCREE_BACKEND::grain_bond_runs_test
