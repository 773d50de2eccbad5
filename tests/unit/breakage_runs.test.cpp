#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "case_errors.hpp"
#include "host/commands/check.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/state_measures.hpp"
#include "runs_case.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"
#include "series_columns.hpp"

/// Spheres that break in runs.
namespace scree::test::breakage_runs_test {

/// Spheres of 2.5 mm in a box whose lid presses them at 1 m/s, so that many break. `more` is a part of the case.
std::string crushed_case(const std::string& more, const std::string& precision = "mixed") {
  return R"({ "time": { "duration": 0.004, "step": 2e-6 }, "gravity": [0, 0, 0], "precision": ")" + precision + R"(",
    "materials": {
      "ore": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.3, "restitution": 0.5 },
      "steel": { "density": 7800, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0.3, "restitution": 0.5 } },
    "particles": [ { "material": "ore", "radius": { "uniform": [0.0023, 0.0025] },
                     "lattice": { "type": "simple_cubic", "box": [[0, 0, 0], [0.0151, 0.0151, 0.0151]],
                                  "spacing": 0.00502 } } ],
    "boundaries": {
      "box": { "type": "box", "min": [0, 0, 0], "max": [0.01515, 0.01515, 0.04], "material": "steel" },
      "lid": { "type": "plane", "point": [0, 0, 0.0151], "normal": [0, 0, -1], "material": "steel",
               "motion": [ { "type": "translation", "velocity": [0, 0, -1] } ] } },
    "breakage": { "materials": { "ore": { "stress": 3e4, "at_diameter": 0.005, "weibull_modulus": 3,
                                          "smallest_radius": 3e-4 } } })" +
         more + "}";
}

/// Replaces the first occurrence of a part of a text.
void replace(std::string& text, const std::string& part, const std::string& by) {
  const std::size_t at = text.find(part);
  ASSERT_NE(at, std::string::npos) << part;
  text.replace(at, part.size(), by);
}

class BreakageRuns : public testing::Test, protected RunsCase {
 protected:
  void write(const std::string& text) { write_text(folder_ / "drop.json", text); }
  std::map<std::string, std::vector<double>> series() const { return columns_of(folder_ / "out/series.csv"); }
  std::map<std::string, std::vector<double>> broken() const { return columns_of(folder_ / "out/broken_particles.csv"); }
};

/// A run in memory.
struct Running {
  explicit Running(const std::string& text, int threads = 1, const RunOptions& options = {})
      : input(parse_case(text, "/nowhere")),
        scene(build_scene(input, report)),
        engine(make_engine(scene, {BackendChoice::host, threads})),
        simulation(input, scene, *engine, options) {}

  Case input;
  SceneReport report;
  Scene scene;
  std::unique_ptr<Engine> engine;
  Simulation simulation;
};

double mass_of(const Snapshot& particles, const Scene& scene) {
  double mass = 0;
  for (std::size_t i = 0; i < particles.id.size(); ++i) { mass += sphere_mass(particles, i, scene); }
  return mass;
}

