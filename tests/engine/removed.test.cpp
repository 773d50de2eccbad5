#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "grain_kit.hpp"
#include "hot_scene.hpp"

// The list of particles that outlets have removed.
namespace scree::inline SCREE_BACKEND::removed_test {

using RemovedList = BackendTest;

double mass_of(const Scene& scene, double radius) {
  return 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * scene.materials[0].density;
}

/// Bodies that fly apart without touching, through two outlets.
Scene spray(Precision precision) {
  Scene scene = glass_scene(precision);
  scene.lists_removed = true;
  Random random(5);
  add_lattice(scene, {6, 6, 6}, {-9 * bead, -9 * bead, -9 * bead}, 3 * bead, {0.5 * bead, bead}, 0, random);
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) { scene.particles.velocity[i][k] = 300 * scene.particles.position[i][k]; }
  }
  add_outlet(scene, "right", {11 * bead, 0, 0}, {1, 0, 0});
  add_outlet(scene, "left", {-11 * bead, 0, 0}, {-1, 0, 0});
  return scene;
}

auto values_of(const std::vector<RemovedParticle>& list) {
  std::vector<std::tuple<std::uint64_t, double, std::uint32_t, std::uint32_t, double, Real3, Real3>> all;
  for (const RemovedParticle& p : list) {
    all.emplace_back(p.step, p.time, p.id, p.outlet, p.mass, p.position, p.velocity);
  }
  return all;
}

// Bodies move by v dt in each step, so each leaves in the first step whose end lies beyond the plane.
TEST_F(RemovedList, TellsWhenWhereAndHowFast) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const Scene scene = spray(precision);
    const auto engine = make_backend_engine(scene);
    engine->advance(600);
    const std::vector<RemovedParticle> list = engine->take_removed();
    const EngineCounts counts = engine->counts();
    ASSERT_EQ(list.size(), counts.removed[0] + counts.removed[1]);
    ASSERT_GT(list.size(), 50u);
    EXPECT_EQ(counts.particles + list.size(), scene.particles.size());
    // Velocities of single precision have an error of 6e-8, positions of double one of 1e-16.
    const double tolerance = precision == Precision::double_ ? 1e-12 : 1e-7;
    double mass = 0;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const RemovedParticle& p = list[k];
      if (k > 0) { EXPECT_LT(std::tuple(list[k - 1].step, list[k - 1].id), std::tuple(p.step, p.id)); }
      const Real3 &x = scene.particles.position[p.id], &v = scene.particles.velocity[p.id];
      EXPECT_EQ(p.outlet, x[0] > 0 ? 0u : 1u);
      EXPECT_EQ(p.time, double(p.step) * scene.time_step);
      const double steps = (11 * bead - std::fabs(x[0])) / (std::fabs(v[0]) * scene.time_step);
      EXPECT_NEAR(double(p.step), std::ceil(steps), std::fabs(steps - std::round(steps)) < 1e-4 ? 1 : 0) << p.id;
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(p.velocity[c], v[c], tolerance * 3);
        EXPECT_NEAR(p.position[c], x[c] + p.time * v[c], tolerance * 0.02);
      }
      EXPECT_NEAR(p.mass, mass_of(scene, scene.particles.radius[p.id]), 1e-6 * p.mass);
      mass += p.mass;
    }
    EXPECT_NEAR(mass, counts.removed_mass[0] + counts.removed_mass[1], 1e-9 * mass);
    EXPECT_TRUE(engine->take_removed().empty()) << "each is told once";
  }
}

TEST_F(RemovedList, DoesNotDependOnThreadsListsOrWhenItIsTaken) {
  Scene scene = spray(Precision::mixed);
  const auto taken_at_once = [](Scene changed, int threads) {
    const auto engine = make_backend_engine(changed, threads);
    engine->advance(600);
    return values_of(engine->take_removed());
  };
  const auto expected = taken_at_once(scene, 1);
  EXPECT_EQ(taken_at_once(scene, 3), expected);
  Scene long_lists = scene;
  long_lists.verlet_distance = bead;
  EXPECT_EQ(taken_at_once(long_lists, 1), expected);
  const auto engine = make_backend_engine(scene);
  std::vector<RemovedParticle> parts;
  for (int part = 0; part < 60; ++part) {
    engine->advance(10);
    const auto some = engine->take_removed();
    parts.insert(parts.end(), some.begin(), some.end());
  }
  EXPECT_EQ(values_of(parts), expected);
}

