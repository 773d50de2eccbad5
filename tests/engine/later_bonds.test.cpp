#include "engine_kit.hpp"

// Bonds that are made during a run, with scattered strengths and dashpots: by whom, when, and the same bits always.
namespace scree::inline SCREE_BACKEND::later_bonds_test {

using LaterBonds = BackendTest;

/// Sticky beads, one on top of the other with gaps, that fall onto a floor.
Scene sticky_scene(Precision precision = Precision::double_, double range = 1) {
  Scene scene = glass_scene(precision, LawKind::bonded);
  Bond& bond = scene.pairs[0].bond;
  bond.tensile_strength = 1e5;
  bond.cohesion = 1e5;
  bond.interaction_range = range;
  bond.damping = 0.3;
  bond.form = BondForm::near;
  scene.interaction_range = 1.05 * range * 1.05;
  return scene;
}

ParticleSet one_body(const Real3& position, const Real3& velocity) {
  Scene scene;
  add_body(scene, position, bead, velocity);
  return scene.particles;
}

SceneInlet announced() {
  SceneInlet inlet;
  inlet.smallest_radius = inlet.median_radius = inlet.largest_radius = bead;
  return inlet;
}

// A pair is bonded in the step in which it comes near, at the distance that it has then: the force is that of the
// dashpot, 2 b sqrt(K m*) times the speed.
TEST_F(LaterBonds, BeginWhenTwoComeNear) {
  for (const double range : {1.0, 1.2}) {
    Scene scene = sticky_scene(Precision::double_, range);
    add_body(scene, {0, 0, 0});
    add_body(scene, {2.5 * bead, 0, 0}, bead, {-0.1, 0, 0});
    const auto engine = make_backend_engine(scene);
    const double step = 0.1 * scene.time_step, far = 2.5 * bead - 2 * range * bead;
    // Forces belong to the places before the motion of the step.
    const auto steps = static_cast<std::uint64_t>(std::ceil((far - 2e-6 * bead) / step));
    engine->advance(steps);
    EXPECT_EQ(engine->counts().bonds, 0U);
    engine->advance(1);
    ASSERT_EQ(engine->counts().bonds, 1U);
    const double pi = 3.14159265358979323846, length = 2 * range * bead;
    const double stiffness = 1e7 * pi * bead * bead / length, mass = 0.5 * 4.0 / 3 * pi * bead * bead * bead * 2500;
    EXPECT_NEAR(engine->snapshot({true, true}).force[0][0] / (-0.1 * 2 * 0.3 * std::sqrt(stiffness * mass)), 1, 1e-6);
    engine->advance(20000);  // the two come to rest relative to each other
    EXPECT_EQ(engine->counts().bonds, 1U);
    EXPECT_EQ(engine->counts().broken_bonds, 0U);
    const Snapshot s = engine->snapshot();
    EXPECT_NEAR(s.position[1][0] - s.position[0][0], 2 * range * bead, step);
    EXPECT_NEAR(s.velocity[1][0], -0.05, 1e-6);
    EXPECT_NEAR(s.velocity[0][0], -0.05, 1e-6);
  }
}

// Without form "near" there are bonds of the start alone; with a last time there are none later.
TEST_F(LaterBonds, OnlyBeforeTheirLastTime) {
  for (const double until : {0.0, 4e-3, 6e-3}) {
    Scene scene = sticky_scene();
    if (until > 0) {
      scene.pairs[0].bond.form_until = until;
    } else {
      scene.pairs[0].bond.form = BondForm::start;
    }
    add_body(scene, {0, 0, 0});
    add_body(scene, {2.5 * bead, 0, 0}, bead, {-0.1, 0, 0});  // touches at 5 ms
    add_body(scene, {-2 * bead, 0, 0});                       // bonded at the start
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    EXPECT_EQ(engine->counts().bonds, 1U);
    engine->advance(2000);
    EXPECT_EQ(engine->counts().bonds, until > 5e-3 ? 2U : 1U) << until;
  }
}

// Two materials: only pairs of the bonding rule are bonded, and a rule of the start does not take up later particles.
TEST_F(LaterBonds, FollowTheRuleOfEachPair) {
  Scene scene = sticky_scene();
  MaterialPair first = scene.pairs[0], other = scene.pairs[0];
  other.bond.form = BondForm::start;
  scene.materials.assign(2, scene.materials[0]);
  scene.pairs = {first, other, other, other};
  for (const int k : {0, 1, 2}) {
    add_body(scene, {0, 10.0 * k * bead, 0});
    add_body(scene, {2.2 * bead, 10.0 * k * bead, 0}, bead, {-0.1, 0, 0});
  }
  scene.particles.material = {0, 0, 0, 1, 1, 1};
  const auto engine = make_backend_engine(scene);
  engine->advance(1500);
  EXPECT_EQ(engine->counts().bonds, 1U);
  EXPECT_EQ(engine->snapshot({.damage = true}).id.size(), 6U);
}

// A bond that breaks does not come back while the two are near, whatever their distance; it does after they were apart.
TEST_F(LaterBonds, BrokenOnesComeBackAfterAParting) {
  for (const double range : {1.0, 1.1}) {
    Scene scene = sticky_scene(Precision::double_, range);
    scene.pairs[0].bond.tensile_strength = 1e3;
    scene.pairs[0].bond.damping = 0;
    scene.groups.resize(2);
    scene.groups[1].fixed = fixed_translation | fixed_rotation;
    add_body(scene, {0, 0, 0});
    add_body(scene, {2 * bead, 0, 0}, bead, {0.1, 0, 0});
    scene.particles.group = {1, 1};
    const double reach = 2 * bead * (range - 1);
    const auto engine = make_backend_engine(scene);
    const auto go_to = [&](double gap, double by) {
      for (int k = 0; k < 100000; ++k) {
        const Snapshot s = engine->snapshot();
        const double now = s.position[1][0] - 2 * bead;
        if (by > 0 ? now >= gap : now <= gap) { break; }
        if (s.velocity[1][0] != by) { engine->set_bodies({{1}, {}, {Real3{by, 0, 0}}, {}}); }
        engine->advance(1);
      }
    };
    engine->advance(1);
    EXPECT_EQ(engine->counts().bonds, 1U);
    go_to(0.5 * reach + 1e-6 * bead, 0.1);
    if (range > 1) {
      EXPECT_EQ(engine->counts().broken_bonds, 1U);
      EXPECT_EQ(engine->counts().bonds, 0U) << "near, but broken";
      go_to(0.1 * reach, -0.1);
      EXPECT_EQ(engine->counts().bonds, 0U) << "near, but broken";
    }
    go_to(reach + 0.01 * bead, 0.1);
    EXPECT_EQ(engine->counts().broken_bonds, 1U);
    EXPECT_EQ(engine->counts().bonds, 0U);
    go_to(reach - 1e-3 * bead, -0.1);
    EXPECT_EQ(engine->counts().bonds, 1U) << "met again";
    EXPECT_EQ(engine->counts().broken_bonds, 1U);
  }
}

// A pair that was bonded over a gap, and has lost its bond, is no contact until its bodies touch: it exerts no force
// and is in no readout, though checkpoints have it. Then it has a plain contact, with K = E pi r^2 / 2r.
TEST_F(LaterBonds, ARememberedBondIsNoContact) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = sticky_scene(precision, 1.1);
    scene.pairs[0].bond.tensile_strength = 1e3;
    scene.pairs[0].bond.damping = 0;
    scene.groups.resize(2);
    scene.groups[1].fixed = fixed_translation | fixed_rotation;
    add_body(scene, {0, 0, 0});
    add_body(scene, {2.1 * bead, 0, 0}, bead, {0.1, 0, 0});
    scene.particles.group = {1, 1};
    auto engine = make_backend_engine(scene);
    const auto go_to = [&](double gap, double by) {
      engine->set_bodies({{1}, {}, {Real3{by, 0, 0}}, {}});
      for (int k = 0; k < 2000; ++k) {
        const double now = engine->snapshot().position[1][0] - 2 * bead;
        if (by > 0 ? now >= gap : now <= gap) { break; }
        engine->advance(1);
      }
      engine->set_bodies({{1}, {}, {Real3{}}, {}});
      engine->advance(2);
    };
    const auto expect_contacts = [&](std::uint64_t bonds, std::size_t n) {
      const EngineCounts counts = engine->counts();
      EXPECT_EQ(counts.bonds, bonds);
      EXPECT_EQ(counts.contacts, n);
      EXPECT_EQ(engine->touching_contacts().size(), n);
      EXPECT_EQ(engine->snapshot({.coordination = true}).coordination,
                std::vector<std::uint32_t>(2, static_cast<std::uint32_t>(n)));
    };
    engine->advance(1);
    expect_contacts(1, 1);
    go_to(0.15 * bead, 0.1);
    EXPECT_EQ(engine->counts().broken_bonds, 1U);
    expect_contacts(0, 0);
    const EngineState state = engine->save();
    ASSERT_NE(state.find("pairs/ids"), nullptr);
    EXPECT_EQ(state.find("pairs/ids")->rows(), 1U) << "it is remembered";
    const StateHash hash = engine->hash();
    engine = make_backend_engine(scene);
    engine->restore(state);
    EXPECT_TRUE(engine->hash() == hash);
    expect_contacts(0, 0);
    Scene kept = scene;
    kept.pairs[0].bond.form = BondForm::kept;
    const auto other = make_backend_engine(kept);
    other->restore(state);
    EXPECT_EQ(other->counts().contacts, 0U) << "of a law that will forget it";
    go_to(0.05 * bead, -0.1);
    expect_contacts(0, 0);
    EXPECT_EQ(engine->snapshot({.force = true}).force[1], Real3{}) << "nearer than when it was bonded";
    go_to(-0.01 * bead, -0.1);
    expect_contacts(0, 1);
    std::vector<ContactDetail> details;
    const auto contacts = engine->touching_contacts(&details);
    const double stiffness = 1e7 * 3.14159265358979323846 * bead / 2;
    EXPECT_NEAR(contacts[0].force[0] / (stiffness * details[0].overlap), 1, 1e-5) << "of single precision";
    EXPECT_EQ(engine->counts().bonds, 0U);
  }
}

