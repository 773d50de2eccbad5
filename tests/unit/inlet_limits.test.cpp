#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "inlet_cases.hpp"
#include "running_inlets.hpp"

namespace scree::test::inlet_limits_test {

using namespace inlet_cases;
using running_inlets::Running;

TEST(Inlets, StopAtTheirLimits) {
  Running by_count(inlet_case(R"({ "rate": 10000, "count": 123, )" + wide + " }"));
  by_count.run_to(5000);
  EXPECT_EQ(by_count.engine->counts().inserted, 123U);
  EXPECT_EQ(by_count.inlets.next_after(5000), std::numeric_limits<std::uint64_t>::max());
  Running by_mass(inlet_case(R"({ "mass_flow": 0.1, "mass": 1e-3, )" + wide + " }"));
  by_mass.run_to(5000);
  const double one = 2500 * 4.0 / 3.0 * std::acos(-1.0) * 1e-9;
  EXPECT_EQ(by_mass.state().made, static_cast<std::uint64_t>(1e-3 / one));
  EXPECT_EQ(by_mass.inlets.next_after(5000), std::numeric_limits<std::uint64_t>::max());
}

// A count ends a mass flow, and a mass ends a rate: then nothing is missing, and nothing will come.
TEST(Inlets, StopAtTheLimitInTheOtherUnit) {
  constexpr auto never = std::numeric_limits<std::uint64_t>::max();
  const double one = 2500 * 4.0 / 3.0 * std::acos(-1.0) * 1e-9;
  Running by_count(inlet_case(R"({ "mass_flow": 1, "count": 3, )" + wide + " }"));
  by_count.run_to(2000);
  EXPECT_EQ(by_count.state().made, 3U);
  EXPECT_NEAR(by_count.state().due, 3 * one, 1e-9 * one) << "of 20 g by the mass flow";
  EXPECT_EQ(by_count.inlets.next_after(2000), never);
  EXPECT_TRUE(by_count.notes.empty()) << by_count.notes[0];
  Running by_mass(inlet_case(R"({ "rate": 20000, "mass": 1e-3, )" + wide + " }"));
  by_mass.run_to(2000);
  EXPECT_EQ(by_mass.state().made, static_cast<std::uint64_t>(1e-3 / one));
  EXPECT_EQ(by_mass.state().due, static_cast<double>(by_mass.state().made)) << "of 400 by the rate";
  EXPECT_EQ(by_mass.inlets.next_after(2000), never);
  EXPECT_TRUE(by_mass.notes.empty()) << by_mass.notes[0];
  Running nothing(inlet_case(R"({ "rate": 100, "mass": 1e-9, )" + wide + " }"));
  EXPECT_EQ(nothing.state().due, 0);
  EXPECT_EQ(nothing.inlets.next_after(0), never);
}

// The next particle is too heavy for what is left of the mass, while a lighter one would fit: it waits for nothing.
TEST(Inlets, StopBeforeAParticleThatIsTooHeavy) {
  const double smallest = 2500 * 4.0 / 3.0 * std::acos(-1.0) * 0.125e-9;
  for (const std::string flow : {R"("rate": 20000)", R"("mass_flow": 0.2)"}) {
    Running run(inlet_case("{ " + flow + R"(, "mass": 1.01e-3, )" + wide + " }", R"({ "uniform": [0.5e-3, 1.5e-3] })"));
    run.run_to(2000);
    EXPECT_LT(run.state().mass, 1.01e-3 - smallest) << "choose another mass: this test needs some left";
    EXPECT_GT(run.state().made, 50U);
    EXPECT_EQ(run.inlets.next_after(2000), std::numeric_limits<std::uint64_t>::max());
    EXPECT_TRUE(run.notes.empty());
  }
}

// Particles that the other limit still allows are due, and no more than those.
TEST(Inlets, SayWhatWaitsUpToTheLimitInTheOtherUnit) {
  const std::string small = R"("region": { "sphere": { "center": [0, 0, 0.1], "radius": 0.0022 } } })";
  const double one = 2500 * 4.0 / 3.0 * std::acos(-1.0) * 1e-9;
  const std::string still = R"(, "gravity": [0, 0, 0])";
  Running by_count(inlet_case(R"({ "mass_flow": 1, "count": 40, )" + small, "1e-3", still));
  by_count.run_to(1000);
  EXPECT_LT(by_count.state().made, 10U);
  EXPECT_NEAR(by_count.state().due, 40 * one, 1e-9 * one);
  ASSERT_EQ(by_count.notes.size(), 1U);
  EXPECT_NE(by_count.inlets.next_after(1000), std::numeric_limits<std::uint64_t>::max());
  Running by_mass(inlet_case(R"({ "rate": 1e5, "mass": )" + std::to_string(40.5 * one) + ", " + small, "1e-3", still));
  by_mass.run_to(1000);
  EXPECT_LT(by_mass.state().made, 10U);
  EXPECT_EQ(by_mass.state().due, 40);
  ASSERT_EQ(by_mass.notes.size(), 1U);
}

}  // namespace scree::test::inlet_limits_test
