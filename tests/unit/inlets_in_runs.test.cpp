#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

#include "case_errors.hpp"
#include "fake_engine.hpp"
#include "inlet_cases.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/simulation.hpp"

namespace scree::test::inlets_in_runs_test {

using namespace inlet_cases;

TEST(Inlets, ComeInTheSimulationBeforeItsOutput) {
  const ScratchFolder folder;
  const Case input = parse_case(
      inlet_case(R"({ "rate": 1000, )" + wide + " }", "1e-3", R"(, "output": { "series": { "every": 0.05 } })"),
      "/nowhere");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  Simulation simulation(input, scene, *engine, {folder.path()});
  const RunSummary summary = simulation.run();
  EXPECT_EQ(summary.inlets.at(0).made, 200U);
  EXPECT_EQ(simulation.state().inlets.at(0).made, 200U);
  const auto lines = lines_of(folder / "series.csv");
  EXPECT_IN("critical_step[s],inserted,", lines.at(0));
  EXPECT_IN(",5000,50,", lines.at(2));  // step and particles; particles inserted at this step are included
  EXPECT_IN(",20000,200,", lines.at(5));
}

/// An engine that sees the wish to stop before it makes the first step behind some step.
struct StoppedEngine : FakeEngine {
  using FakeEngine::FakeEngine;
  std::uint64_t advance(std::uint64_t steps, const std::atomic<bool>* stop, double until) override {
    if (step() != stopped_step) { return FakeEngine::advance(steps, stop, until); }
    flag->store(true);
    tried_before = tried;
    return 0;
  }
  std::uint64_t stopped_step = 0, tried_before = 0;
};

TEST(Inlets, AreFedOnceWhereARunIsStopped) {
  const Case input = parse_case(inlet_case(R"({ "rate": 1e5, )" + wide + " }"), "/nowhere");
  SceneReport report;
  const Scene scene = build_scene(input, report);
  for (const std::uint64_t step : {0U, 200U}) {
    StoppedEngine engine(scene);
    engine.stopped_step = step;
    engine.boundaries_clear = false;
    std::atomic<bool> stop{false};
    engine.flag = &stop;
    const RunSummary summary = Simulation(input, scene, engine, {.folder = {}, .stop = &stop}).run();
    EXPECT_TRUE(summary.interrupted);
    EXPECT_EQ(summary.steps, step);
    EXPECT_EQ(engine.tried_before > 0, step > 0);
    EXPECT_EQ(engine.tried, engine.tried_before) << "they looked for room once more";
  }
}

}  // namespace scree::test::inlets_in_runs_test