// A sphere between two plates breaks at sigma = F l / V, where l is the distance of the contact points, and
// q = sqrt(2)/3 sigma: F = 22.2 N for q = 2e5 Pa and a diameter of 1 cm. Contact points lie in the middle of the
// overlaps, so l is the mean of the diameter and of the distance of the plates. It is looked at in every step, in which
// q grows by less than 1.5 v dt / (overlap of both contacts), some 1 in 1000.
TEST_F(BreakageRuns, ASphereBetweenPlatesBreaksAtItsStrength) {
  constexpr double speed = 0.05, radius = 0.005, step = 1e-5;
  write(R"({ "time": { "duration": 0.03, "step": 1e-5 }, "gravity": [0, 0, 0], "precision": "double",
    "materials": { "ore": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.25, "friction": 0.3,
                            "restitution": 0.5 } },
    "particles": [ { "material": "ore", "radius": 0.005, "positions": [[0, 0, 0.005]], "velocity": [0, 0, -0.025] } ],
    "boundaries": { "below": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "ore" },
                    "above": { "type": "plane", "point": [0, 0, 0.01], "normal": [0, 0, -1], "material": "ore",
                               "motion": [ { "type": "translation", "velocity": [0, 0, -0.05] } ] } },
    "breakage": { "every": 1e-5, "materials": { "ore": { "stress": 2e5, "at_diameter": 0.01, "fragments": 4,
                                                         "smallest_radius": 2.1e-3 } } },
    "output": { "series": { "every": 1e-5 }, "broken_particles": true } })");
  ASSERT_EQ(run(), exit_done);
  auto rows = broken();
  ASSERT_EQ(rows["step"].size(), 1U) << "fragments of 2.1 mm do not break";
  auto all = series();
  const auto k = static_cast<std::size_t>(rows["step"][0]);
  ASSERT_EQ(all["step"][k], rows["step"][0]);
  EXPECT_EQ(all["particles"][k - 1], 1);
  EXPECT_EQ(all["particles"][k], 4) << "the row shows the state after breakage";
  EXPECT_EQ(all["removed_breakage"].back(), 1);
  EXPECT_EQ(all["fragments"].back(), 4);
  // The forces of a row are those of the step before its positions.
  const double between = 2 * radius - speed * (rows["time[s]"][0] - step), length = 0.5 * (2 * radius + between);
  const double force = 0.5 * (all["force_z_above[N]"][k] - all["force_z_below[N]"][k]);
  const double volume = 4 * std::numbers::pi / 3 * radius * radius * radius;
  const double expected = std::sqrt(2.0) / 3 * force * length / volume;
  EXPECT_NEAR(rows["stress[Pa]"][0], expected, 1e-4 * expected);
  EXPECT_EQ(rows["strength[Pa]"][0], 2e5);
  EXPECT_GE(rows["stress[Pa]"][0], 2e5);
  EXPECT_LT(rows["stress[Pa]"][0], 2e5 * (1 + 1.6 * speed * step / (2 * radius - between)));
  EXPECT_NEAR(force, 22.2, 0.8) << "0.9 F / d^2, with levers that are some 2 % shorter than the radius";
  EXPECT_NEAR(all["mass_fines[kg]"].back() / all["removed_mass_breakage[kg]"].back(),
              1 - 4 * std::pow(std::sqrt(6.0) - 2, 3), 0.15);
}

// Every particle that is there weighs what is left, none is too small, and none of the fragments overlaps another more
// than the load presses it.
TEST(Breakage, KeepsMassAndTheSmallestSize) {
  Running run(crushed_case("", "double"));
  const double before = mass_of(run.engine->snapshot(), run.scene);
  const RunSummary summary = run.simulation.run();
  ASSERT_TRUE(summary.breakage.has_value());
  EXPECT_GT(summary.breakage->broken, 9U);
  EXPECT_EQ(summary.breakage->fragments, 14 * summary.breakage->broken);
  const Snapshot after = run.engine->snapshot();
  EXPECT_NEAR(mass_of(after, run.scene) + summary.breakage->fines, before, 1e-12 * before);
  EXPECT_EQ(after.id.size(), 27 - summary.breakage->broken + summary.breakage->fragments);
  EXPECT_GE(*std::min_element(after.radius.begin(), after.radius.end()), 3e-4);
  EXPECT_EQ(run.engine->counts().particles, after.id.size());
}

// At a look fragments appear, and touch nothing: they lie within the parent less its deepest overlap.
TEST(Breakage, FragmentsTouchNothing) {
  Running run(crushed_case("", "double"));
  run.simulation.begin();
  std::size_t seen = 0;
  for (std::uint64_t step = 100; step <= 2000; step += 100) {
    const std::uint64_t first = run.engine->id_count();
    run.simulation.advance(step);
    const Snapshot now = run.engine->snapshot();
    for (std::size_t i = 0; i < now.id.size(); ++i) {
      if (now.id[i] < first) { continue; }
      ++seen;
      for (std::size_t j = 0; j < now.id.size(); ++j) {
        if (i == j) { continue; }
        const double distance = geometry::length(geometry::subtract(now.position[i], now.position[j]));
        // The forces at which the overlaps were taken are those of the positions of one step before.
        EXPECT_GT(distance, (now.radius[i] + now.radius[j]) - 1e-5) << now.id[i] << " " << now.id[j];
      }
    }
  }
  EXPECT_GT(seen, 100U);
  run.simulation.finish();
}

