#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
  /// The last column of the table.
  std::vector<std::string> kinds() const {
    std::vector<std::string> words;
    for (const std::string& line : lines_of(folder_ / "out/broken_bonds.csv")) {
      words.push_back(line.substr(line.rfind(',') + 1));
    }
    words.erase(words.begin());
    return words;
  }
  /// A pair of spheres along x whose second sphere has this velocity [m/s], and which turn against each other with half
  /// of this relative spin [rad/s] each, until their bond breaks.
  void tear(const std::string& velocity, const std::array<double, 3>& spin, double contribution) {
    const auto half = [&](double sign) {
      const auto part = [&](std::size_t k) { return std::to_string(sign * 0.5 * spin[k]); };
      return "[" + part(0) + ", " + part(1) + ", " + part(2) + "]";
    };
    const std::string all = R"({ "fixed": ["x", "y", "z", "rx", "ry", "rz"], "velocity": )";
    write(R"("groups": { "a": )" + all + R"([0, 0, 0], "angular_velocity": )" + half(-1) + R"( },
                         "b": )" +
          all + velocity + R"(, "angular_velocity": )" + half(1) + R"( } },
             "particles": [ { "material": "mortar", "radius": 0.005, "positions": [[0, 0, 0]], "group": "a" },
                            { "material": "mortar", "radius": 0.005, "positions": [[0.01, 0, 0]], "group": "b" } ])");
    arguments_.settings = {"contacts.0.bond.moment_contribution=" + std::to_string(contribution),
                           R"(contacts.0.rolling={"stiffness":0.4,"twisting_stiffness":0.4})"};
    ASSERT_EQ(run(), exit_done);
    ASSERT_EQ(table()["step"].size(), 1U);
  }
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
  EXPECT_EQ(rows["bending_moment[N m]"][0], 0);
  EXPECT_EQ(rows["twisting_moment[N m]"][0], 0);
  EXPECT_EQ(kinds(), std::vector<std::string>{"tension"});
}

// One bond under each load that can break it, up to the last step before. The limits are those of a beam: M_b R/I for
// the tensile strength, M_t R/J for the cohesion. One step adds K w dt with K = alpha r^2 K_T.
TEST_F(BrokenBonds, WhatBrokeABond) {
  const double radius = 0.005, section = M_PI * radius * radius, shear_stiffness = 0.3 * 1e8 * section / (2 * radius);
  const double stiffness = 0.4 * radius * radius * shear_stiffness;
  const auto is_last_below = [&](const char* column, double most, double step) {
    const double found = table()[column][0];
    EXPECT_LE(found, most) << column;
    EXPECT_GE(found, most - 1.01 * step) << column;
  };
  tear("[0, 0, 0]", {0, 5, 0}, 1);
  is_last_below("bending_moment[N m]", 2e5 * section * radius / 4, stiffness * 5 * 5e-6);
  EXPECT_EQ(table()["twisting_moment[N m]"][0], 0);
  EXPECT_EQ(kinds().front(), "tension");

  tear("[0, 0, 0]", {20, 0, 0}, 1);
  is_last_below("twisting_moment[N m]", 4e5 * section * radius / 2, stiffness * 20 * 5e-6);
  EXPECT_EQ(table()["bending_moment[N m]"][0], 0);
  EXPECT_EQ(kinds().front(), "shear");

  tear("[0, 0, 0.08]", {0, 0, 0}, 1);
  EXPECT_NEAR(table()["shear_force[N]"][0], 4e5 * section, 0.02 * 4e5 * section);  // the pair is pulled a little
  EXPECT_EQ(kinds().front(), "shear");

  // Bent and sheared: bending breaks the bond first, unless moments do not count.
  tear("[0, 0, 0.08]", {0, 10, 0}, 1);
  EXPECT_EQ(kinds().front(), "tension");
  tear("[0, 0, 0.08]", {0, 10, 0}, 0);
  EXPECT_GT(table()["bending_moment[N m]"][0], 2e5 * section * radius / 4);
  EXPECT_EQ(kinds().front(), "shear");
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
  // The series counts the rows by their kind, in the step in which they are written.
  const std::vector<std::string> words = kinds();
  for (const std::string kind : {"tension", "shear", "unclear"}) {
    std::vector<double> expected(series["step"].size());
    for (std::size_t k = 0; k < words.size(); ++k) {
      for (std::size_t s = 0; s < expected.size(); ++s) {
        if (words[k] == kind && series["step"][s] >= steps[k]) { ++expected[s]; }
      }
    }
    EXPECT_EQ(series["broken_" + kind], expected);
  }
  EXPECT_GT(series["broken_tension"].back(), 5);
  EXPECT_GT(series["broken_shear"].back(), 5);
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
