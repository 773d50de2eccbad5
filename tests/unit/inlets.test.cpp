#include "host/run/inlets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "case_errors.hpp"
#include "fake_engine.hpp"
#include "host/checkpoint/inlet_arrays.hpp"
#include "inlet_cases.hpp"
#include "running_inlets.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

namespace scree::test::inlets_test {

using namespace inlet_cases;
using running_inlets::Running;

TEST(Inlets, KeepARateWithinOneParticle) {
  Running run(inlet_case(R"({ "rate": 3456.7, "from": 0.01, )" + wide + " }"));
  for (std::uint64_t step = 0; step <= 20000; step += 1000) {
    run.run_to(step);
    const double due = 3456.7 * std::fmax(0, run.engine->time() - 0.01);
    EXPECT_NEAR(static_cast<double>(run.engine->counts().inserted), due, 1 + 1e-6) << step;
    EXPECT_LE(static_cast<double>(run.engine->counts().inserted), due + 1e-6);
  }
  EXPECT_TRUE(run.notes.empty());
  const Snapshot all = run.engine->snapshot();
  EXPECT_EQ(all.id.back() + 1, run.state().made) << "ids go on";
}

TEST(Inlets, KeepAMassFlowWithinOneParticle) {
  Running run(inlet_case(R"({ "mass_flow": 0.05, )" + wide + " }", R"({ "uniform": [0.5e-3, 1.5e-3] })"));
  const double largest = 2500 * 4.0 / 3.0 * std::acos(-1.0) * std::pow(1.5e-3, 3);
  for (std::uint64_t step = 2000; step <= 20000; step += 2000) {
    run.run_to(step);
    const double due = 0.05 * run.engine->time();
    EXPECT_LE(run.state().mass, due * (1 + 1e-9));
    EXPECT_GT(run.state().mass, due - largest);
  }
  double mass = 0;
  for (const double r : run.engine->snapshot().radius) mass += 2500 * 4.0 / 3.0 * std::acos(-1.0) * r * r * r;
  EXPECT_NEAR(mass / run.state().mass, 1, 1e-6) << "floats";
  EXPECT_GT(run.state().made, 500U);
}

/// Smallest gap [m] between a particle from `first` on and any other particle or the floor.
double smallest_gap(const Snapshot& all, std::uint32_t first) {
  double gap = 1;
  for (std::size_t i = 0; i < all.id.size(); ++i) {
    if (all.id[i] < first) continue;
    gap = std::fmin(gap, all.position[i][2] - all.radius[i]);
    for (std::size_t j = 0; j < all.id.size(); ++j) {
      if (i == j) continue;
      const Real3 &a = all.position[i], &b = all.position[j];
      const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      gap = std::fmin(gap, distance - all.radius[i] - all.radius[j]);
    }
  }
  return gap;
}

// The region extends below the floor and fills up with particles that stay there. New particles must find room between
// them.
TEST(Inlets, NeverOverlapParticlesOrBoundaries) {
  Running run(inlet_case(R"({ "rate": 3000, "velocity": [0.05, 0, 0],
                              "region": { "box": [[-0.008, -0.008, -0.002], [0.008, 0.008, 0.012]] } })",
                         R"({ "uniform": [0.5e-3, 1e-3] })"));
  std::uint32_t made = 0;
  for (std::uint64_t step = 100; step <= 20000; step += 100) {
    run.run_to(step);
    const Snapshot all = run.engine->snapshot();
    ASSERT_GT(smallest_gap(all, made), 0) << step;
    made = static_cast<std::uint32_t>(run.engine->counts().inserted);
  }
  EXPECT_GT(made, 200U);
}

