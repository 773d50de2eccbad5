#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/storage/hdf5_reader.hpp"
#include "host/storage/state_columns.hpp"
#include "resume_command.hpp"

/// Files of means over grids, as runs write them.
namespace scree::test::field_runs_test {

namespace fs = std::filesystem;

class FieldsRun : public ResumeCommand {
 protected:
  void SetUp() override {
    ResumeCommand::SetUp();
    arguments_.settings = {
        R"(output.fields={"all \"1\"":{"every":0.004,"sample_every":0.0007,"width":0.01,)"
        R"("grid":{"box":[[-0.02,-0.02,0],[0.09,0.02,0.06]],"cells":[11,4,6]}},)"
        R"("one":{"every":0.007,"width":0.02,"materials":["glass"],)"
        R"("grid":{"box":[[-0.1,-0.1,-0.1],[0.1,0.1,0.1]],"cells":[1,1,9]}},)"
        R"("round":{"every":0.007,"sample_every":0.001,"width":0.02,)"
        R"("grid":{"cylinder":{"from":[0,0,0],"to":[0.01,0,0.1],"radius":0.08,"inner_radius":0.005},)"
        R"("cells":[4,5,3],"zero":[1,1,0]}}})"};
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, FieldsRun, testing::Values("mixed", "double"));

TEST_P(FieldsRun, WritesAFileForEachWindow) {
  whole();
  EXPECT_EQ(files_below(folder_ / "whole/fields/one"),
            (std::vector<std::string>{"step_000000350.vtkhdf", "step_000000700.vtkhdf", "step_000001000.vtkhdf"}));
  ASSERT_EQ(files_below(folder_ / "whole/fields/all__1_").size(), 5U);
  const Hdf5Reader reader(folder_ / "whole/fields/all__1_/step_000000400.vtkhdf");
  // Samples every 35 steps, and at the end of the window: 210, 245, 280, 315, 350, 385, 400.
  EXPECT_EQ(rows_of<std::uint64_t>(reader.read("/VTKHDF/FieldData/Samples"), ValueType::uint64).at(0), 7U);
  const auto shape = reader.shape("/VTKHDF/CellData/contact_stress");
  EXPECT_EQ(shape.rows, 264U);
  EXPECT_EQ(shape.columns, 9U);
}

TEST_P(FieldsRun, ResumedRunsWriteTheSameBytes) {
  const auto expected = whole();
  ASSERT_GT(files_below(folder_ / "whole/fields").size(), 8U);
  arguments_.engine.threads = 2;
  for (const std::uint64_t steps : {1U, 200U, 333U, 400U, 777U, 999U}) {
    expect_as_whole_when_interrupted(expected, {steps});
    EXPECT_EQ(terminal_.str().find(".vtkhdf.series"), std::string::npos) << terminal_.str();
    EXPECT_EQ(terminal_.str().find("means begin"), std::string::npos) << terminal_.str();
  }
}

/// Where no sample is due before the end, one is taken there. A run that is made longer knows nothing of it.
TEST_P(FieldsRun, AFileIsWrittenAtTheEnd) {
  arguments_.settings[0] = R"(output.fields={"rare":{"every":1,"width":0.02,)"
                           R"("grid":{"box":[[-0.1,-0.1,-0.1],[0.1,0.1,0.1]],"cells":[1,1,9]}},)"
                           R"("often":{"every":0.008,"width":0.02,)"
                           R"("grid":{"box":[[-0.1,-0.1,-0.1],[0.1,0.1,0.1]],"cells":[1,1,9]}}})";
  const auto expected = whole();
  const auto rare = folder_ / "whole/fields/rare/step_000001000.vtkhdf";
  const Hdf5Reader reader(rare);
  EXPECT_EQ(rows_of<std::uint64_t>(reader.read("/VTKHDF/FieldData/Samples"), ValueType::uint64).at(0), 1U);
  EXPECT_EQ(files_below(folder_ / "whole/fields/rare").size(), 1U);
  EXPECT_EQ(files_below(folder_ / "whole/fields/often").size(), 3U);
  const auto log = read_text(folder_ / "whole/run.log");
  EXPECT_NE(log.find("4 files of fields"), std::string::npos) << log;
  arguments_.settings.push_back("time.duration=0.013");
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(files_below(folder_ / "out/fields/rare"), (std::vector<std::string>{"step_000000650.vtkhdf"}));
  EXPECT_EQ(files_below(folder_ / "out/fields/often"),
            (std::vector<std::string>{"step_000000400.vtkhdf", "step_000000650.vtkhdf"}));
  arguments_.settings.pop_back();
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(hash(), expected);
  auto all = content_of("whole/fields"), again = content_of("out/fields");
  EXPECT_EQ(again, all);
}

TEST_P(FieldsRun, AnotherGridBeginsAnew) {
  arguments_.steps = 333;
  ASSERT_EQ(run(), exit_done);
  arguments_.resume = true;
  arguments_.steps.reset();
  arguments_.settings.push_back("output.fields.one.width=0.03");
  ASSERT_EQ(run(), exit_done);
  EXPECT_NE(terminal_.str().find("the fields \"one\" are others in the checkpoint"), std::string::npos);
  arguments_.resume = false;
  arguments_.settings.clear();
  ASSERT_EQ(run(), exit_done);
  EXPECT_FALSE(fs::exists(folder_ / "out/fields")) << "a folder that is used again";
}

TEST_P(FieldsRun, AThreadWritesTheSameFiles) {
  const auto files = content_without_and_with_thread();
  EXPECT_EQ(files[1], files[0]);
}

TEST_P(FieldsRun, WrongKeysAreToldApart) {
  const auto kept = arguments_.settings;
  const auto refused = [&](const std::string& setting, const std::string& sentence) {
    arguments_.settings = kept;
    arguments_.settings.push_back("output.fields.one." + setting);
    EXPECT_EQ(run("output.fields.one." + sentence), exit_bad_input) << setting;
  };
  refused("sample_every=1", "sample_every: must not be longer than every, 0.007 s, got 1 s");
  refused("width=0", "width: must be greater than 0, got 0");
  refused("grid.cells=[1,0,1]", "grid.cells.1: must be at least 1, got 0");
  refused("grid.cells=[1000,1000,1000]", "grid.cells: must make at most 10 000 000 cells in all, got 1e+09");
  refused("grid.box=[[0,0,0],[1,0,1]]", "grid.box.1.1: must be greater than 0");
  refused("grid.cylinder={\"from\":[0,0,0],\"to\":[0,0,1],\"radius\":1}",
          "grid: must have a box or a cylinder, not both");
  refused("materials=[\"clay\"]", "materials.0: unknown material \"clay\"");
  refused("groups=[\"all\"]", "groups.0: unknown group \"all\"");
}

TEST_P(FieldsRun, WrongCylindersAreToldApart) {
  const auto kept = arguments_.settings;
  const auto refused = [&](const std::string& setting, const std::string& sentence) {
    arguments_.settings = kept;
    arguments_.settings.push_back("output.fields.round." + setting);
    EXPECT_EQ(run("output.fields.round." + sentence), exit_bad_input) << setting;
  };
  refused("grid.zero=[0.1,0,1]", "grid.zero: must not lie along the axis of the cylinder");
  refused("grid.cylinder.inner_radius=0.08",
          "grid.cylinder.inner_radius: must be below the radius, 0.08 m, got 0.08 m");
  refused("grid.cylinder.to=[0,0,0]", "grid.cylinder.to: must differ from");
  refused("grid.cells=[100,100,100]", "width: must spread a particle over at most 100 000 cells");
}

TEST_P(FieldsRun, AKernelOverTooManyCellsIsRefused) {
  arguments_.settings.push_back(R"(output.fields.one.grid.cells=[100,100,100])");
  arguments_.settings.push_back("output.fields.one.width=0.1");
  EXPECT_EQ(run("output.fields.one.width: must spread a particle over at most 100 000 cells"), exit_bad_input);
}

}  // namespace scree::test::field_runs_test
