#include <gtest/gtest.h>

#include "case_errors.hpp"
#include "host/case/case_files.hpp"
#include "host/checkpoint/files_hash.hpp"
#include "host/checkpoint/restore_run.hpp"
#include "resume_command.hpp"
#include "scree/case_file.hpp"

/// Files that a case names, beside particles and boundary meshes: `scree run --resume` sees what they say, not how they
/// are called.
namespace scree::test::resumed_files_test {

namespace fs = std::filesystem;

std::string square(double height) {
  const std::string z = std::to_string(height);
  return "v 0 0 " + z + "\nv 0.05 0 " + z + "\nv 0.05 0.05 " + z + "\nv 0 0.05 " + z + "\nf 1 2 3\nf 1 3 4\n";
}

class ResumedFiles : public ResumeCommand {
 protected:
  void SetUp() override {
    ResumeCommand::SetUp();
    write_text(folder_ / "rise.csv", "0,0\n1,0.05\n");
    write_text(folder_ / "face.obj", square(0.1));
    write_text(folder_ / "pair.csv", "x,y,z,r\n-1,0,0,1.5\n1,0,0,1.5\n");
  }
  /// A run of 300 steps with these settings, to be resumed.
  void begin(const std::vector<std::string>& settings) {
    arguments_.settings = settings;
    arguments_.resume = false;
    arguments_.steps = 300;
    ASSERT_EQ(run(), exit_done);
    arguments_.steps.reset();
    arguments_.resume = true;
  }
  /// The file may have another name, but nothing else in it.
  void expect_content_counts(const std::string& setting, const std::string& path, const std::string& name,
                             const std::string& changed) {
    const auto with = [&](const std::string& file) {
      std::string text = setting;
      text.replace(text.find('%'), 1, file);
      return std::vector<std::string>{text};
    };
    begin(with(name));
    const std::string before = read_text(folder_ / name);
    write_text(folder_ / name, changed);
    EXPECT_EQ(run("--resume: the file of \"" + path + "\" has changed: its content is not that of "), exit_bad_input);
    EXPECT_NE(
        error_of([&] { static_cast<void>(restore_run(folder_ / "out")); }).find("its content is not that of its run"),
        std::string::npos);
    const std::string moved = "moved_" + name;
    write_text(folder_ / moved, before);
    fs::remove(folder_ / name);
    arguments_.settings = with(moved);
    EXPECT_EQ(run(), exit_done);
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, ResumedFiles, testing::Values("mixed"));

TEST_P(ResumedFiles, ATableOfAMotion) {
  expect_content_counts(R"(boundaries.floor.motion=[{"type": "table", "direction": [0, 0, 1], "position_file": "%"}])",
                        "boundaries.floor.motion.0.position_file", "rise.csv", "0,0\n1,-5\n");
}

TEST_P(ResumedFiles, ATableOfASurfaceThatAStageMoves) {
  expect_content_counts(R"(stages=[{"name": "all", "boundaries": {"floor": {"surface_motion": )"
                        R"([{"type": "table", "direction": [1, 0, 0], "velocity_file": "%"}]}}}])",
                        "stages.0.boundaries.floor.surface_motion.0.velocity_file", "rise.csv", "0,0\n1,-5\n");
}

TEST_P(ResumedFiles, TheSurfaceOfAnInlet) {
  expect_content_counts(R"(particles.0={"material": "glass", "radius": 0.002, "inlet": {"rate": 1000, )"
                        R"("region": {"face": {"file": "%", "depth": 0.01}}}})",
                        "particles.0.inlet.region.face.file", "face.obj", square(0.2));
}

TEST_P(ResumedFiles, AShapeThatOnlyAnInletBrings) {
  auto text = resumable_case(GetParam());
  text.insert(text.find("\"particles\""), R"("shapes": { "nut": { "type": "clump", "file": "pair.csv" } }, )");
  const std::string file = R"("file": "spheres.csv", "velocity": [0.2, 0, -0.5] })";
  text.replace(text.find(file), file.size(), file + R"(, { "material": "glass", "shape": "nut", "radius": 0.002,
      "inlet": { "rate": 1000, "region": { "box": [[0.2, 0, 0.05], [0.3, 0.1, 0.1]] } } })");
  write_text(folder_ / "drop.json", text);
  expect_content_counts("shapes.nut.file=%", "shapes.nut.file", "pair.csv", "x,y,z,r\n-1.4,0,0,1.5\n1.4,0,0,1.5\n");
}

/// Checkpoints of older versions do not tell what the files said.
TEST_P(ResumedFiles, ACheckpointThatDoesNotTellIsTakenWithAWarning) {
  const std::string setting =
      R"(boundaries.floor.motion=[{"type": "table", "direction": [0, 0, 1], "position_file": "rise.csv"}])";
  for (const bool with_file : {true, false}) {
    begin(with_file ? std::vector{setting} : std::vector<std::string>{});
    const auto file = folder_ / "out/checkpoints/step_000000300.h5";
    Checkpoint older = read_checkpoint(file);
    EXPECT_EQ(older.files_hash.size(), 16U);
    older.files_hash.clear();
    write_checkpoint(file, older);
    ASSERT_EQ(run(), exit_done);
    EXPECT_EQ(terminal_.str().find("does not tell what was in the file of "
                                   "\"boundaries.floor.motion.0.position_file\"") != std::string::npos,
              with_file)
        << terminal_.str();
  }
}

/// A name that users choose may look like a key of the case.
TEST_P(ResumedFiles, AMaterialOfTheNameFileIsNoFile) {
  std::string text = resumable_case(GetParam());
  for (std::size_t at = text.find("\"glass\""); at != std::string::npos; at = text.find("\"glass\"")) {
    text.replace(at, 7, "\"file\"");
  }
  write_text(folder_ / "drop.json", text);
  begin({});
  arguments_.settings = {"materials.file.friction=0"};
  EXPECT_EQ(run("is another one: materials.file.friction (0.4 there, 0 here)"), exit_bad_input);
}

TEST(CaseFiles, AreThoseThatTheCaseNames) {
  const ScratchFolder folder;
  for (const char* name : {"a.obj", "b.csv", "c.csv", "d.obj", "e.obj"}) { write_text(folder / name, ""); }
  const Case input = parse_case(R"({ "time": { "duration": 1 },
      "materials": { "file": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                               "restitution": 0.8 } },
      "particles": [ { "material": "file", "radius": 0.01,
                       "fill": { "mesh": { "file": "d.obj" }, "count": 1 } } ],
      "boundaries": { "a": { "type": "mesh", "file": "a.obj", "material": "file" },
                      "a.file": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "file",
                                  "motion": [ { "type": "table", "axis": [0, 0, 1], "velocity_file": "b.csv" } ] } },
      "output": { "series": { "every": 1, "probes": {
          "p": { "type": "porosity", "region": { "above": { "box": [[0, 0, 0], [1, 1, 1]], "file": "e.obj" } } } } } }
      })",
                                folder.path());
  using Keys = std::vector<std::string>;
  std::vector<Keys> found;
  for (const CaseFile& file : files_of(input)) { found.push_back(file.keys); }
  EXPECT_EQ(found, (std::vector<Keys>{{"particles", "0", "fill", "mesh", "file"},
                                      {"boundaries", "a", "file"},
                                      {"boundaries", "a.file", "motion", "0", "velocity_file"},
                                      {"output", "series", "probes", "p", "region", "above", "file"}}));
  EXPECT_EQ(files_of(input)[1].name, "a.obj");
  EXPECT_EQ(hashed_files(input), std::vector<std::string>{"boundaries.a.file.motion.0.velocity_file"});
}

}  // namespace scree::test::resumed_files_test
