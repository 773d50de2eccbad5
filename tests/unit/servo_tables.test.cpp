#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "servo_cases.hpp"
#include "simulated_case.hpp"

/// Walls whose stress or force is a table over time.
namespace scree::test::servo_tables_test {

// Times count from the moment at which the wall is released, and in a stage from its start. The force is set every 100
// steps of 2e-5 s, so on a ramp of 3 N/s the wall is up to 6 mN behind.
TEST(ServoTables, AForceFollowsATable) {
  SimulatedCase run(bead_below(R"("type": "plane", "point": [0, 0, 0.0201], "normal": [0, 0, -1],
      "servo": { "force": [[0.08, 0.2], [0.13, 0.35]], "inertial_number": 0.02, "from": 0.02 })",
                               R"(, "stages": [ { "name": "load", "until": { "duration": 0.2 } },
    { "name": "unload", "boundaries": { "lid": { "servo": { "force": [[0, 0.35], [0.05, 0.2]] } } } } ])"));
  run.simulation.begin();
  for (const auto& [time, force] :
       std::vector<std::array<double, 2>>{{0.095, 0.2}, {0.125, 0.275}, {0.19, 0.35}, {0.225, 0.275}, {0.29, 0.2}}) {
    run.simulation.advance(static_cast<std::uint64_t>(std::lround(time / 2e-5)));
    const double behind = force == 0.275 ? 6e-3 : 2e-4;
    EXPECT_NEAR(run.engine->boundary_loads().at(1).force[2], force, behind) << time;
  }
}

TEST(ServoTables, ATableOfOneRowIsANumber) {
  const auto end = [](const std::string& force) {
    SimulatedCase run(
        bead_below(R"("type": "plane", "point": [0, 0, 0.0201], "normal": [0, 0, -1], "servo": { "force": )" + force +
                   R"(, "inertial_number": 0.02 })"),
        {"time.duration=0.05"});
    run.simulation.run();
    return run.engine->hash();
  };
  EXPECT_EQ(end("0.2"), end("[[0.01, 0.2]]"));
  EXPECT_NE(end("0.2"), end("[[0.01, 0.2], [0.02, 0.21]]"));
}

}  // namespace scree::test::servo_tables_test
