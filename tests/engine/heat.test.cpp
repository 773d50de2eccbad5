#include <cmath>
#include <numeric>

#include "../physics/clump_shapes.hpp"
#include "busy_scene.hpp"
#include "hot_scene.hpp"
#include "scree/errors.hpp"
#include "temperatures.hpp"

// Bits and bookkeeping of heat, on every backend. The physics is in tests/physics/heat.test.cpp.
namespace scree::inline SCREE_BACKEND::heat_test {

using HeatBits = BackendTest;
using test::temperatures;

Scene hot_scene(Precision precision, double verlet = 0.2) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, verlet);
  scene.energies = true;
  make_hot(scene);
  return scene;
}

/// [-] What the balance of heat lacks, over the heat.
double gap_of_balance(const HeatReport& heat) {
  const double supplied = std::accumulate(heat.supplied.begin(), heat.supplied.end(), 0.0);
  return std::abs(heat.start + supplied + heat.dissipation + heat.inserted - heat.removed - heat.heat) / heat.heat;
}

constexpr std::uint64_t steps = 100;

TEST_F(HeatBits, SameBitsForAnyThreadCountAndVerletDistance) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const auto first = make_backend_engine(hot_scene(precision));
    first->advance(steps);
    const HeatReport heat = first->heat();
    EXPECT_GT(heat.dissipation, 0);
    EXPECT_GT(heat.removed, 0);
    EXPECT_NE(heat.supplied[0], 0) << "of a temperature";
    EXPECT_NE(heat.supplied[2], 0) << "of a flux";
    for (const auto& [threads, verlet] : {std::pair{1, 0.02}, {2, 0.2}, {3, 1.0}}) {
      const auto other = make_backend_engine(hot_scene(precision, verlet), threads);
      other->advance(steps);
      EXPECT_TRUE(other->hash() == first->hash()) << threads << " threads, Verlet distance " << verlet;
      EXPECT_EQ(other->heat().supplied, heat.supplied);
      EXPECT_EQ(other->heat().flow, heat.flow);
      EXPECT_EQ(other->heat().dissipation, heat.dissipation);
    }
  }
}

TEST_F(HeatBits, OtherBitsOfTheStateDoNotDependOnIt) {
  Scene cold = busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2), hot = cold;
  make_hot(hot);
  const auto a = make_backend_engine(cold), b = make_backend_engine(hot);
  a->advance(steps), b->advance(steps);
  EXPECT_EQ(a->snapshot().position, b->snapshot().position);
  EXPECT_EQ(a->snapshot().velocity, b->snapshot().velocity);
  EXPECT_FALSE(a->hash() == b->hash());
}

TEST_F(HeatBits, PermutedParticlesHaveTheSameTemperatures) {
  Scene scene = hot_scene(Precision::double_);
  scene.outlets.clear();
  Scene turned = scene;
  const std::size_t n = scene.particles.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = n - 1 - i;
    turned.particles.position[i] = scene.particles.position[from];
    turned.particles.velocity[i] = scene.particles.velocity[from];
    turned.particles.angular_velocity[i] = scene.particles.angular_velocity[from];
    turned.particles.radius[i] = scene.particles.radius[from];
    turned.particles.temperature[i] = scene.particles.temperature[from];
  }
  const auto a = make_backend_engine(scene), b = make_backend_engine(turned);
  a->advance(20), b->advance(20);
  const auto before = temperatures(*a), after = temperatures(*b);
  ASSERT_EQ(before.size(), n);
  for (std::size_t i = 0; i < n; ++i) { EXPECT_NEAR(after[n - 1 - i], before[i], 1e-10 * before[i]); }
}

TEST_F(HeatBits, BalanceClosesToRounding) {
  const auto engine = make_backend_engine(hot_scene(Precision::mixed));
  ParticleSet late;
  late.position.push_back({0, 0.5 * bead, 30 * bead});
  late.velocity.push_back({0, 0, -1});
  late.angular_velocity.push_back({});
  late.radius.push_back(bead);
  late.material.push_back(0);
  late.temperature.push_back(900);
  engine->advance(steps);
  engine->insert(late);
  engine->advance(steps);
  const HeatReport heat = engine->heat();
  EXPECT_GT(heat.inserted, 0);
  EXPECT_GT(heat.removed, 0);
  EXPECT_GT(std::abs(heat.heat - heat.start), 1e-3 * heat.start) << "much must have flowed";
  EXPECT_LT(gap_of_balance(heat), 1e-13);
}

TEST_F(HeatBits, RestoredRunsGoOnWithTheSameBits) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    const Scene scene = hot_scene(precision);
    const auto whole = make_backend_engine(scene), rest = make_backend_engine(scene, 2);
    whole->advance(60);
    const EngineState state = whole->save();
    const HeatReport saved = whole->heat();
    rest->restore(state);
    EXPECT_TRUE(rest->save() == state);
    EXPECT_EQ(rest->heat().flow, saved.flow);
    EXPECT_EQ(rest->heat().supplied, saved.supplied);
    EXPECT_EQ(rest->heat().heat, saved.heat);
    whole->advance(60), rest->advance(60);
    EXPECT_TRUE(rest->hash() == whole->hash());
    EXPECT_TRUE(rest->save() == whole->save());
  }
}