TEST(Breakage, DoesNotDependOnThreads) {
  std::string expected;
  for (const int threads : {1, 2, 3}) {
    Running run(crushed_case(""), threads);
    const RunSummary summary = run.simulation.run();
    EXPECT_GT(summary.breakage->broken, 9U);
    const std::string hash = run.engine->hash().text();
    if (expected.empty()) { expected = hash; }
    EXPECT_EQ(hash, expected);
  }
}

const std::string all_output =
    R"(, "output": { "series": { "every": 7e-5, "energies": true }, "broken_particles": true,
                     "frames": { "every": 3e-4, "fields": ["id", "force"] }, "checkpoints": { "every": 1e-3 } })";

// Breakage is looked at every 100 steps: a run is interrupted before, at and right after such a step, and between a
// break and the next row of the series.
TEST_F(BreakageRuns, GoOnToTheSameBits) {
  for (const std::string precision : {"mixed", "double"}) {
    write(crushed_case(all_output, precision));
    const auto expected = whole();
    EXPECT_GT(columns_of(folder_ / "whole/broken_particles.csv")["step"].size(), 9U);
    const double first = columns_of(folder_ / "whole/broken_particles.csv")["step"][0];
    const auto at = static_cast<std::uint64_t>(first);
    expect_as_whole_when_interrupted(expected, {1, at - 1, at, at + 1, at + 10, 1000, 1999});
  }
}

// With "every", looks are at times, also where the step follows the contacts.
TEST_F(BreakageRuns, GoOnWithAnAdaptiveStep) {
  std::string text = crushed_case(all_output);
  replace(text, R"("step": 2e-6)", R"("adaptive": true)");
  replace(text, R"("breakage": { )", R"("breakage": { "every": 1.3e-4, )");
  write(text);
  const auto expected = whole();
  const auto steps = columns_of(folder_ / "whole/broken_particles.csv")["step"];
  ASSERT_GT(steps.size(), 9U);
  const auto at = static_cast<std::uint64_t>(steps[5]);
  expect_as_whole_when_interrupted(expected, {at - 1, at, at + 1, at + 30});
}

TEST_F(BreakageRuns, AreToldBeforeAndAfter) {
  write(crushed_case(""));
  std::ostringstream out;
  ASSERT_EQ(run_check(folder_ / "drop.json", {}, out, 1), exit_done);
  EXPECT_IN("break into 14 fragments with 52.4 % of their volume", out.str());
  EXPECT_IN("at most 378 spheres", out.str());
  EXPECT_IN("looked for every 100 steps", out.str());
  ASSERT_EQ(run(), exit_done);
  EXPECT_IN(" fragments, and ", read_text(folder_ / "out/run.log"));
  EXPECT_IN("of fines between them", terminal_.str());
}

// The run ends at a look, before its spheres break into too many, and says so. Up to there it is the run with room for
// all.
TEST(Breakage, EndsARunBeforeThereAreTooManyParticles) {
  std::vector<std::string> warnings;
  RunOptions options;
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  Running run(crushed_case(""), 1, options);
  run.scene.breakage->most_particles = 200;
  const RunSummary summary = run.simulation.run();
  const std::size_t left = run.engine->snapshot().id.size();
  EXPECT_LE(left, 200U);
  EXPECT_GT(left, 100U) << "it broke what it could";
  EXPECT_LT(summary.steps, 2000U);
  EXPECT_EQ(summary.steps % 100, 0U) << "a run ends at a look";
  EXPECT_FALSE(summary.interrupted);
  EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                          [](const std::string& text) {
                            return text.starts_with("the run ended before breakage made too many particles") &&
                                   text.find("breakage.most_particles allows 200") != std::string::npos;
                          }),
            1);
  Running with_room(crushed_case(""));
  with_room.simulation.begin();
  with_room.simulation.advance(summary.steps - 1);
  EXPECT_EQ(with_room.engine->snapshot().id.size(), left);
  with_room.simulation.advance(summary.steps);
  EXPECT_GT(with_room.engine->snapshot().id.size(), 200U);
}