// Bodies that come later are bonded like those of the start.
TEST_F(LaterBonds, OfBodiesThatAreInserted) {
  Scene scene = sticky_scene();
  scene.inlets.push_back(announced());
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  add_body(scene, {0, 0, 0});
  scene.particles.group = {1};
  const auto engine = make_backend_engine(scene);
  engine->advance(10);
  for (int k = 1; k <= 3; ++k) {
    engine->insert(one_body({0, 0, (2.0 * k + 0.1) * bead}, {0, 0, -0.05}));
    engine->advance(4000);
    EXPECT_EQ(engine->counts().bonds, static_cast<std::uint64_t>(k));
  }
  const std::vector<double> damage = engine->snapshot({.damage = true}).damage;
  EXPECT_EQ(damage, std::vector<double>(4, 0.0));
}

/// A block of beads with gaps that falls on a floor: bonds are made and broken all the time.
Scene sticky_rain(Precision precision, double verlet) {
  Scene scene = sticky_scene(precision, 1.05);
  scene.gravity = {0, 0, -9.81};
  scene.verlet_distance = verlet * bead;
  scene.seed = 17;
  scene.pairs[0].bond.tensile_strength = 5e3;
  scene.pairs[0].bond.cohesion = 5e3;
  scene.pairs[0].bond.weibull_modulus = 1.5;
  scene.pairs[0].bond.form_until = 6e-3;
  scene.pairs[0].rolling = {0.2, 0.1, 0.2, 0.1, 0.1};
  scene.inlets.push_back(announced());
  scene.energies = precision == Precision::double_;
  Random random(9);
  add_lattice(scene, {6, 6, 5}, {0, 0, 1.1 * bead}, 2.2 * bead, {0.95 * bead, bead}, 0.4, random);
  for (Real3& velocity : scene.particles.velocity) { velocity[2] -= 0.8; }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_outlet(scene, "edge", {13 * bead, 0, 0}, {1, 0, 0});
  return scene;
}

