#include <algorithm>
#include <cmath>
#include <numeric>

#include "busy_scene.hpp"
#include "host/case/laws.hpp"

namespace scree::inline SCREE_BACKEND::same_bits_test {

struct Outcome {
  StateHash hash;
  EngineCounts counts;
};

Outcome run(const Scene& scene, std::uint64_t steps, int threads) {
  const auto engine = make_backend_engine(scene, threads);
  engine->advance(steps);
  return {engine->hash(), engine->counts()};
}

constexpr std::uint64_t busy_steps = 400;

class SameBits : public BackendTest, public ::testing::WithParamInterface<LawKind> {};

TEST_P(SameBits, ForAnyThreadCountRunAndVerletDistance) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Outcome first = run(busy_scene(precision, GetParam(), 0.2), busy_steps, 1);
    EXPECT_GT(first.counts.removed[0], 0u);
    EXPECT_GT(first.counts.removed[1], 0u);
    EXPECT_GT(first.counts.contacts, 20u);
    EXPECT_GT(first.counts.boundary_contacts, 5u);
    EXPECT_GT(first.counts.searches, 3u);
    EXPECT_TRUE(run(busy_scene(precision, GetParam(), 0.2), busy_steps, 1).hash == first.hash) << "a second run";
    // Fewer steps for many threads: on a busy machine every step waits for all of them.
    const Outcome early = run(busy_scene(precision, GetParam(), 0.2), 100, 1);
    for (const int threads : {2, 3}) {
      EXPECT_TRUE(run(busy_scene(precision, GetParam(), 0.2), 100, threads).hash == early.hash)
          << threads << " threads";
    }
    for (const double verlet : {0.02, 0.07, 1.0, -0.02}) {  // negative: automatic, starting from its absolute value
      Scene scene = busy_scene(precision, GetParam(), std::abs(verlet));
      scene.verlet_auto = verlet < 0;
      const Outcome other = run(scene, busy_steps, 1);
      EXPECT_TRUE(other.hash == first.hash) << "Verlet distance " << verlet << " r";
      EXPECT_EQ(other.counts.removed, first.counts.removed);
      EXPECT_EQ(other.counts.removed_mass, first.counts.removed_mass);
      EXPECT_EQ(other.counts.contacts, first.counts.contacts);
      EXPECT_EQ(other.counts.boundary_contacts, first.counts.boundary_contacts);
    }
  }
}

TEST_P(SameBits, ForOneMaterialOrSeveralThatAreAlike) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = busy_scene(precision, GetParam(), 0.2);
    const Outcome one = run(scene, 100, 1);
    scene.materials.assign(3, scene.materials[0]);
    scene.pairs.assign(9, scene.pairs[0]);
    for (std::size_t i = 0; i < scene.particles.size(); ++i) {
      scene.particles.material[i] = static_cast<std::uint32_t>(i % 3);
    }
    for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
      scene.boundaries[b].material = static_cast<std::uint32_t>(b % 3);
    }
    EXPECT_TRUE(run(scene, 100, 1).hash == one.hash);
    EXPECT_TRUE(run(scene, 100, 2).hash == one.hash);
    scene.pairs[1].friction = 0.1;
    scene.pairs[3].friction = 0.1;
    EXPECT_FALSE(run(scene, 100, 1).hash == one.hash) << "the values of a pair of materials are not used";
  }
}

TEST_P(SameBits, InOneCallOrStepByStep) {
  const Scene scene = busy_scene(Precision::mixed, GetParam(), 0.2);
  const auto whole = make_backend_engine(scene), stepwise = make_backend_engine(scene);
  whole->advance(150);
  for (int step = 0; step < 150; ++step) {
    stepwise->advance(1);
    if (step % 10 == 0) {  // reading must change nothing
      static_cast<void>(stepwise->snapshot({true, true}));
      static_cast<void>(stepwise->counts());
      static_cast<void>(stepwise->boundary_loads());
      static_cast<void>(stepwise->boundary_vertices(2));
      static_cast<void>(stepwise->hash());
    }
  }
  EXPECT_TRUE(whole->hash() == stepwise->hash());
}

std::string law_name(const ::testing::TestParamInfo<LawKind>& tested) { return scree::law_name(tested.param); }
INSTANTIATE_TEST_SUITE_P(Laws, SameBits,
                         ::testing::Values(LawKind::hertz_mindlin, LawKind::cundall_strack,
                                           LawKind::hertz_mindlin_rescaled, LawKind::hertz_mindlin_dmt,
                                           LawKind::mindlin_reversal, LawKind::jkr, LawKind::linear_spring_dashpot,
                                           LawKind::jaeger, LawKind::eepa, LawKind::luding),
                         law_name);

