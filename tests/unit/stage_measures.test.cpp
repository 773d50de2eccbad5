#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "runs_case.hpp"
#include "series_columns.hpp"

/// Stages that end at a measure of the state.
namespace scree::test::stage_measures_test {

/// Two spheres that fly up at 1 m/s, in steps of 1e-4 s.
const std::string flight = R"({ "time": { "duration": 0.1, "step": 1e-4 }, "gravity": [0, 0, 0], "precision": "double",
  "materials": {
    "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 },
    "steel": { "density": 7800, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
  "groups": { "far": {} },
  "particles": [
    { "material": "glass", "radius": 0.001, "positions": [[0, 0, 0]], "velocity": [0, 0, 1] },
    { "material": "steel", "radius": 0.001, "positions": [[1, 0, 3]], "velocity": [0, 0, 1], "group": "far" } ],
  "stages": [ { "name": "first", "until": { "duration": 1 } }, { "name": "second" } ],
  "output": { "series": { "every": 1e-3 } } })";

class StageMeasures : public testing::Test, protected RunsCase {
 protected:
  void SetUp() override { write_text(folder_ / "drop.json", flight); }
  /// The step at which the first stage ends.
  double end_with(const std::string& until) {
    arguments_.settings = {"stages.0.until=" + until};
    EXPECT_EQ(run(), exit_done) << terminal_.str();
    auto columns = columns_of(folder_ / "out/series.csv");
    for (std::size_t k = 0; k < columns["step"].size(); ++k) {
      if (columns["stage"][k] == 1) { return columns["step"][k]; }
    }
    return -1;
  }
  void refuse(const std::string& measure, const std::string& error) {
    arguments_.settings = {R"(stages.0.until={"measure":)" + measure + "}"};
    EXPECT_EQ(run(error), exit_bad_input) << measure;
  }
};

// z = v t: the glass sphere is at 0.025 m at step 250, and scree looks every 100 steps. Probes measure where the last
// forces acted, one step before.
TEST_F(StageMeasures, OfAProbeOfItsOwn) {
  const std::string glass = R"("probe":{"type":"content","materials":["glass"]},"column":"position_z")";
  EXPECT_EQ(end_with(R"({"measure":{)" + glass + R"(,"above":0.025}})"), 300);
  EXPECT_IN("stage \"first\" ends (position_z is 0.0299 m); stage \"second\" begins",
            read_text(folder_ / "out/run.log"));
  EXPECT_EQ(end_with(R"({"measure":{)" + glass + R"(,"below":0.035}})"), 100);
  EXPECT_EQ(end_with(R"({"measure":{)" + glass + R"(,"below":0.035},"not_before":0.0205})"), 300);
  EXPECT_EQ(end_with(R"({"measure":{)" + glass + R"(,"above":0.5}})"), -1) << "the run ends before";
  const std::string far = R"("probe":{"type":"content","groups":["far"]},"column":"position_z")";
  EXPECT_EQ(end_with(R"({"measure":{)" + far + R"(,"above":3.041}})"), 500);
  EXPECT_EQ(end_with(R"({"all_of":[{"duration":0.035},{"measure":{)" + far + R"(,"above":3.01}},{"measure":{)" + glass +
                     R"(,"above":0.01}}]})"),
            400);
}

TEST_F(StageMeasures, OfTheSeries) {
  EXPECT_EQ(end_with(R"({"measure":{"column":"particles","below":2}})"), 100);
  EXPECT_IN("(particles is 2)", read_text(folder_ / "out/run.log"));
  EXPECT_EQ(end_with(R"({"measure":{"column":"overlap_max","above":0.1}})"), -1);
  // A probe without particles has nothing to measure.
  const std::string nobody = R"("probe":{"type":"content","region":{"box":[[8,8,8],[9,9,9]]}},"column":"position_z")";
  EXPECT_EQ(end_with(R"({"measure":{)" + nobody + R"(,"below":1e9}})"), -1);
}

// A box without particles has no void ratio, and the condition does not hold.
TEST_F(StageMeasures, OfAnEmptyBox) {
  const auto wall = [](const std::string& z, const std::string& up) {
    return R"({"type":"plane","material":"glass","point":[0,0,)" + z + R"(],"normal":[0,0,)" + up + "]}";
  };
  const std::string box = R"("type":"box","walls":["low","high"],"area":1)";
  for (const bool empty : {false, true}) {
    arguments_.settings = {R"(groups={"far":{},"nobody":{}})",
                           "boundaries={\"low\":" + wall("-1", "1") + ",\"high\":" + wall("9", "-1") + "}",
                           R"(stages.0.until={"measure":{"probe":{)" + box + (empty ? R"(,"groups":["nobody"])" : "") +
                               R"(},"column":"void_ratio","above":1}})"};
    ASSERT_EQ(run(), exit_done) << terminal_.str();
    EXPECT_EQ(columns_of(folder_ / "out/series.csv")["stage"].back(), empty ? 0 : 1);
  }
}

// The void ratio of a cell that shrinks at a constant logarithmic rate: 1 + e = (1 + e0) exp(-30 t).
TEST_F(StageMeasures, OfACell) {
  arguments_.settings = {
      R"(particles=[{"material":"glass","radius":0.001,"lattice":{"box":[[0,0,0],[0.04,0.04,0.04]],"spacing":0.004}}])",
      R"(domain={"periodic":{"size":[0.04,0.04,0.04]},"velocity_gradient":[[-10,0,0],[0,-10,0],[0,0,-10]]})",
      R"(stages.0.until={"measure":{"column":"void_ratio","below":10}})",
      "time.step=2e-6",
      "time.duration=0.04",
      "output.series.every=2e-5"};
  ASSERT_EQ(run(), exit_done) << terminal_.str();
  auto columns = columns_of(folder_ / "out/series.csv");
  std::size_t k = 0;
  while (columns["stage"].at(k) == 0) { ++k; }
  EXPECT_LE(columns["void_ratio"][k], 10);
  EXPECT_GT(columns["void_ratio"].at(k - 10), 10) << "100 steps before";
  const std::string expected = whole();
  const auto end = static_cast<std::uint64_t>(columns["step"][k]);
  expect_as_whole_when_interrupted(expected, {end - 1, end, end + 1});
  // Output does not matter.
  arguments_.settings.push_back("output={}");
  ASSERT_EQ(run(), exit_done) << terminal_.str();
  EXPECT_EQ(hash(), expected);
}

// A probe of soil tests has the void ratio of the series: 14.28 at the start, and 1 + e falls as above. It is 14 after
// ln(15.28 / 15) / 30 = 6.2e-4 s.
TEST_F(StageMeasures, OfATriaxialProbe) {
  const auto end_at = [&](const std::string& measure) {
    arguments_.settings = {
        R"(particles=[{"material":"glass","radius":0.001,)"
        R"("lattice":{"box":[[0,0,0],[0.04,0.04,0.04]],"spacing":0.004}}])",
        R"(domain={"periodic":{"size":[0.04,0.04,0.04]},"velocity_gradient":[[-10,0,0],[0,-10,0],[0,0,-10]]})",
        R"(stages.0.until={"measure":{)" + measure + R"("column":"void_ratio","below":14}})",
        "time.step=2e-6",
        "time.duration=0.001",
        "output.series.every=2e-5"};
    EXPECT_EQ(run(), exit_done) << terminal_.str();
    auto columns = columns_of(folder_ / "out/series.csv");
    std::size_t k = 0;
    while (columns["stage"].at(k) == 0) { ++k; }
    return columns["step"][k];
  };
  const double end = end_at("");
  EXPECT_GE(end, 310);
  EXPECT_EQ(end_at(R"("probe":{"type":"triaxial","axis":"z"},)"), end);
}

TEST_F(StageMeasures, SayWhatCannotBe) {
  const std::string path = "stages.0.until.measure";
  refuse(R"({"column":"particles"})", path + ": must have exactly one of");
  refuse(R"({"above":1})", path + ": must have a \"probe\"");
  refuse(R"({"column":"partices","above":1})",
         path + ".column: unknown column \"partices\"; did you mean \"particles\"?");
  refuse(R"({"column":"time","above":1})", path + ".column: unknown column \"time\"");
  refuse(R"({"probe":{"type":"content"},"above":1})",
         path + ".column: is missing; the probe has several: \"particles\"");
  refuse(R"({"probe":{"type":"flow","plane":{"point":[0,0,0],"normal":[0,0,1]}},"column":"count","above":1})",
         path + ".probe: must measure the present state alone");
  refuse(R"({"probe":{"type":"triaxial","axis":"z"},"column":"q","above":1})",
         path + ".probe.region: is missing; only a case with a periodic cell");
  refuse(R"({"probe":{"type":"dissipation"},"column":"energy","above":1})",
         path + ".probe: must measure the present state alone");
  refuse(R"({"probe":{"type":"content","materials":["wood"]},"column":"position_z","above":1})",
         path + ".probe.materials.0: unknown material \"wood\"");
  refuse(R"({"probe":{"type":"porosity","region":{"mesh":{"file":"none.stl"}}},"column":"porosity","above":1})",
         path + ".probe.region");
}

}  // namespace scree::test::stage_measures_test