TEST_F(RemovedList, ChangesNothingElse) {
  Scene scene = spray(Precision::mixed);
  const auto listing = make_backend_engine(scene);
  scene.lists_removed = false;
  const auto silent = make_backend_engine(scene);
  listing->advance(600), silent->advance(600);
  EXPECT_TRUE(listing->hash() == silent->hash());
  EXPECT_TRUE(listing->save() == silent->save());
  EXPECT_TRUE(silent->take_removed().empty());
}

/// Dumb-bells that fly to the right, each at its own speed.
Scene flying_clumps(std::size_t n) {
  Scene scene = glass_scene(Precision::mixed);
  scene.lists_removed = true;
  scene.clump_shapes = {physics::dumbbell(0.5 * bead, 0.5 * bead)};
  for (std::size_t k = 0; k < n; ++k) {
    const double place = 4 * bead * double(k);
    physics::add_clump(scene, 0, {0, place, 0}, {1 + 0.1 * double(k % 9), 0, 0}, {0, 0, 500},
                       physics::turn({0, 0, 1}, double(k)));
  }
  add_outlet(scene, "right", {bead, 0, 0}, {1, 0, 0});
  return scene;
}

// A processor moves eight clumps at a time, and the rest one by one: the first three are in both ways in the list.
TEST_F(RemovedList, AClumpIsOneParticle) {
  const auto list_of = [](std::size_t n) {
    const Scene scene = flying_clumps(n);
    const auto engine = make_backend_engine(scene);
    engine->advance(300);
    const auto list = engine->take_removed();
    EXPECT_EQ(list.size(), n);
    EXPECT_EQ(engine->counts().removed[0], n);
    for (const RemovedParticle& p : list) {
      EXPECT_EQ(p.id % 2, 0u) << "the first member stands for a clump";
      const double v = 1 + 0.1 * double(p.id / 2 % 9);
      EXPECT_NEAR(p.velocity[0], v, 1e-6);
      EXPECT_NEAR(p.position[0], v * p.time, 1e-9);
      EXPECT_NEAR(double(p.step), std::ceil(bead / (v * scene.time_step)), 1);
    }
    return list;
  };
  const auto few = list_of(3), many = list_of(19);
  for (const RemovedParticle& p : few) {
    const auto same = std::find_if(many.begin(), many.end(), [&](const auto& q) { return q.id == p.id; });
    ASSERT_NE(same, many.end());
    EXPECT_EQ(values_of({*same}), values_of({p}));
  }
}

