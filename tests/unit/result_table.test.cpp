#include "host/run/result_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cell_engine.hpp"
#include "fake_engine.hpp"
#include "host/measure/steady_rate.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"

namespace scree::test::result_table_test {

/// A flow of 3 kg/s between 2 s and 7 s: the amount at a time.
double between_two_and_seven(double time) { return 3 * (std::clamp(time, 2.0, 7.0) - 2.0); }

TEST(SteadyRate, OfAnEvenFlowIsThatFlowWhereverTheSamplesLie) {
  for (const double every : {0.3, 0.07, 0.01, 0.001}) {  // the last two give more samples than are kept
    SteadyRate rate;
    for (int k = 0; k * every <= 10; ++k) { rate.add(k * every, between_two_and_seven(k * every)); }
    const auto result = rate.result();
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->is_steady);
    EXPECT_NEAR(result->rate, 3, 1e-12) << every;
    EXPECT_NEAR(result->amount, 15, 1e-12);
    const double widest = every * std::max(1.0, std::exp2(std::ceil(std::log2(10 / every / 511))));
    EXPECT_NEAR(result->from, 2.5 + 0.5 * widest, 0.5 * widest + 1e-9) << every;
    EXPECT_NEAR(result->until, 5 - 0.5 * widest, 0.5 * widest + 1e-9) << every;
  }
}

// Of 10 kg, 0.5 leave with a rush and the last 2 in drops.
TEST(SteadyRate, LeavesOutTheRushAtTheBeginningAndTheLastGrains) {
  for (const double sign : {1.0, -1.0}) {
    SteadyRate rate;
    for (int k = 0; k <= 400; ++k) {
      const double t = 0.1 * k, left = std::min({100 * t, 0.5 + t, 8 + 0.1 * (t - 7.5)});
      rate.add(t, sign * left);
    }
    EXPECT_NEAR(rate.result()->rate, sign, 1e-12);
  }
}

TEST(SteadyRate, OfAFlowToAndFroIsItsMean) {
  SteadyRate rate;
  for (int k = 0; k <= 100; ++k) { rate.add(0.1 * k, 0.1 * k + std::sin(0.5 * k)); }
  ASSERT_TRUE(rate.result().has_value());
  EXPECT_FALSE(rate.result()->is_steady);
  EXPECT_NEAR(rate.result()->rate, 1, 0.2);
}

TEST(SteadyRate, IsThatOverTheWholeTimeWhenItIsSeenOnce) {
  SteadyRate rate;
  EXPECT_FALSE(rate.result().has_value());
  rate.add(1, 5);
  rate.add(2, 5);
  EXPECT_FALSE(rate.result().has_value()) << "nothing has flowed";
  rate.add(4, 6);
  ASSERT_TRUE(rate.result().has_value());
  EXPECT_FALSE(rate.result()->is_steady);
  EXPECT_EQ(rate.result()->rate, 0.5);
  EXPECT_EQ(rate.result()->from, 2);
  EXPECT_EQ(rate.result()->until, 4);
  rate.add(3, 7);  // a run was put back
  EXPECT_FALSE(rate.result().has_value());
}

std::string table_of(const RunSummary& summary, const Scene& scene, Engine& engine, const std::string& folder = "") {
  std::string text;
  for (const auto& line : result_table(summary, scene, engine, folder)) { text += line + "\n"; }
  return text;
}

/// Whether a line of a text has these words, one after the other.
testing::AssertionResult has_row(const std::string& text, const std::vector<std::string>& words) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = 0;
    bool all = true;
    for (const auto& word : words) {
      at = line.find(word, at);
      all = all && at != std::string::npos;
      if (!all) { break; }
      at += word.size();
    }
    if (all) { return testing::AssertionSuccess(); }
  }
  return testing::AssertionFailure() << "no such row in\n" << text;
}