struct Outcome {
  StateHash hash;
  EngineCounts counts;
};
Outcome run(const Scene& scene, int threads, bool restarts) {
  auto engine = make_backend_engine(scene, threads);
  const auto go = [&](std::uint64_t steps) {
    engine->advance(steps);
    if (!restarts) { return; }
    const EngineState state = engine->save();
    engine = make_backend_engine(scene, threads);
    engine->restore(state);
    EXPECT_TRUE(engine->save() == state);
  };
  go(400);
  for (int k = 0; k < 3; ++k) {
    engine->insert(one_body({(3 + 3.0 * k) * bead, 6 * bead, 16 * bead}, {0, 0, -3}));
    go(300);
  }
  go(700);
  return {engine->hash(), engine->counts()};
}

TEST_F(LaterBonds, TheSameBitsForAnyListsThreadsAndRestarts) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Outcome first = run(sticky_rain(precision, 0.1), 1, false);
    EXPECT_GT(first.counts.broken_bonds, 30U);
    EXPECT_GT(first.counts.bonds, 30U);
    for (const double verlet : {0.1, 0.7}) {
      const Outcome other = run(sticky_rain(precision, verlet), verlet > 0.5 ? 2 : 1, true);
      EXPECT_TRUE(other.hash == first.hash) << verlet;
      EXPECT_EQ(other.counts.bonds, first.counts.bonds);
      EXPECT_EQ(other.counts.broken_bonds, first.counts.broken_bonds);
    }
    Scene reseeded = sticky_rain(precision, 0.1);
    reseeded.seed = 18;
    EXPECT_FALSE(run(reseeded, 1, false).hash == first.hash) << "strengths depend on the seed";
  }
}

}  // namespace scree::inline SCREE_BACKEND::later_bonds_test