TEST_F(RemovedList, KnowsTheTimeOfAnAdaptiveStepAndLateBodies) {
  Scene scene = glass_scene(Precision::double_);
  scene.lists_removed = true;
  scene.adaptive = AdaptiveStep{
      .safety = 0.3, .every = 7, .impact_limit = 2e-4, .impact_limit_at_unit_speed = 3e-5, .free_limit = 2e-5};
  add_body(scene, {0, 0, 0}, bead, {1, 0, 0});
  add_outlet(scene, "right", {3 * bead, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  EXPECT_EQ(engine->id_count(), 1u);
  engine->advance(100);
  ParticleSet late;
  late.position = {{0, 5 * bead, 0}};
  late.velocity = {{2, 0, 0}};
  late.angular_velocity = {{0, 0, 0}};
  late.radius = {bead};
  late.material = {0};
  const double inserted = engine->time();
  engine->insert(late);
  EXPECT_EQ(engine->id_count(), 2u);
  engine->advance(3000);
  const auto list = engine->take_removed();
  ASSERT_EQ(list.size(), 2u);
  for (const RemovedParticle& p : list) {
    const double expected = p.id == 0 ? 3 * bead : inserted + 1.5 * bead;
    EXPECT_GE(p.time, expected * (1 - 1e-12));
    EXPECT_LE(p.time, expected + 3e-5) << "a step at most behind";
    EXPECT_GT(p.step, 0u);
  }
}

// What bodies carry when they leave: a single one, and a clump, whose film is that of its members.
TEST_F(RemovedList, TellsTemperaturesAndFilms) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = glass_scene(precision);
    scene.lists_removed = true;
    scene.clump_shapes = {physics::shape_of({{-0.5 * bead, 0, 0}, {0.5 * bead, 0, 0}}, {bead, bead})};
    add_body(scene, {0, 0, 0}, bead, {1, 0, 0});
    physics::add_clump(scene, 0, {0, 5 * bead, 0}, {2, 0, 0});
    add_body(scene, {0, 10 * bead, 0}, bead, {3, 0, 0});
    add_outlet(scene, "right", {3 * bead, 0, 0}, {1, 0, 0});
    make_hot(scene);
    scene.particles.temperature = {310, 320, 320, 330};
    scene.pairs[0].liquid = LiquidBridges{.surface_tension = 0.07, .volume_fraction = 0.1, .from_films = true};
    scene.particles.film = {1e-12, 2e-12, 5e-12, 0};
    const auto engine = make_backend_engine(scene);
    engine->advance(3000);
    const auto list = engine->take_removed();
    ASSERT_EQ(list.size(), 3u);
    std::map<std::uint32_t, std::pair<double, double>> found;
    for (const RemovedParticle& p : list) { found[p.id] = {p.temperature, p.film}; }
    const std::map<std::uint32_t, std::pair<double, double>> expected{
        {0, {310, 1e-12}}, {1, {320, 7e-12}}, {3, {330, 0}}};
    EXPECT_EQ(found, expected) << "nothing touches, so nothing changes";
    // The balance of heat says the same: the heat that left is that of these temperatures.
    double heat = 0;
    for (const RemovedParticle& p : list) {
      heat += p.mass * scene.materials[0].thermal->heat_capacity * p.temperature;
    }
    EXPECT_NEAR(engine->heat().removed, heat, 1e-6 * heat);
  }
}

// A checkpoint just after a grain has left still has its contacts of the last step.
TEST_F(RemovedList, ACheckpointHoldsGrainsThatLeaveWhileTheyTouch) {
  Scene scene = glass_scene(Precision::mixed);
  add_grain_shape(scene, grain_of(ball(bead), bead, 0.2 * bead, 200));
  physics::add_clump(scene, 0, {-0.1 * bead, 0, 0}, {1, 0, 0});
  physics::add_clump(scene, 0, {-2.05 * bead, 0, 0}, {1, 0, 0});
  physics::add_clump(scene, 0, {-0.1 * bead, 1.95 * bead, 0}, {0.5, 0, 0});
  add_plane(scene, {0, 0, -0.98 * bead}, {0, 0, 1});
  add_outlet(scene, "right", {0, 0, 0}, {1, 0, 0});
  const auto engine = make_backend_engine(scene);
  for (int k = 0; k < 60; ++k) {
    const EngineState state = engine->save();
    const auto resumed = make_backend_engine(scene);
    resumed->restore(state);
    engine->advance(2), resumed->advance(2);
    EXPECT_TRUE(resumed->save() == engine->save()) << engine->step();
    engine->restore(state);
    engine->advance(1);
  }
  EXPECT_EQ(engine->counts().removed[0], 2u);
  EXPECT_EQ(engine->counts().particles, 1u);
}

TEST_F(RemovedList, ARestoredRunBeginsANewList) {
  const Scene scene = spray(Precision::mixed);
  const auto engine = make_backend_engine(scene), other = make_backend_engine(scene);
  engine->advance(400);
  static_cast<void>(engine->take_removed());
  const EngineState state = engine->save();
  other->advance(450);
  other->restore(state);
  EXPECT_TRUE(other->take_removed().empty());
  engine->advance(200), other->advance(200);
  const auto expected = values_of(engine->take_removed());
  EXPECT_GT(expected.size(), 10u);
  EXPECT_EQ(values_of(other->take_removed()), expected);
}

}  // namespace scree::inline SCREE_BACKEND::removed_test