TEST(Inlets, WaitWhereThereIsNoRoomAndCatchUp) {
  // The region has room for two or three particles. Without gravity they leave it at 0.5 m/s, and pass an outlet later.
  const std::string text = inlet_case(
      R"({ "rate": 1000, "until": 0.1, "velocity": [0.5, 0, 0], "region": { "sphere": { "center": [0, 0, 0.1], )"
      R"("radius": 0.0022 } } })",
      "1e-3",
      R"(, "gravity": [0, 0, 0], "domain": { "outlets": { "right": { "point": [0.02, 0, 0], )"
      R"("normal": [1, 0, 0] } } })");
  Running run(text, 1, {"time.duration=2"});
  run.run_to(10000);
  const InletReport at_end = run.state();
  EXPECT_EQ(at_end.due, 100);
  EXPECT_GT(at_end.made, 10U);
  EXPECT_LT(at_end.made, 80U);
  ASSERT_EQ(run.notes.size(), 1U) << "said once";
  EXPECT_IN("particles.0.inlet: cannot keep its rate", run.notes[0]);
  EXPECT_NE(run.inlets.next_after(10000), std::numeric_limits<std::uint64_t>::max()) << "the rest is still due";
  run.run_to(100000);
  EXPECT_EQ(run.state().made, 100U) << "nothing is lost";
  EXPECT_EQ(run.inlets.next_after(100000), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(run.engine->counts().removed[0], 100U);
}

/// What an outlet has removed, over the mass of so many spheres of 1 mm.
double removed_over(Engine& engine, double spheres) {
  return engine.counts().removed_mass.at(0) / (spheres * 2500 * 4.0 / 3.0 * std::acos(-1.0) * 1e-9);
}
const std::string outlet_below =
    R"(, "domain": { "outlets": { "below": { "point": [0, 0, 0.045], "normal": [0, 0, -1] } } })";

TEST(Inlets, DustBesideBouldersHasItsMass) {
  // The boulder, a billion times as heavy as a sphere of the dust, would come after the end of the run.
  const std::string boulder = R"({ "material": "glass", "radius": 1, "inlet": { "rate": 1, "from": 100, "region": {
    "box": [[8, 8, 8], [12, 12, 12]] } } }, )";
  std::string text = inlet_case(R"({ "rate": 3000, "count": 300, )" + wide + " }", "1e-3", outlet_below);
  text.insert(text.find(R"({ "material": "glass", "radius": 1e-3)"), boulder);
  Running run(text, 1, {"precision=double"});
  run.run_to(20000);
  ASSERT_EQ(run.engine->counts().removed.at(0), 300u);
  EXPECT_NEAR(removed_over(*run.engine, 300), 1, 1e-9);  // a digit is some 1e-10 of a sphere
}

TEST(Inlets, OutletsCountMoreMassThanTheCaseTellsOf) {
  // A program inserts it: three hundred times the mass of the start, and one sphere of 64,000 times that mass.
  std::string text = inlet_case("", "1e-3", outlet_below);
  text.replace(text.find(R"("inlet": )"), 10,
               R"("lattice": { "box": [[0, 0, 0.05], [2e-3, 2e-3, 0.052]], "spacing": 2e-3 })");
  Running run(text, 1, {"precision=double", "time.duration=1"});
  for (std::uint64_t k = 0; k < 300; ++k) {
    ParticleSet late;
    late.position = {{0.01, 0, 0.046}}, late.velocity = {{0, 0, -2}}, late.angular_velocity = {{0, 0, 0}};
    late.radius = {k == 150 ? 0.04 : 1e-3}, late.material = {0};
    if (k == 150) { late.position[0][2] = 0.2, late.velocity[0][2] = -8; }
    run.engine->insert(late);
    run.engine->advance(k == 150 ? 4000 : 100);
  }
  run.engine->advance(4000);
  ASSERT_EQ(run.engine->counts().removed.at(0), 301u);
  EXPECT_NEAR(removed_over(*run.engine, 300 + 64000), 1, 1e-12);
}

TEST(Inlets, GiveTheSameBitsForThreadsAndVerletDistances) {
  const std::string text = inlet_case(
      R"({ "rate": 4000, "velocity": [0, 0, -1], "region": { "cylinder": { "from": [0, 0, 0.01], )"
      R"("to": [0, 0, 0.03], "radius": 0.01 } } })",
      R"({ "uniform": [0.7e-3, 1.3e-3] })",
      R"(, "domain": { "delete_in": { "sink": { "cylinder": { "from": [0.012, 0, 0], "to": [0.014, 0, 0.1], )"
      R"("radius": 0.005 }, "from": 0.04 } } })");
  const auto wall = [](const std::string& name, const std::string& normal, const std::string& point) {
    return "boundaries." + name + R"(={"type": "plane", "material": "glass", "normal": )" + normal + R"(, "point": )" +
           point + "}";
  };
  const auto hash = [&](int threads, std::vector<std::string> settings) {
    settings.push_back(wall("left", "[1, 0, 0]", "[-0.012, 0, 0]"));
    settings.push_back(wall("right", "[-1, 0, 0]", "[0.012, 0, 0]"));
    settings.push_back(wall("front", "[0, 1, 0]", "[0, -0.012, 0]"));
    settings.push_back(wall("back", "[0, -1, 0]", "[0, 0.012, 0]"));
    Running run(text, threads, settings);
    run.run_to(7000);
    EXPECT_GT(run.engine->counts().contacts, 10U);
    EXPECT_GT(run.engine->counts().removed[0], 0U);
    return run.engine->hash();
  };
  const StateHash first = hash(1, {});
  EXPECT_TRUE(hash(2, {}) == first);  // slow where threads wait for each other
  EXPECT_TRUE(hash(1, {"neighbours.verlet_distance=5e-5"}) == first);
  EXPECT_TRUE(hash(1, {"neighbours.verlet_distance=8e-4"}) == first);
  EXPECT_TRUE(hash(1, {"time.duration=3"}) == first);
  EXPECT_FALSE(hash(1, {"seed=8"}) == first);
}

