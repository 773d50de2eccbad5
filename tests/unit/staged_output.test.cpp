#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "resume_command.hpp"
#include "series_columns.hpp"

/// Output of runs whose stages change what it depends on.
namespace scree::test::staged_output_test {

class StagedOutput : public ResumeCommand {
 protected:
  void expect_moments(const std::vector<double>& times, double every) const {
    for (std::size_t k = 0; k < times.size(); ++k) {
      EXPECT_NEAR(times[k], std::fmin(every * static_cast<double>(k), 0.02), 1e-9) << "a step late";
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, StagedOutput, testing::Values("double"));

/// All intervals are multiples of both steps. Times are sums of them, and miss their moments by rounding.
TEST_P(StagedOutput, StandsAtItsMomentsWhereStagesSetTheStep) {
  arguments_.settings = {R"(stages=[{"name":"long","until":{"duration":0.01}},{"name":"short","time":{"step":1e-5}}])",
                         "output.checkpoints.keep=20", "output.contacts.every=0.004"};
  ASSERT_EQ(run(), exit_done);
  const auto rows = columns_of(folder_ / "out/series.csv");
  ASSERT_EQ(rows.at("step").size(), 30U) << "29 of them, and the end";
  expect_moments(rows.at("time[s]"), 0.0007);
  EXPECT_EQ(rows.at("step").back(), 1500);
  EXPECT_EQ(files_below(folder_ / "out/checkpoints"),
            (std::vector<std::string>{"step_000000200.h5", "step_000000400.h5", "step_000000700.h5",
                                      "step_000001100.h5", "step_000001500.h5"}));
  EXPECT_EQ(files_below(folder_ / "out/frames").size(), 8U) << "7 of them, and the end";
  EXPECT_EQ(files_below(folder_ / "out/contacts").size(), 6U);
  EXPECT_NE(read_text(folder_ / "out/run.log").find("8 frames, 30 series rows, 6 files of contacts"),
            std::string::npos);
}

/// The heap is as high as its highest and lowest points along gravity tell.
TEST_P(StagedOutput, AHeapStandsUpAgainstThePresentGravity) {
  const auto heights = [&] {
    const auto rows = columns_of(folder_ / "out/series.csv");
    const std::array<double, 4> radius{0.01, 0.01, 0.01, 0.012};
    for (std::size_t row = 1; row < rows.at("step").size(); ++row) {
      const std::string axis = rows.at("time[s]")[row] < 0.01 ? "x" : "z";
      double low = 1, high = -1;
      for (std::size_t k = 0; k < radius.size(); ++k) {
        const double place = rows.at("each_" + std::to_string(k) + "_position_" + axis + "[m]")[row];
        low = std::fmin(low, place - radius[k]), high = std::fmax(high, place + radius[k]);
      }
      EXPECT_NEAR(rows.at("heap_height[m]")[row], high - low, 1e-4) << axis;  // of positions a step apart
    }
  };
  arguments_.settings = {R"(output.series.probes={"heap":{"type":"angle_of_repose"},)"
                         R"("each":{"type":"track","particles":[0,1,2,3]}})",
                         R"(stages=[{"name":"tilted","until":{"duration":0.01}},{"name":"b","gravity":[0,0,-9.81]}])",
                         "gravity=[9.81, 0, 0]"};
  ASSERT_EQ(run(), exit_done);
  heights();
  arguments_.settings.back() = "gravity=[0, 0, 0]";
  ASSERT_EQ(run(), exit_done) << "a stage has gravity";
  const auto height = columns_of(folder_ / "out/series.csv").at("heap_height[m]");
  EXPECT_TRUE(std::isnan(height.at(5))) << "nothing is up";
  EXPECT_FALSE(std::isnan(height.back()));
  arguments_.settings[1] = "stages=[]";
  EXPECT_EQ(run("output.series.probes.heap.type: needs gravity"), exit_bad_input);
}

}  // namespace scree::test::staged_output_test
