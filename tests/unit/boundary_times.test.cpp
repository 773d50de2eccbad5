#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "case_errors.hpp"
#include "resume_command.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"
#include "scree/simulation.hpp"
#include "simulated_case.hpp"

/// Boundaries that are there between two times only.
namespace scree::test::boundary_times_test {

std::string timed_case(const std::string& floor, const std::string& plate, const std::string& more = "") {
  return R"({ "time": { "duration": 0.05, "step": 2e-5 }, "precision": "double",
  "materials": { "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                            "restitution": 0.4 } },
  "particles": [ { "material": "glass", "radius": 0.01,
                   "lattice": { "type": "simple_cubic", "box": [[0, 0, 0], [0.02, 0.02, 0.02]], "spacing": 0.02 } } ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass")" +
         floor + R"( },
    "catch": { "type": "plane", "point": [0, 0, -0.003], "normal": [0, 0, 1], "material": "glass")" +
         plate + R"( } })" + more + " }";
}

struct TimedRun : SimulatedCase {
  explicit TimedRun(const std::string& text, const std::vector<std::string>& settings = {})
      : SimulatedCase(text, settings) {
    simulation.begin();
  }
  [[nodiscard]] double height() { return engine->snapshot().position.at(0)[2]; }
};

/// Leapfrog is exact for a constant acceleration: the floor goes at step 1000, and from there the bead falls freely
/// from the velocity that it had half a step before. Rounding of 500 steps.
TEST(BoundaryTimes, AFloorThatGoesLetsTheBeadFall) {
  TimedRun run(timed_case(R"(, "present_until": 0.02)", R"(, "present_from": 0.049)"));
  run.simulation.advance(1000);
  const double start = run.height();
  const Real3 velocity = run.engine->snapshot().velocity.at(0);
  EXPECT_EQ(run.engine->counts().boundary_contacts, 1u);
  run.simulation.advance(1500);
  const double t = 500 * 2e-5;
  EXPECT_NEAR(run.height(), start + velocity[2] * t - 0.5 * 9.81 * t * (t + 2e-5), 1e-12);
  EXPECT_EQ(run.engine->counts().boundary_contacts, 0u);
  EXPECT_EQ(run.notes, "step 1000, t = 0.02 s: boundary \"floor\" is gone\n");
}

/// The bead comes to rest on the catch, which appears a step after the floor has gone.
TEST(BoundaryTimes, ABoundaryThatAppearsIsTouchedFromItsStepOn) {
  TimedRun run(timed_case(R"(, "present_until": 0.01)", R"(, "present_from": 0.0100001)"), {"time.duration=0.2"});
  run.simulation.advance(501);
  EXPECT_EQ(run.notes,
            "step 500, t = 0.01 s: boundary \"floor\" is gone\nstep 501, t = 0.01002 s: boundary \"catch\" "
            "appears\n");
  run.simulation.advance(8000);
  EXPECT_NEAR(run.height(), 0.007, 2e-4);  // it rests there
  EXPECT_EQ(run.engine->counts().boundary_contacts, 1u);
}

/// With an adaptive step the switch is at the first step that begins at the time or later.
TEST(BoundaryTimes, FollowTheTimeWhereTheStepAdapts) {
  const std::string text = timed_case(R"(, "present_until": 0.0123)", R"(, "present_from": 1)");
  TimedRun run(text, {R"(time={"duration": 0.05, "adaptive": true})"});
  double before = 0;
  while (run.notes.empty() && !run.simulation.over()) {
    before = run.engine->time();
    run.simulation.advance(run.engine->step() + 1);
  }
  EXPECT_LT(before, 0.0123);
  EXPECT_GE(run.engine->time(), 0.0123 * (1 - 1e-9));
  EXPECT_EQ(run.notes.find("boundary \"floor\" is gone") == std::string::npos, false);
}

TEST(BoundaryTimes, ContradictionsAreRefused) {
  const auto error = [](const std::string& text) {
    return error_of([&] {
      SceneReport report;
      const Case input = parse_case(text, ".");
      (void)build_scene(input, report);
    });
  };
  EXPECT_IN("boundaries.floor.present_until: must be greater than \"present_from\" 0.3, got 0.2",
            error(timed_case(R"(, "present_from": 0.3, "present_until": 0.2)", "")));
  EXPECT_IN("boundaries.floor.present_until: is not possible with a servo",
            error(timed_case(R"(, "present_until": 0.2, "servo": { "force": 1 })", "")));
  EXPECT_IN("stages.0.boundaries.catch.present: is not possible for a boundary with \"present_from\"",
            error(timed_case("", R"(, "present_from": 0.3)",
                             R"(, "stages": [ { "name": "a", "boundaries": { "catch": { "present": true } } } ])")));
}

/// A fill keeps clear of what is there at the start, not of what appears later.
TEST(BoundaryTimes, FillsKeepClearOfWhatIsThereAtTheStart) {
  const std::string fill = R"(particles=[{"material": "glass", "radius": 0.001,
    "fill": {"box": [[0, 0, 0.001], [0.02, 0.02, 0.02]], "count": 200}}])";
  const auto at = [](double height, const std::string& more) {
    std::string text = timed_case(more, "");
    const std::string old = "\"point\": [0, 0, 0], \"normal\": [0, 0, 1]";
    return text.replace(text.find(old), old.size(),
                        "\"point\": [0, 0, " + std::to_string(height) + "], \"normal\": [0, 0, 1]");
  };
  const auto lowest = [&](const std::string& text) {
    SceneReport report;
    const Case input = parse_case(text, ".", {fill});
    double z = 1;
    for (const Real3& place : build_scene(input, report).particles.position) z = std::fmin(z, place[2]);
    return z;
  };
  EXPECT_GE(lowest(at(0.01, "")), 0.011 * (1 - 1e-9));
  EXPECT_LT(lowest(at(0.01, R"(, "present_from": 0.01)")), 0.005);
}

class ResumedBoundaryTimes : public testing::Test, protected RunsCase {};

/// Whatever the step at which a run stops, it goes on to the same bits.
TEST_F(ResumedBoundaryTimes, GoOnToTheSameBits) {
  write_text(folder_ / "drop.json",
             timed_case(R"(, "present_until": 0.01)", R"(, "present_from": 0.0112, "present_until": 0.016)",
                        R"(, "output": { "series": { "every": 0.0007 }, "checkpoints": { "every": 0.05 } })"));
  arguments_.settings = {"time.duration=0.03"};
  const std::string expected = whole();
  EXPECT_NE(read_text(folder_ / "whole/run.log").find("boundary \"catch\" is gone"), std::string::npos);
  expect_as_whole_when_interrupted(expected, {499, 500, 501, 530, 560, 700, 800, 1200});
}

}  // namespace scree::test::boundary_times_test
