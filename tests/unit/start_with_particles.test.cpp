#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "start_runs.hpp"

/// Cases that start from a packing and place particles of their own beside it.
namespace scree::test::start_with_particles_test {

class StartBeside : public Start {};
INSTANTIATE_TEST_SUITE_P(Precisions, StartBeside, testing::Values("mixed", "double"));

/// Above the heap, at rest, in the group "other".
const std::string lattice = R"({"material":"glass","radius":0.003,"group":"other","lattice":)"
                            R"({"box":[[0.004,0.004,0.3],[0.056,0.056,0.32]],"spacing":0.01}})";

constexpr std::size_t n_placed = 50;

double gap(const ParticleSet& set, std::size_t i, std::size_t j) {
  return geometry::length(geometry::subtract(set.position[i], set.position[j])) - set.radius[i] - set.radius[j];
}

// Particles far away change nothing of the heap, neither its numbers nor its contacts.
TEST_P(StartBeside, ParticlesOfTheCaseFollowThoseOfTheStart) {
  Started alone = started(), both = started({"particles=[" + lattice + "]"});
  const ParticleSet &first = alone.scene.particles, &all = both.scene.particles;
  const std::size_t n = first.size();
  ASSERT_EQ(all.size(), n + n_placed);
  const std::vector<Real3> beginning(all.position.begin(), all.position.begin() + std::ptrdiff_t(n));
  EXPECT_EQ(beginning, first.position);
  for (std::size_t i = n; i < all.size(); ++i) {
    EXPECT_GT(all.position[i][2], 0.3);
    EXPECT_EQ(both.scene.material_names[all.material[i]], "glass");
    EXPECT_EQ(all.group[i], 1U);
    EXPECT_EQ(all.velocity[i], Real3{});
  }
  ASSERT_EQ(both.notes, alone.notes);
  alone.engine->advance(40), both.engine->advance(40);
  const auto a = alone.engine->touching_contacts(), b = both.engine->touching_contacts();
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 100U);
  EXPECT_EQ(largest_difference(a, b), 0);
  const Snapshot before = alone.engine->snapshot(), after = both.engine->snapshot();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(after.position[i], before.position[i]);
    EXPECT_EQ(after.angular_velocity[i], before.angular_velocity[i]);
  }
  EXPECT_NEAR(after.velocity[n][2], -9.81 * 39.5 * 2e-5, 1e-6) << "the new ones fall";
}

TEST_P(StartBeside, FillsKeepClearOfTheStart) {
  const Started next = started({R"(particles=[{"material":"clay","radius":{"uniform":[0.002,0.003]},)"
                                R"("fill":{"box":[[0,0,0],[0.06,0.06,0.09]],"count":250}}])"});
  const ParticleSet& all = next.scene.particles;
  const std::size_t first = all.size() - 250;
  std::size_t within = 0;
  for (std::size_t i = first; i < all.size(); ++i) {
    within += all.position[i][2] < 0.06 ? 1 : 0;
    for (std::size_t j = 0; j < i; ++j) { EXPECT_GE(gap(all, i, j), -1e-12) << i << ' ' << j; }
  }
  EXPECT_GT(within, 5U) << "some stand among the spheres of the heap";
}

TEST_P(StartBeside, ALatticeOnTheStartIsRefused) {
  const auto message = [&](const std::string& more) {
    return error_of([&] {
      (void)started({R"(particles=[{"material":"glass","radius":0.004,"lattice":)"
                     R"({"box":[[0,0,0],[0.06,0.06,0.02]],"spacing":0.012})" +
                     more + "}]"});
    });
  };
  EXPECT_IN("particles.0.lattice: sphere ", message(""));
  EXPECT_IN(" of the start by ", message(""));
  EXPECT_IN("% is allowed, which particles.0.allow_overlap can change", message(""));
  EXPECT_IN("at most 1 % is allowed", message(R"(,"allow_overlap":0.01)"));
}

TEST_P(StartBeside, AnInletBringsMoreAndTheRunResumesToTheSameBits) {
  std::string text = started_case(GetParam());
  text.insert(text.find("\"start\""), R"("particles": [ )" + lattice + R"(,
      { "material": "clay", "radius": 0.002,
        "inlet": { "velocity": [0, 0, -0.5], "region": { "box": [[0, 0, 0.2], [0.06, 0.06, 0.22]] }, "rate": 3000 } } ],
    )");
  write_text(folder_ / "case.json", text);
  ASSERT_EQ(run("case.json", "whole"), exit_done) << terminal_.str();
  const std::string whole = hash();
  const std::string series = read_text(folder_ / "whole/series.csv");
  ASSERT_EQ(run("case.json", "out", false, 77), exit_done);
  ASSERT_EQ(run("case.json", "out", true), exit_done);
  EXPECT_EQ(hash(), whole);
  EXPECT_EQ(read_text(folder_ / "out/series.csv"), series);
  const std::size_t stood = started().scene.particles.size();
  EXPECT_EQ(read_checkpoint(checkpoints_in(folder_ / "out/checkpoints").back().second).state.find("bodies/id")->rows(),
            stood + 12);
}

// A start without heat has no temperatures: its particles have the one that the case gives to all.
TEST_P(StartBeside, TemperaturesOfBoth) {
  const Started next =
      started({R"(heat={"temperature":350})", R"(materials.glass.thermal={"conductivity":1,"heat_capacity":800})",
               R"(materials.clay.thermal={"conductivity":0.2,"heat_capacity":900})",
               "particles=[" + lattice.substr(0, lattice.size() - 1) + R"(,"temperature":400}])"});
  const std::vector<double>& temperature = next.scene.particles.temperature;
  ASSERT_EQ(temperature.size(), next.scene.particles.size());
  EXPECT_EQ(temperature.front(), 350);
  EXPECT_EQ(temperature[temperature.size() - n_placed - 1], 350);
  EXPECT_EQ(temperature[temperature.size() - n_placed], 400);
  EXPECT_EQ(temperature.back(), 400);
}

}  // namespace scree::test::start_with_particles_test