using SameBitsOfState = BackendTest;

/// A busy scene in which only some pairs of materials stick to each other. Bodies have the materials 0 and 1,
/// boundaries 2; `sticky` has indices of Scene::pairs.
Scene partly_sticky_scene(Precision precision, std::initializer_list<std::size_t> sticky) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, 0.2);
  scene.materials.assign(3, scene.materials[0]);
  scene.pairs.assign(9, scene.pairs[0]);
  for (MaterialPair& pair : scene.pairs) { pair.range = 1; }
  for (const std::size_t k : sticky) {
    scene.pairs[k].law = LawKind::jkr;
    scene.pairs[k].range = 1.1;
  }
  scene.interaction_range = 1.1;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) { scene.particles.material[i] = i % 3 == 0 ? 0 : 1; }
  for (SceneBoundary& boundary : scene.boundaries) { boundary.material = 2; }
  return scene;
}

TEST_F(SameBitsOfState, ForOneRangeOfAllPairsOrOneOfEach) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const bool only_to_walls : {false, true}) {
      Scene scene = only_to_walls ? partly_sticky_scene(precision, {2, 6}) : partly_sticky_scene(precision, {0, 2, 6});
      const Outcome own = run(scene, busy_steps, 1);
      EXPECT_GT(own.counts.boundary_contacts, 5u);
      EXPECT_TRUE(run(scene, busy_steps, 2).hash == own.hash) << "two threads";
      for (MaterialPair& pair : scene.pairs) { pair.range.reset(); }
      const Outcome one = run(scene, busy_steps, 1);
      EXPECT_TRUE(own.hash == one.hash);
      EXPECT_EQ(own.counts.contacts, one.counts.contacts);
      EXPECT_LT(own.counts.candidates, one.counts.candidates) << "the ranges of pairs shorten no list";
    }
  }
}

TEST_F(SameBitsOfState, TheHashSeesEveryStep) {
  const auto engine = make_backend_engine(busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2));
  const StateHash start = engine->hash();
  engine->advance(1);
  const StateHash one = engine->hash();
  EXPECT_FALSE(start == one);
  engine->advance(1);
  EXPECT_FALSE(one == engine->hash());
}

TEST_F(SameBitsOfState, TheHashSeesTheLastBitOfOneVelocity) {
  Scene scene = busy_scene(Precision::double_, LawKind::hertz_mindlin, 0.2);
  const StateHash before = make_backend_engine(scene)->hash();
  double& component = scene.particles.velocity[333][1];
  component = std::nextafter(component, 10.0);
  EXPECT_FALSE(before == make_backend_engine(scene)->hash());
}

/// Adhesive pairs and a sphere on a floor fly apart faster than lists with a small Verlet distance reach.
Scene snapping_necks(Precision precision, double verlet) {
  Scene scene = glass_scene(precision, LawKind::jkr);
  scene.verlet_distance = verlet * bead;
  scene.interaction_range = 1.001;  // necks break at a gap of some 4e-4 of the radius
  scene.energies = true;
  for (std::uint32_t k = 0; k < 8; ++k) {
    const double x = 10 * bead * k, speed = 1 + 2 * k;
    add_body(scene, {x, 0, 20 * bead}, bead, {0, 0, -speed});
    add_body(scene, {x, 0, 21.999 * bead}, bead, {0, 0, speed});
    add_body(scene, {x, 20 * bead, 0.999 * bead}, bead, {0, 0, speed});
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

TEST_F(SameBitsOfState, NecksThatSnapAreSeenByTheLawWhateverIsListed) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto near = make_backend_engine(snapping_necks(precision, 1e-3)),
               far = make_backend_engine(snapping_necks(precision, 2));
    for (int step = 0; step < 60; ++step) {
      near->advance(1), far->advance(1);
      EXPECT_TRUE(near->hash() == far->hash()) << "step " << step;
      EXPECT_EQ(near->counts().boundary_contacts, far->counts().boundary_contacts) << "step " << step;
    }
    EXPECT_EQ(far->counts().contacts, 0u) << "no neck has snapped";
    EXPECT_NE(far->energies().breakage, 0.0);
    EXPECT_EQ(near->energies().breakage, far->energies().breakage);
    EXPECT_EQ(near->energies().parting, far->energies().parting);
  }
}

/// A dense packet of bodies that collide with each other and with the walls, without outlets.
Scene packet() {
  Scene scene = glass_scene(Precision::double_);
  scene.gravity = {0, 0, -9.81};
  Random random(8);
  add_lattice(scene, {7, 7, 7}, {0, 0, 0}, 2.1 * bead, {0.4 * bead, bead}, 1.0, random);
  add_box_walls(scene, {7 * 2.1 * bead, 7 * 2.1 * bead, 0});
  return scene;
}

