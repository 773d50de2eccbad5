#include <string>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "start_runs.hpp"

/// Cases that start from a run whose stages have moved boundaries.
namespace scree::test::start_from_stages_test {

class StartAfterStages : public testing::Test, protected StartRuns {
 protected:
  /// A sphere that lies on a floor, which the second stage lets sink.
  void pack(const std::string& duration, const std::string& change) {
    const std::string common = R"("precision": "double", "materials": {
      "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" } },)";
    write_text(folder_ / "one.csv", "x,y,z,radius\n0,0,0.00999,0.01\n");
    write_text(folder_ / "packing.json", R"({ "time": { "duration": )" + duration + R"(, "step": 2e-5 },)" + common +
                                             R"(
      "particles": [ { "material": "glass", "file": "one.csv" } ],
      "stages": [ { "name": "rest", "until": { "duration": 0.002 } },
                  { "name": "next", "boundaries": { "floor": )" +
                                             change + R"( } } ],
      "output": { "checkpoints": { "every": 0.001 } } })");
    write_text(folder_ / "case.json", R"({ "time": { "duration": 0.002, "step": 2e-5 },)" + common + R"(
      "start": "packing/checkpoints" })");
    ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  }
  const std::string sinks_ = R"({ "motion": [ { "type": "translation", "velocity": [0, 0, -0.001] } ] })";
};

TEST_F(StartAfterStages, AWallThatWasMovedIsNotTheSame) {
  pack("0.004", sinks_);
  const Started next = started();
  ASSERT_EQ(next.notes.size(), 2U);
  EXPECT_IN("start: 1 contact with boundaries begin anew", next.notes[1]);
}

TEST_F(StartAfterStages, AWallThatWasNotMovedYetIsTheSame) {
  pack("0.001", sinks_);
  const Started next = started();
  ASSERT_EQ(next.notes.size(), 2U);
  EXPECT_IN("with boundaries go on", next.notes[1]);
}

TEST_F(StartAfterStages, AWallWhoseSurfaceMovesIsWhereItWas) {
  pack("0.004", R"({ "surface_motion": [ { "type": "translation", "velocity": [0.1, 0, 0] } ] })");
  const Started next = started();
  ASSERT_EQ(next.notes.size(), 2U);
  EXPECT_IN("with boundaries go on", next.notes[1]);
}

}  // namespace scree::test::start_from_stages_test
