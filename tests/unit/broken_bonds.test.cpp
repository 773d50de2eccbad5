#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "runs_case.hpp"
#include "series_columns.hpp"

/// broken_bonds.csv, as a run writes and continues it.
namespace scree::test::broken_bonds_test {

/// A case with `more` of particles, boundaries and domain; bonds of 2e5 Pa in tension.
std::string bonded_case(const std::string& more) {
  return R"({ "time": { "duration": 0.003, "step": 5e-6 }, "precision": "double", "gravity": [0, 0, 0],
    "materials": { "mortar": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.5 } },
    "contacts": [ { "between": ["mortar", "mortar"], "law": "bonded",
                    "bond": { "tensile_strength": 2e5, "cohesion": 4e5, "interaction_range": 1.1 } } ],
    "output": { "series": { "every": 5e-6 }, "broken_bonds": { "every": 5e-6 } }, )" +
         more + "}";
}

class BrokenBonds : public testing::Test, protected RunsCase {
 protected:
  void write(const std::string& more) { write_text(folder_ / "drop.json", bonded_case(more)); }
  std::map<std::string, std::vector<double>> table() const { return columns_of(folder_ / "out/broken_bonds.csv"); }
};

// Two spheres that move apart at a given speed: the force on the bond is known when it breaks.
TEST_F(BrokenBonds, APairThatIsPulledApart) {
  write(R"("groups": { "a": { "fixed": ["x", "y", "z"] },
                       "b": { "fixed": ["x", "y", "z"], "velocity": [0.02, 0, 0] } },
           "particles": [ { "material": "mortar", "radius": 0.005, "positions": [[0, 0, 0]], "group": "a" },
                          { "material": "mortar", "radius": 0.005, "positions": [[0.01, 0, 0]], "group": "b" } ])");
  ASSERT_EQ(run(), exit_done);
  EXPECT_IN("\nbonds       1 at the start\n", read_text(folder_ / "out/run.log"));
  auto rows = table();
  ASSERT_EQ(rows["step"].size(), 1U);
  EXPECT_EQ(rows["first"][0], 0);
  EXPECT_EQ(rows["second"][0], 1);
  // Tensile strength times the section A = pi r^2; K = E A / (2 r). One step pulls by K v dt more.
  const double section = M_PI * 0.005 * 0.005, most = 2e5 * section, rate = 1e8 * section / 0.01 * 0.02;
  const double step = rate * 5e-6;
  EXPECT_LE(rows["normal_force[N]"][0], -most + 1.01 * step);
  EXPECT_GE(rows["normal_force[N]"][0], -most);
  EXPECT_NEAR(rows["shear_force[N]"][0], 0, 1e-12);
  EXPECT_NEAR(rows["time[s]"][0], most / rate, 3 * 5e-6);
  EXPECT_EQ(rows["normal_x"][0], 1);
  EXPECT_NEAR(rows["x[m]"][0], 0.005, 0.02 * 0.003);
  EXPECT_EQ(rows["z[m]"][0], 0);
}

const std::string block = R"("boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1],
                                                       "material": "mortar" } },
  "domain": { "outlets": { "side": { "point": [0.02, 0, 0], "normal": [1, 0, 0] } } },
  "particles": [ { "material": "mortar", "radius": 0.0025, "velocity": [4, 0.5, -6],
                   "lattice": { "type": "face_centred", "box": [[-0.008, -0.008, 0.001], [0.008, 0.008, 0.02]],
                                "spacing": 0.0051 } } ])";

// With a look at each step no break is missed, and bonds that leave with their bodies do not count.
TEST_F(BrokenBonds, AllBreaksOfABlockThatHitsAFloor) {
  write(block);
  ASSERT_EQ(run(), exit_done);
  auto rows = table(), series = columns_of(folder_ / "out/series.csv");
  const double broken = series["broken_bonds"].back();
  EXPECT_GT(broken, 20);
  EXPECT_EQ(static_cast<double>(rows["step"].size()), broken);
  std::set<std::pair<double, double>> pairs;
  std::pair<double, double> last{-1, -1};
  for (std::size_t k = 0; k < rows["step"].size(); ++k) {
    const std::pair order{rows["step"][k], rows["first"][k]};
    EXPECT_LE(last, order);
    last = order;
    EXPECT_LT(rows["first"][k], rows["second"][k]);
    EXPECT_TRUE(pairs.insert({rows["first"][k], rows["second"][k]}).second) << "a bond breaks once";
    const double n = std::hypot(rows["normal_x"][k], rows["normal_y"][k], rows["normal_z"][k]);
    EXPECT_NEAR(n, 1, 1e-12);
    EXPECT_GE(rows["shear_force[N]"][k], 0);
  }
  // Rows of a step count what the series gained in it.
  const auto& steps = rows["step"];
  for (std::size_t k = 1; k < series["step"].size(); ++k) {
    const auto n = std::count(steps.begin(), steps.end(), series["step"][k]);
    EXPECT_EQ(series["broken_bonds"][k] - series["broken_bonds"][k - 1], static_cast<double>(n)) << series["step"][k];
  }
}

// A run that is interrupted between two looks, at one, and before the first goes on to the same table. Bonds break
// between the looks at steps 280 and 300, both before and after the interruption at step 287 or 293.
TEST_F(BrokenBonds, GoOnAfterAnInterruption) {
  write(block);
  arguments_.settings = {"output.broken_bonds.every=1e-4"};
  const std::string expected = whole();
  EXPECT_GT(lines_of(folder_ / "whole/broken_bonds.csv").size(), 10U);
  expect_as_whole_when_interrupted(expected, {1, 250, 280, 287, 293});
}

TEST_F(BrokenBonds, NeedALawWithBonds) {
  write(block);
  arguments_.settings = {R"(contacts=[{"between":["*","*"],"law":"hertz_mindlin","restitution":0.5}])"};
  EXPECT_EQ(run("output.broken_bonds: needs a law that makes bonds, such as \"bonded\""), exit_bad_input);
}

}  // namespace scree::test::broken_bonds_test