// What inlets bring while spheres break has its own ids; a checkpoint tells both.
TEST_F(BreakageRuns, GoOnBesideInlets) {
  std::string text = crushed_case(all_output);
  replace(text, R"("max": [0.01515, 0.01515, 0.04])", R"("max": [0.04, 0.01515, 0.04])");
  replace(text, R"("particles": [ )",
          R"("particles": [ { "material": "ore", "radius": 0.001, "inlet": { "rate": 5000, "velocity": [-1, 0, 0],
                   "region": { "box": [[0.02, 0.002, 0.002], [0.038, 0.013, 0.01]] } } }, )");
  write(text);
  const auto expected = whole();
  auto rows = columns_of(folder_ / "whole/series.csv");
  EXPECT_GT(rows["fragments"].back(), 100);
  EXPECT_EQ(rows["inserted"].back(), 20) << "without fragments";
  expect_as_whole_when_interrupted(expected, {700, 1301});
}

// The ledger takes out the kinetic energy of what breaks and the energy of its springs. These are known at the moment
// of the last forces, half a step before, so each break leaves an error of the work of its contacts in half a step.
TEST_F(BreakageRuns, BalanceTheirEnergies) {
  for (const std::string step : {"2e-6", "1e-6"}) {
    std::string text = crushed_case(all_output, "double");
    replace(text, "2e-6", step);
    write(text);
    ASSERT_EQ(run(), exit_done);
    auto rows = series();
    const double work = rows["work_boundaries[J]"].back(), removed = rows["lost_removed[J]"].back();
    EXPECT_GT(removed, 0.01 * work) << "what breaks takes energy along";
    EXPECT_LT(std::fabs(rows["energy_error[J]"].back()), 2e-3 * work) << step;
  }
}

// Heat of fines leaves; the temperature stays.
TEST(Breakage, FragmentsKeepTheTemperature) {
  std::string text = crushed_case(R"(, "heat": { "temperature": 300 })", "double");
  for (std::size_t at = 0; (at = text.find(R"("restitution": 0.5 })", at)) != std::string::npos; ++at) {
    text.insert(at, R"("thermal": { "conductivity": 1, "heat_capacity": 800 }, )");
    at += 80;
  }
  Running run(text);
  const RunSummary summary = run.simulation.run();
  EXPECT_GT(summary.breakage->broken, 9U);
  const HeatReport heat = run.engine->heat();
  EXPECT_NEAR(heat.mean_temperature, 300, 1e-9);
  EXPECT_NEAR(heat.removed - heat.inserted, 800 * 300 * summary.breakage->fines, 1e-9 * heat.start);
  EXPECT_NEAR(heat.heat, heat.start + heat.inserted - heat.removed, 1e-9 * heat.start);
}

// Clumps of the same material keep whole, and fixed spheres break into fixed fragments.
TEST(Breakage, LeavesClumpsAloneAndKeepsGroups) {
  std::string text = crushed_case(
      R"(, "groups": { "held": { "fixed": ["x", "y", "z"] } },
      "shapes": { "pair": { "type": "clump", "spheres": [ { "center": [0, 0, 0], "radius": 1 },
                                                          { "center": [1, 0, 0], "radius": 1 } ] } })",
      "double");
  replace(text, R"("material": "ore", "radius": { "uniform": [0.0023, 0.0025] })",
          R"("group": "held", "material": "ore", "radius": 0.0025)");
  replace(
      text, R"("particles": [ )",
      R"("particles": [ { "material": "ore", "shape": "pair", "radius": 0.002, "positions": [[0.007, 0.007, 0.0175]] }, )");
  replace(text, R"("point": [0, 0, 0.0151])", R"("point": [0, 0, 0.0198])");
  replace(text, R"("velocity": [0, 0, -1])", R"("velocity": [0, 0, -0.6])");
  Running run(text);
  const RunSummary summary = run.simulation.run();
  EXPECT_GT(summary.breakage->broken, 0U);
  const Snapshot after = run.engine->snapshot({.held = true});
  ASSERT_EQ(after.clumps.size(), 1U);
  for (std::size_t i = 0; i < after.id.size(); ++i) { EXPECT_EQ(after.held[i] != 0, after.id[i] > 1) << after.id[i]; }
}

}  // namespace scree::test::breakage_runs_test