TEST(ResultTable, LeavesOutWhatWasNotMeasured) {
  Scene scene = small_scene();
  scene.outlet_names.clear();
  FakeEngine engine(scene);
  RunSummary summary;
  summary.watch = {};
  const std::string text = table_of(summary, scene, engine);
  for (const char* absent : {"flow", "potential", "dissipated", "error", "overlap", "critical", "inserted", "left",
                             "particle-steps", "output", "bonds", "cell", "nan", "inf"}) {
    EXPECT_EQ(text.find(absent), std::string::npos) << absent << '\n' << text;
  }
  EXPECT_TRUE(has_row(text, {"particles", "start", "3"}));
  EXPECT_TRUE(has_row(text, {"energy", "kinetic", "0", "J"}));
}

/// An engine with heat and liquid.
class HotEngine : public FakeEngine {
 public:
  using FakeEngine::FakeEngine;
  HeatReport heat() override {
    HeatReport report;
    report.mean_temperature = 350.5, report.capacity = 2, report.supplied = {40, -15};
    return report;
  }
  FilmReport films() override { return {.films = 2e-9, .bridges = 5e-10, .n_bridges = 1}; }
};

TEST(ResultTable, TellsHeatAndLiquid) {
  Scene scene = small_scene();
  scene.heat = SceneHeat{};
  scene.pairs[0].liquid = LiquidBridges{.from_films = true};
  HotEngine engine(scene);
  const std::string text = table_of(RunSummary{}, scene, engine);
  EXPECT_TRUE(has_row(text, {"heat", "temperature", "350.5", "K"}));
  EXPECT_TRUE(has_row(text, {"from boundaries", "25", "J"}));
  EXPECT_EQ(text.find("from losses"), std::string::npos) << "there are none";
  EXPECT_TRUE(has_row(text, {"liquid", "on particles", "2e-09", "m3"}));
  EXPECT_TRUE(has_row(text, {"in bridges", "5e-10", "m3", "1 bridge between"}));
}

/// 3 contacts per particle, each a force of 2 N times a branch of 0.2 m along one axis, in 125 particles of 1 m3:
/// stress -125 x 0.4 Pa = -50 Pa. Spheres of diameter d in a simple cubic packing: void ratio 6 / pi - 1 = 0.9099.
TEST(ResultTable, TellsStressAndVoidRatioOfACellThatIsControlled) {
  CellEngine engine = cubic_packing();
  engine.advance(1);  // before, forces on boundaries are not known
  Scene scene = cell_scene(engine.snapshot().position);
  EXPECT_EQ(table_of(RunSummary{}, scene, engine).find("void ratio"), std::string::npos) << "the cell rests";
  scene.cell->stages.emplace_back().name = "press";
  const std::string text = table_of(RunSummary{}, scene, engine);
  EXPECT_TRUE(has_row(text, {"stress", "xx -50, yy -50, zz -50, yz 0, xz 0, xy 0 Pa"}));
  EXPECT_TRUE(has_row(text, {"void ratio", "0.9099"}));
}

TEST(ResultTable, IsAligned) {
  const Scene scene = small_scene();
  FakeEngine engine(scene);
  RunSummary summary;
  summary.watch = engine.watch();
  summary.flows = {{"a hole with a long name", false, 1.5, 0.25, 0.5, 2}};
  const auto lines = result_table(summary, scene, engine, "out/a");
  // Units begin in one column, behind the widest value.
  std::set<std::size_t> columns;
  for (const auto& line : lines) {
    for (const char* unit : {" kg/s", " J", " %  ", " s  "}) {
      if (const auto at = line.find(unit); at != std::string::npos) { columns.insert(at); }
    }
  }
  EXPECT_EQ(columns.size(), 1u) << table_of(summary, scene, engine, "out/a");
}

