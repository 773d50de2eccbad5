#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "resume_command.hpp"

/// Probes that remember something go on from a checkpoint only where they are the same.
namespace scree::test::resumed_probes_test {

class ResumedProbes : public ResumeCommand {
 protected:
  static std::string probe(const std::string& keys) { return R"(output.series.probes={"p": )" + keys + "}"; }
  static std::string flow(const std::string& height) {
    return probe(R"({"type": "flow", "plane": {"point": [0, 0, )" + height + R"(], "normal": [0, 0, -1]}})");
  }
  static std::string porosity(const std::string& region) {
    return probe(R"({"type": "porosity", "sample_every": 2e-5, "region": {)" + region + "}}");
  }
  void begin(const std::string& setting) {
    arguments_.settings = {setting};
    arguments_.resume = false;
    arguments_.steps = 690;  // no multiple of the 35 steps between two rows
    ASSERT_EQ(run(), exit_done);
    arguments_.steps.reset();
    arguments_.resume = true;
  }
  void go_on(const std::string& setting) {
    arguments_.settings = {setting};
    ASSERT_EQ(run(), exit_done);
  }
  [[nodiscard]] bool began_anew() const {
    return terminal_.str().find("the checkpoint knows nothing of the probe \"p\"") != std::string::npos;
  }
  /// Values of a column of the series by its name.
  std::vector<std::string> column(const std::string& name) const {
    const auto split = [](const std::string& line) {
      std::vector<std::string> words(1);
      for (const char c : line) {
        if (c == ',') {
          words.emplace_back();
        } else {
          words.back() += c;
        }
      }
      return words;
    };
    const auto lines = lines_of(folder_ / "out/series.csv");
    const auto names = split(lines.front());
    const auto at = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    std::vector<std::string> values;
    for (std::size_t k = 1; k < lines.size(); ++k) { values.push_back(split(lines[k]).at(at)); }
    return values;
  }
};
INSTANTIATE_TEST_SUITE_P(Precisions, ResumedProbes, testing::Values("mixed"));

TEST_P(ResumedProbes, AFlowThroughAnotherPlaneIsCountedFromTheCheckpointOn) {
  begin(flow("0.029"));
  EXPECT_EQ(column("p_count").back(), "1") << "a sphere has fallen through";
  go_on(flow("0.029"));
  EXPECT_FALSE(began_anew());
  EXPECT_EQ(column("p_count").back(), "1");
  begin(flow("0.029"));
  go_on(flow("-1"));
  EXPECT_TRUE(began_anew()) << terminal_.str();
  EXPECT_EQ(column("p_count").back(), "0") << "nothing was there";
}

TEST_P(ResumedProbes, ThePowerOfABoundaryGoesOn) {
  arguments_.resume = false;
  ASSERT_EQ(run(), exit_done);
  const std::vector<std::string> whole = column("power_floor[W]");
  EXPECT_EQ(whole.front(), "nan");
  EXPECT_NE(whole.at(1), "0") << "a sphere touches the floor from the start, for 2.7 ms";
  begin("title=again");
  go_on("title=again");
  EXPECT_EQ(column("power_floor[W]"), whole);
}

TEST_P(ResumedProbes, AFlowOverAWindowGoesOn) {
  const std::string setting = probe(R"({"type": "flow", "plane": {"point": [0, 0, 0.029], "normal": [0, 0, -1]}, )"
                                    R"("window": 0.0014, "sample_every": 1e-4})");
  arguments_.settings = {setting};
  ASSERT_EQ(run(), exit_done);
  const std::vector<std::string> whole = column("p_rate[kg/s]");
  EXPECT_EQ(whole.at(1), "nan");
  EXPECT_TRUE(std::any_of(whole.begin() + 2, whole.end(), [](const std::string& rate) { return rate != "0"; }));
  begin(setting);
  go_on(setting);
  EXPECT_FALSE(began_anew());
  EXPECT_EQ(column("p_rate[kg/s]"), whole);
}

TEST_P(ResumedProbes, AMeanOverAnotherRegionBeginsAnew) {
  const std::string all = R"("box": [[-1, -1, -1], [1, 1, 1]])";
  begin(porosity(all));
  go_on(porosity(R"("box": [[-1, -1, 1], [1, 1, 2]])"));
  EXPECT_TRUE(began_anew()) << terminal_.str();
  EXPECT_EQ(column("p_particles").back(), "0");
  const auto row = 690 / 35 + 1;  // the one whose samples began before the checkpoint
  EXPECT_EQ(column("p_particles").at(row), "0");
  EXPECT_EQ(column("p_particles").at(row - 1), "4");
}

/// The surface of a region may lie in a file, which may move.
TEST_P(ResumedProbes, TheRegionOfAMeshIsWhatItsFileSays) {
  const auto tetrahedron = [](double size) {
    const std::string e = std::to_string(size), m = std::to_string(-size);
    return "v " + m + " " + m + " " + m + "\nv " + e + " 0 0\nv 0 " + e + " 0\nv 0 0 " + e +
           "\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  };
  write_text(folder_ / "a.obj", tetrahedron(1));
  write_text(folder_ / "b.obj", tetrahedron(1));
  begin(porosity(R"("mesh": {"file": "a.obj"})"));
  go_on(porosity(R"("mesh": {"file": "b.obj"})"));
  EXPECT_FALSE(began_anew());
  begin(porosity(R"("mesh": {"file": "a.obj"})"));
  write_text(folder_ / "a.obj", tetrahedron(2));
  go_on(porosity(R"("mesh": {"file": "a.obj"})"));
  EXPECT_TRUE(began_anew()) << terminal_.str();
}

TEST_P(ResumedProbes, ThatSeeOtherParticlesBeginAnew) {
  const std::string region = R"("region": {"box": [[-1, -1, -1], [1, 1, 1]]})";
  begin(probe(R"({"type": "porosity", "sample_every": 2e-5, )" + region + "}"));
  go_on(probe(R"({"type": "porosity", "sample_every": 2e-5, "materials": ["glass"], )" + region + "}"));
  EXPECT_TRUE(began_anew()) << terminal_.str();
}

/// More sampled probes than checkpoints could once hold.
TEST_P(ResumedProbes, VeryManyOfThem) {
  std::string probes;
  for (int k = 0; k < 1800; ++k) {
    probes += (k > 0 ? ", \"" : "\"") + std::to_string(k) + R"(": {"type": "coordination", "sample_every": 1})";
  }
  begin("output.series.probes={" + probes + "}");
  ASSERT_EQ(run(), exit_done);
}

}  // namespace scree::test::resumed_probes_test