TEST_F(SameBitsOfState, IdsAreNamesOnly) {
  const Scene scene = packet();
  std::vector<std::size_t> order(scene.particles.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  Random random(9);
  for (std::size_t i = order.size() - 1; i > 0; --i) { std::swap(order[i], order[random.whole(i + 1)]); }
  Scene renamed = scene;
  renamed.particles = {};
  for (const std::size_t i : order) {
    add_body(renamed, scene.particles.position[i], scene.particles.radius[i], scene.particles.velocity[i]);
  }
  const auto engine = make_backend_engine(scene), other = make_backend_engine(renamed);
  engine->advance(200);
  other->advance(200);
  EXPECT_GT(engine->counts().contacts, 20u);
  EXPECT_EQ(engine->counts().contacts, other->counts().contacts);
  const Snapshot a = engine->snapshot(), b = other->snapshot();
  double farthest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t c = 0; c < 3; ++c) {
      farthest = std::max(farthest, std::abs(a.position[order[k]][c] - b.position[k][c]));
    }
  }
  EXPECT_LT(farthest, 1e-10 * bead);
}

using SameBitsOfLaws = BackendTest;

/// Bodies of two materials and boundaries of a third. The pair of materials decides between two laws.
Scene several_laws(Precision precision) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, 0.2);
  scene.materials.assign(3, scene.materials[0]);
  scene.pairs.assign(9, scene.pairs[0]);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    scene.particles.material[i] = static_cast<std::uint32_t>(i % 2);
  }
  for (std::size_t b = 1; b < scene.boundaries.size(); ++b) { scene.boundaries[b].material = 2; }
  for (const std::size_t pair : {1u, 3u, 5u, 7u}) { scene.pairs[pair].law = LawKind::cundall_strack; }
  return scene;
}

TEST_F(SameBitsOfLaws, SeveralInOneRun) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Outcome first = run(several_laws(precision), 200, 1);
    EXPECT_GT(first.counts.contacts, 20u);
    EXPECT_GT(first.counts.boundary_contacts, 5u);
    EXPECT_TRUE(run(several_laws(precision), 200, 2).hash == first.hash);
    Scene scene = several_laws(precision);
    scene.verlet_distance *= 0.3;
    EXPECT_TRUE(run(scene, 200, 1).hash == first.hash);
    EXPECT_FALSE(run(busy_scene(precision, LawKind::hertz_mindlin, 0.2), 200, 1).hash == first.hash);
  }
}

/// Two oblique collisions far from each other, and a bounce on the floor. Each collision is between bodies of one
/// material.
Scene collisions(LawKind near, LawKind far) {
  Scene scene = glass_scene(Precision::double_, near);
  scene.materials.assign(2, scene.materials[0]);
  scene.pairs.assign(4, scene.pairs[0]);
  for (std::size_t pair = 0; pair < 4; ++pair) { scene.pairs[pair].friction = 0.3; }
  scene.pairs[1].law = scene.pairs[2].law = scene.pairs[3].law = far;
  for (std::uint32_t place = 0; place < 2; ++place) {
    const double x = 100 * bead * place;
    add_body(scene, {x, 0, 3 * bead}, bead, {0.5, 0.2, -0.1});
    add_body(scene, {x + 2.05 * bead, 0.4 * bead, 3 * bead}, bead, {-0.5, 0, -0.1});
    scene.particles.material[2 * place] = scene.particles.material[2 * place + 1] = place;
  }
  add_plane(scene, {0, 0, 1.9 * bead}, {0, 0, 1});
  return scene;
}

TEST_F(SameBitsOfLaws, EachPairAsIfItsLawWereAlone) {
  using enum LawKind;
  const auto after = [](const Scene& scene) {
    const auto engine = make_backend_engine(scene);
    engine->advance(600);
    return engine->snapshot().velocity;
  };
  const auto mixed = after(collisions(hertz_mindlin, cundall_strack));
  const auto hertz = after(collisions(hertz_mindlin, hertz_mindlin));
  const auto linear = after(collisions(cundall_strack, cundall_strack));
  for (std::size_t i : {0u, 1u}) { EXPECT_EQ(mixed[i], hertz[i]); }
  for (std::size_t i : {2u, 3u}) { EXPECT_EQ(mixed[i], linear[i]); }
  EXPECT_NE(hertz[0], linear[0]);
}

}  // namespace scree::inline SCREE_BACKEND::same_bits_test