TEST(ResultTable, NamesTheKeyToChangeWhenOverlapsOrTheStepAreTooLarge) {
  Scene scene = small_scene();
  scene.material_names = {"glass"};
  FakeEngine engine(scene);
  RunSummary summary;
  summary.fixed_step = scene.time_step;
  summary.watch.least_critical = 2 * scene.time_step;
  summary.watch.most_overlap = 0.049;
  summary.watch.most_overlap_step = 1200;
  std::string text = table_of(summary, scene, engine);
  EXPECT_TRUE(has_row(text, {"overlap", "largest", "4.9 %", "of the radius, in step 1 201"}));
  EXPECT_TRUE(has_row(text, {"critical", "s", "the step is 0.5 of it"}));
  EXPECT_EQ(text.find("too large"), std::string::npos) << text;
  EXPECT_EQ(text.find("unstable"), std::string::npos) << text;
  summary.watch.most_overlap = 0.08;
  summary.watch.least_critical = 0.5 * scene.time_step;
  text = table_of(summary, scene, engine);
  EXPECT_TRUE(has_row(text, {"8 %", "too large; raise materials.glass.young_modulus"}));
  EXPECT_TRUE(has_row(text, {"the step is 2 of it: unstable; lower time.step"}));
  summary.watch.most_overlap_step = 0;
  EXPECT_EQ(table_of(summary, scene, engine).find("too large"), std::string::npos) << "no load has made it";
  summary.watch.most_overlap_step = 1200;
  scene.pairs[0].springs.from_moduli = false;
  EXPECT_TRUE(has_row(table_of(summary, scene, engine), {"raise normal_stiffness or lower contact_time of \"glass\""}));
}

/// Spheres one behind the other at distances d fly with speed v through an outlet: m v / d flows. Without gravity and
/// contacts all of that is known.
TEST(ResultTable, FlowAndEnergiesOfAColumnInFlight) {
  constexpr double radius = 0.002, distance = 0.005, speed = 2;
  constexpr int n = 100;
  SceneReport report;
  const Case input = parse_case(
      R"({ "time": { "duration": 0.36, "step": 1e-5 }, "precision": "double", "gravity": [0, 0, 0],
           "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                                     "restitution": 0.4 } },
           "particles": [ { "material": "glass", "radius": 0.002, "velocity": [0, 0, -2],
             "lattice": { "type": "simple_cubic", "box": [[0, 0, 0.5], [0.005, 0.005, 1]], "spacing": 0.005 } } ],
           "domain": { "outlets": { "below": { "point": [0, 0, 0.45], "normal": [0, 0, -1] } } },
           "output": { "series": { "every": 0.002, "probes": {
             "gate": { "type": "flow", "plane": { "point": [0, 0, 0.48], "normal": [0, 0, -1] } } } } } })",
      ".");
  const Scene scene = build_scene(input, report);
  ASSERT_EQ(scene.particles.size(), std::size_t{n});
  const ScratchFolder folder;
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  const RunSummary summary = Simulation(input, scene, *engine, {.folder = folder.path()}).run();
  const double mass = 2500 * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3), flow = mass * speed / distance;
  ASSERT_EQ(summary.flows.size(), 2u);
  for (const FlowReport& of : summary.flows) {
    // One sphere more or less at each end of a mean over about a hundred.
    EXPECT_NEAR(of.rate, flow, 0.02 * flow) << of.name;
    EXPECT_NEAR(of.mass, n * mass, 1e-6 * mass) << of.name;
  }
  EXPECT_EQ(summary.flows[0].name, "below");
  EXPECT_EQ(summary.flows[1].name, "gate");
  EXPECT_TRUE(summary.flows[1].is_probe);
  EXPECT_EQ(summary.kinetic_energy, 0) << "all have left";
  EXPECT_FALSE(summary.potential_energy.has_value()) << "there is no gravity";
  const std::string text = table_of(summary, scene, *engine, folder.path().string());
  EXPECT_TRUE(has_row(text, {"particles", "start", "100"}));
  EXPECT_TRUE(has_row(text, {"left", "100", "below"}));
  EXPECT_TRUE(has_row(text, {"in the run", "0"}));
  EXPECT_TRUE(has_row(text, {"flow", "below", "kg/s", "while 10 to 60 % passed, t ="}));
  EXPECT_TRUE(has_row(text, {"gate", "kg/s", "(probe)"}));
}

