#include "engine_kit.hpp"

// Bonds that break while lists are rebuilt, bodies are removed and several threads work.
namespace scree::inline SCREE_BACKEND::bonds_test {

/// A block of bonded beads that hits a floor, loses some of its bonds, and drops beads over the edge of an outlet.
Scene falling_block(Precision precision, double verlet) {
  Scene scene = glass_scene(precision, LawKind::bonded);
  scene.gravity = {0, 0, -9.81};
  scene.time_step = 4e-6;
  scene.verlet_distance = verlet * bead;
  scene.interaction_range = 1.3;
  scene.pairs[0].bond = {4e4, 4e4, 1.15, NormalStrain::logarithmic};
  scene.pairs[0].rolling = {0.2, 0.1, 0.2, 0.1, 0.1};
  Random random(3);
  for (int k = 0; k < 8; ++k) {
    for (int j = 0; j < 6; ++j) {
      for (int i = 0; i < 6; ++i) {
        const Real3 shift = random.point({-0.05, -0.05, -0.05}, {0.05, 0.05, 0.05});
        add_body(scene,
                 {(2.03 * i + shift[0]) * bead, (2.03 * j + shift[1]) * bead, (1.2 + 2.03 * k + shift[2]) * bead},
                 random(0.93 * bead, bead), {0.3, 0.1, -1.5});
      }
    }
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_outlet(scene, "edge", {11.5 * bead, 0, 0}, {1, 0, 0});
  return scene;
}

struct Outcome {
  StateHash hash;
  EngineCounts counts;
  std::vector<double> damage;
};
Outcome run(const Scene& scene, std::uint64_t steps, int threads = 1) {
  const auto engine = make_backend_engine(scene, threads);
  engine->advance(steps);
  return {engine->hash(), engine->counts(), engine->snapshot({.damage = true}).damage};
}

using BondBits = BackendTest;

TEST_F(BondBits, SameForAnyVerletDistanceAndThreadCount) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Outcome first = run(falling_block(precision, 0.05), 1500);
    EXPECT_GT(first.counts.broken_bonds, 30u);
    EXPECT_GT(first.counts.bonds, 30u);
    EXPECT_GT(first.counts.removed[0], 2u);
    for (const double verlet : {0.2, 1.0}) {
      const Outcome other = run(falling_block(precision, verlet), 1500);
      EXPECT_TRUE(other.hash == first.hash) << verlet;
      EXPECT_EQ(other.counts.bonds, first.counts.bonds);
      EXPECT_EQ(other.counts.broken_bonds, first.counts.broken_bonds);
      EXPECT_EQ(other.damage, first.damage);
      EXPECT_GT(first.counts.rebuilds, 2 * other.counts.rebuilds);
    }
    const Outcome early = run(falling_block(precision, 0.2), 300);
    for (const int threads : {2, 3}) {
      EXPECT_TRUE(run(falling_block(precision, 0.2), 300, threads).hash == early.hash) << threads << " threads";
    }
  }
}

/// The same scene with two materials that are alike.
Scene with_two_materials(Scene scene) {
  scene.materials.assign(2, scene.materials[0]);
  scene.pairs.assign(4, scene.pairs[0]);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    scene.particles.material[i] = static_cast<std::uint32_t>(i % 2);
  }
  return scene;
}

// Without rolling resistance, a scene of one material runs kernels of its own. They must give the same bits as the
// kernels for several materials.
TEST_F(BondBits, TwoMaterialsThatAreAlikeAreAsOne) {
  const Scene rolling = falling_block(Precision::mixed, 0.2);
  Scene plain = rolling;
  plain.pairs[0].rolling = {};
  for (const Scene& scene : {rolling, plain}) {
    EXPECT_TRUE(run(scene, 200).hash == run(with_two_materials(scene), 200).hash) << scene.pairs[0].rolling.acts();
  }
}

// The expected number of bonds comes from comparing all bodies with all: each pair within the bonding distance at the
// start, if both bodies are of the bonding material.
TEST_F(BondBits, BondsAreThoseOfTheStart) {
  for (const double verlet : {0.05, 1.0}) {
    Scene scene = falling_block(Precision::double_, verlet);
    const auto engine = make_backend_engine(scene);
    const std::size_t near = pairs_nearer_than(engine->snapshot(), [&](std::size_t i, std::size_t j) {
                               return 1.15 * (scene.particles.radius[i] + scene.particles.radius[j]);
                             }).size();
    EXPECT_EQ(engine->counts().bonds, 0u);
    engine->advance(1);
    EXPECT_EQ(engine->counts().bonds, near);
    EXPECT_GT(near, 500u);

    scene.materials.assign(2, scene.materials[0]);
    MaterialPair other;
    other.law = LawKind::cundall_strack;
    scene.pairs = {scene.pairs[0], other, other, other};
    for (std::size_t i = 0; i < scene.particles.size(); ++i) { scene.particles.material[i] = i < 144 ? 0 : 1; }
    const auto half = make_backend_engine(scene);
    half->advance(1);
    std::size_t expected = 0;
    for (const auto& [a, b] : pairs_nearer_than(engine->snapshot(), [&](std::size_t i, std::size_t j) {
           return 1.15 * (scene.particles.radius[i] + scene.particles.radius[j]);
         })) {
      expected += a < 144 && b < 144 ? 1 : 0;
    }
    EXPECT_EQ(half->counts().bonds, expected);
  }
}

// The damage of all particles together counts each broken bond twice.
TEST_F(BondBits, DamageIsTheBrokenShare) {
  Scene scene = glass_scene(Precision::double_, LawKind::bonded);
  scene.interaction_range = 1.2;
  scene.pairs[0].bond = {1e4, 1e4, 1.01};
  for (int i = 0; i < 4; ++i) { add_body(scene, {2 * bead * i, 0, 0}, bead, {i == 3 ? 5.0 : 0.0, 0, 0}); }
  const auto engine = make_backend_engine(scene);
  EXPECT_EQ(engine->snapshot({.damage = true}).damage, std::vector<double>(4, 0.0));
  engine->advance(200);
  EXPECT_EQ(engine->counts().broken_bonds, 1u);
  EXPECT_EQ(engine->counts().bonds, 2u);
  EXPECT_EQ(engine->snapshot({.damage = true}).damage, (std::vector<double>{0, 0, 0.5, 1}));
}

}  // namespace scree::inline SCREE_BACKEND::bonds_test