/// Advances an engine from one action of other inlets to the next, up to the step `last`.
void run_by(Inlets& inlets, Engine& engine, std::uint64_t last) {
  while (engine.step() < last) {
    engine.advance(inlets.next_after(engine.step()) - engine.step());
    (void)inlets.feed(engine);
  }
}

TEST(Inlets, GoOnFromAState) {
  const std::string text = inlet_case(R"({ "mass_flow": 0.2, )" + wide + " }", R"({ "uniform": [0.7e-3, 1.3e-3] })");
  Running whole(text), halves(text);
  whole.run_to(6000);
  halves.run_to(2950);
  const std::vector<InletState> states = halves.inlets.states();
  Inlets again(halves.input, halves.scene);
  again.restore(states);
  run_by(again, *halves.engine, 6000);
  EXPECT_TRUE(whole.engine->hash() == halves.engine->hash());
  EXPECT_EQ(again.states(), whole.inlets.states());
}

/// An inlet of three parts in glass: spheres of two sizes and pairs.
std::string mixed_inlet(const std::string& inlet) {
  return R"({ "time": { "duration": 0.2, "step": 1e-5 }, "seed": 7,
    "materials": {
      "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 },
      "steel": { "density": 7800, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "shapes": { "pair": { "type": "clump", "spheres": [ { "center": [-1, 0, 0], "radius": 1 },
                                                        { "center": [1, 0, 0], "radius": 1 } ] } },
    "particles": [ { "mixture": [
      { "mass_fraction": 0.5, "material": "glass", "radius": { "uniform": [0.7e-3, 1.3e-3] } },
      { "mass_fraction": 0.2, "material": "steel", "radius": 0.8e-3 },
      { "mass_fraction": 0.3, "material": "glass", "shape": "pair", "radius": 1e-3 } ], "inlet": )" +
         inlet + R"( } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" } } })";
}

// A kind is ahead of its share by one of its own particles at most, and behind by one particle of each other kind.
TEST(Inlets, KeepTheSharesOfAMixture) {
  const auto mass = [](double density, double r) { return density * 4.0 / 3.0 * std::acos(-1.0) * r * r * r; };
  const std::vector<double> share{0.5, 0.2, 0.3};
  const std::vector<double> largest{mass(2500, 1.3e-3), mass(7800, 0.8e-3), mass(2500, 1e-3)};
  Running run(mixed_inlet(R"({ "mass_flow": 0.03, )" + wide + " }"));
  EXPECT_EQ(run.scene.inlets.size(), 3U);
  for (std::uint64_t step = 1000; step <= 20000; step += 1000) {
    run.run_to(step);
    const InletState state = run.inlets.states().at(0);
    EXPECT_NEAR(state.mass, 0.03 * run.engine->time(), *std::max_element(largest.begin(), largest.end()));
    for (std::size_t k = 0; k < 3; ++k) {
      const double ahead = state.part_mass.at(k) - share[k] * state.mass;
      EXPECT_LE(ahead, largest[k] * (1 + 1e-9)) << step << " " << k;
      EXPECT_LE(-ahead, largest[0] + largest[1] + largest[2] - largest[k]) << step << " " << k;
    }
  }
  const Snapshot all = run.engine->snapshot();
  double steel = 0;
  for (std::size_t i = 0; i < all.id.size(); ++i) {
    if (all.material[i] == 1) steel += mass(7800, all.radius[i]);
  }
  EXPECT_NEAR(steel, run.inlets.states().at(0).part_mass.at(1), 1e-5 * steel) << "radii in single precision";
}