TEST(ResultTable, FlowsDoNotDependOnOtherOutput) {
  const auto flow_of = [](const std::vector<std::string>& settings) {
    SceneReport report;
    const Case input = parse_case(
        R"({ "time": { "duration": 0.02, "step": 1e-5 }, "materials": { "glass": { "density": 2500, "young_modulus": 1e7,
             "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.4 } },
             "particles": [ { "material": "glass", "radius": 0.002, "velocity": [0, 0, -2],
               "lattice": { "type": "simple_cubic", "box": [[0, 0, 0], [0.005, 0.005, 0.1]], "spacing": 0.005 } } ],
             "domain": { "outlets": { "below": { "point": [0, 0, 0], "normal": [0, 0, -1] } } } })",
        ".", settings);
    const Scene scene = build_scene(input, report);
    const ScratchFolder folder;
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    return Simulation(input, scene, *engine, {.folder = folder.path()}).run().flows.at(0).rate;
  };
  EXPECT_EQ(flow_of({}), flow_of({R"(output.series={"every":0.0013})"}));
}

/// A sphere that falls freely: leapfrog is exact but for the half step between its speeds and its places.
TEST(ResultTable, EnergiesOfASphereThatFalls) {
  SceneReport report;
  const Case input = parse_case(
      R"({ "time": { "duration": 0.1, "step": 1e-4 }, "precision": "double",
           "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                                     "restitution": 0.4 } },
           "particles": [ { "material": "glass", "radius": 0.01,
             "lattice": { "type": "simple_cubic", "box": [[0, 0, 1], [0.02, 0.02, 1.02]], "spacing": 0.02 } } ],
           "output": { "series": { "every": 1, "energies": true } } })",
      ".");
  const Scene scene = build_scene(input, report);
  ASSERT_EQ(scene.particles.size(), 1u);
  const ScratchFolder folder;
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  const RunSummary summary = Simulation(input, scene, *engine, {.folder = folder.path()}).run();
  const double mass = 2500 * 4.0 / 3.0 * std::numbers::pi * 1e-6, g = 9.81, t = 0.1, step = 1e-4;
  const double speed = g * (t - 0.5 * step);
  ASSERT_TRUE(summary.potential_energy.has_value());
  // the first kick is half a step long, so that places are exact
  EXPECT_NEAR(*summary.potential_energy, mass * g * (1.01 - 0.5 * g * t * t), mass * g * g * t * step);
  EXPECT_NEAR(summary.kinetic_energy, 0.5 * mass * speed * speed, mass * g * g * t * step);
  const std::string text = table_of(summary, scene, *engine);
  EXPECT_TRUE(has_row(text, {"potential", "J"}));
  EXPECT_TRUE(has_row(text, {"dissipated", "0 J"}));
  EXPECT_TRUE(has_row(text, {"error", "J", "% of the largest term"}));
}

TEST(ProfileTable, KnowsEveryKindOfLaunch) {
  EXPECT_EQ(stage_of_launch("search: sort"), "search");
  EXPECT_EQ(stage_of_launch("gather and move"), "motion");
  EXPECT_EQ(stage_of_launch("snapshot"), "");
  const std::set<std::string> stages{"",       "search",        "contacts",      "boundaries", "motion",
                                     "inlets", "periodic cell", "energy ledger", "time step"};
  for (const char* name : {"stages", "inlets", "clumps_spiral", "grains_soft", "cell_adaptive", "law_jaeger",
                           "bonded_linear", "shapes_driven", "large_bodies", "groups"}) {
    const std::string file = SCREE_SOURCE_DIR "/tests/golden/cases/" + std::string(name) + ".json";
    SceneReport report;
    const Scene scene = build_scene(read_case(file), report);
    const auto engine = make_engine(scene, {BackendChoice::host, 1});
    engine->advance(20);
    static_cast<void>(engine->hash());
    static_cast<void>(engine->counts());
    static_cast<void>(engine->snapshot({.force = true, .coordination = true}));
    for (const LaunchTime& launch : engine->launch_times()) {
      if (launch.seconds == 0) { continue; }
      EXPECT_TRUE(stages.contains(stage_of_launch(launch.kind))) << name << ": " << launch.kind;
    }
  }
}

}  // namespace scree::test::result_table_test