// A program may remove particles before the first step: their heat is part of the state, too.
TEST_F(HeatBits, HeatRemovedBeforeTheFirstStepIsSaved) {
  const Scene scene = hot_scene(Precision::double_);
  const auto whole = make_backend_engine(scene), rest = make_backend_engine(scene, 2);
  whole->remove({0}, 0);
  const double removed = whole->heat().removed;
  EXPECT_GT(removed, 0);
  rest->restore(whole->save());
  EXPECT_EQ(rest->heat().removed, removed);
  EXPECT_TRUE(rest->save() == whole->save());
  rest->advance(20);
  EXPECT_LT(gap_of_balance(rest->heat()), 1e-13);
}

TEST_F(HeatBits, MembersOfAClumpShareATemperature) {
  Scene scene = glass_scene(Precision::double_, LawKind::hertz_mindlin);
  scene.clump_shapes = {physics::dumbbell(bead, bead)};
  physics::add_clump(scene, 0, {0, 0, 0}, {}, {}, {1, 0, 0, 0});
  physics::add_clump(scene, 0, {3.99 * bead, 0, 0}, {}, {}, {1, 0, 0, 0});
  scene.verlet_distance = 0.1 * bead;
  make_hot(scene);
  scene.heat->settings.radiation.reset();
  scene.particles.temperature = {400, 400, 300, 300};
  const auto engine = make_backend_engine(scene);
  const HeatReport before = engine->heat();
  engine->advance(100);
  const auto t = temperatures(*engine);
  EXPECT_EQ(t[0], t[1]);
  EXPECT_EQ(t[2], t[3]);
  EXPECT_LT(t[0], 400);
  EXPECT_NEAR(t[0] + t[2], 700, 1e-9) << "equal clumps";
  EXPECT_NEAR(engine->heat().heat, before.heat, 1e-12 * before.heat);
  const double volume = scene.clump_shapes[0].volume;
  EXPECT_NEAR(before.capacity, 2 * 3 * volume * scene.materials[0].density, 1e-12 * before.capacity) << "3 J/(kg K)";
}

TEST_F(HeatBits, AStepThatIsTooLongIsAFault) {
  Scene scene = hot_scene(Precision::double_);
  for (Material& material : scene.materials) { material.thermal->heat_capacity = 1e-4; }
  const auto engine = make_backend_engine(scene);
  EXPECT_THROW(engine->advance(steps), KernelFault);
}

// A flux q takes q pi r^2 from a sphere that touches the boundary, 3 q dt / (4 r rho c) in degrees and step: here 300 K
// in 10.4 steps, so the eleventh would cool below 0 K. A clump of two such spheres cools half as fast when one of them
// touches, so its 21st step would. The fault names the sphere, or the first member, and the boundary.
TEST_F(HeatBits, AFluxThatCoolsBelowZeroIsAFault) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    for (const bool of_clump : {false, true}) {
      Scene scene = glass_scene(precision);
      add_body(scene, {0, 0, 20 * bead});
      scene.clump_shapes = {physics::dumbbell(bead, bead)};
      if (of_clump) {
        physics::add_clump(scene, 0, {0, 0, 1.999 * bead}, {}, {}, physics::turn({0, 1, 0}, 1.5707963267948966));
      } else {
        add_body(scene, {0, 0, 0.999 * bead});
      }
      scene.groups.resize(2);
      scene.groups[1].fixed = fixed_translation | fixed_rotation;
      scene.particles.group.assign(scene.particles.size(), 1);
      add_plane(scene, {-0.999 * bead, 0, 0}, {1, 0, 0}).name = "warm plate";
      add_plane(scene, {0, 0, 0}, {0, 0, 1}).name = "cold plate";
      make_hot(scene);
      scene.heat->settings.gas.reset(), scene.heat->settings.radiation.reset();
      scene.particles.temperature.assign(scene.particles.size(), 300);
      for (SceneBoundary& boundary : scene.boundaries) { boundary.temperature.reset(), boundary.heat_flux = 0; }
      const double by_step = 300 / 10.4, per_flux = 3 * scene.time_step / (4 * bead * 2500 * 3);
      scene.boundaries[1].heat_flux = -by_step / per_flux;
      const auto engine = make_backend_engine(scene);
      const std::uint64_t last = of_clump ? 21 : 11;
      engine->advance(last - 1);
      const double least = temperatures(*engine)[1];
      EXPECT_NEAR(least, 300 - by_step * double(last - 1) * (of_clump ? 0.5 : 1), 1e-4);  // radii in single precision
      EXPECT_GT(least, 0);
      try {
        engine->advance(2);
        ADD_FAILURE() << "no fault";
      } catch (const KernelFault& fault) {
        EXPECT_EQ(fault.ids(), std::vector<std::uint32_t>{1});
        EXPECT_EQ(fault.step(), last);
        EXPECT_EQ(
            std::string(fault.what()),
            "it would cool below 0 K: the \"heat_flux\" of boundary \"cold plate\" takes more heat from it than it "
            "has; make the flux weaker, or give the boundary a \"temperature\"");
      }
    }
  }
}

TEST_F(HeatBits, NoHeatNoReport) {
  const auto engine = make_backend_engine(busy_scene(Precision::mixed, LawKind::hertz_mindlin, 0.2));
  engine->advance(1);
  EXPECT_TRUE(engine->heat().supplied.empty());
  EXPECT_TRUE(temperatures(*engine).empty());
}

}  // namespace scree::inline SCREE_BACKEND::heat_test