TEST(Inlets, OfAMixtureGoOnFromAState) {
  const std::string text = mixed_inlet(R"({ "rate": 3000, )" + wide + " }");
  Running whole(text), halves(text);
  whole.run_to(6000);
  halves.run_to(2950);
  EngineState stored;
  append_inlets(stored, halves.inlets.states());
  const std::vector<InletState> states = take_inlets(stored);
  EXPECT_EQ(states, halves.inlets.states());
  EXPECT_TRUE(stored.arrays.empty());
  Inlets again(halves.input, halves.scene);
  again.restore(states);
  run_by(again, *halves.engine, 6000);
  EXPECT_TRUE(whole.engine->hash() == halves.engine->hash());
}

TEST(Inlets, AskNothingWhileNothingIsDue) {
  const Case input = parse_case(inlet_case(R"({ "rate": 5, )" + wide + " }"), "/nowhere");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  FakeEngine engine(scene);
  Inlets inlets(input, scene);
  for (int k = 0; k < 250; ++k) {
    engine.advance(100);
    (void)inlets.feed(engine);
  }
  ASSERT_EQ(engine.inserted.size(), 1U);
  EXPECT_EQ(engine.inserted[0].step, 20000U) << "0.2 s";
  EXPECT_EQ(engine.inserted[0].particles.velocity, (std::vector<Real3>{{0, 0, -1}}));
}

// Runs of weeks have inlets that never deliver what is due. Places are tried for 256 particles, 16 times 8 for each.
TEST(Inlets, TheWorkOfALongQueueIsThatOfItsHead) {
  const Case input = parse_case(inlet_case(R"({ "rate": 1e6, )" + wide + " }"), "/nowhere");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  FakeEngine engine(scene);
  engine.boundaries_clear = false;
  Inlets inlets(input, scene);
  std::uint64_t before = 0;
  for (int k = 0; k < 50; ++k) {
    engine.advance(100);
    (void)inlets.feed(engine);
    const std::uint64_t now = engine.tried - before;
    before = engine.tried;
    EXPECT_LE(now, 256U * 16 * 8);
    EXPECT_GT(now, 256U * 8);  // many of the places tried overlap others of the same round
  }
  EXPECT_EQ(inlets.report(engine.time()).at(0).made, 0U);
  EXPECT_EQ(inlets.report(engine.time()).at(0).due, 50000U);
  engine.boundaries_clear = true;
  engine.advance(100);
  (void)inlets.feed(engine);
  EXPECT_GT(inlets.report(engine.time()).at(0).made, 1000U) << "the queue goes on as long as there is room";
}

TEST(Inlets, ParticlesGetWhatTheirGroupImposes) {
  const std::string text = inlet_case(R"({ "rate": 1000, )" + wide + R"( }, "group": "belt")", "1e-3",
                                      R"(, "groups": { "belt": { "fixed": ["x", "z"], "velocity": [0.5, 0, 0] } })");
  Running run(text);
  run.run_to(1000);
  const Snapshot all = run.engine->snapshot();
  ASSERT_EQ(all.id.size(), 10U);
  for (const Real3& v : all.velocity) EXPECT_EQ(v, (Real3{0.5, 0, 0}));
}

TEST(Inlets, SizesWithoutMassLimitNothing) {
  const auto limit = [](const std::string& passing) {
    SceneReport report;
    const std::string thin = R"({ "rate": 100, "region": { "box": [[0, 0, 0.05], [0.1, 0.1, 0.056]] } })";
    (void)build_scene(parse_case(inlet_case(thin, R"({ "sieve": { "passing": )" + passing + " } }"), "/nowhere"),
                      report);
    return report.time_step_limit;
  };
  const double plain = limit("[[1e-3, 0], [2e-3, 1]]");
  EXPECT_GT(plain, 0);
  EXPECT_EQ(limit("[[1e-5, 0], [1e-3, 0], [2e-3, 1]]"), plain) << "sizes of dust";
  EXPECT_EQ(limit("[[1e-3, 0], [2e-3, 1], [4e-3, 1]]"), plain) << "sizes for which the region has no room";
}

TEST(Inlets, ARegionWithoutRoomIsRefused) {
  const auto problem = [](const std::string& region) {
    return error_of([&] {
      SceneReport report;
      (void)build_scene(parse_case(inlet_case(R"({ "rate": 5, "region": )" + region + " }"), "/nowhere"), report);
    });
  };
  EXPECT_IN("particles.0.inlet.region: has no room for a particle of radius 0.001 in its box",
            problem(R"({ "box": [[0, 0, 0], [1, 1, 0.0019]] })"));
  EXPECT_IN("particles.0.inlet.region: has no room for a particle of radius 0.001 in its sphere",
            problem(R"({ "sphere": { "center": [0, 0, 0], "radius": 0.0009 } })"));
}

}  // namespace scree::test::inlets_test
