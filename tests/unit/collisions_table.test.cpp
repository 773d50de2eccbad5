#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/run/exit_code.hpp"
#include "host/scene/build_scene/collisions.hpp"
#include "host/text/csv.hpp"
#include "runs_case.hpp"
#include "series_columns.hpp"

/// collisions.csv, as a run writes and continues it.
namespace scree::test::collisions_table_test {

/// Spheres of two materials in a box without gravity, with `more` of the case.
std::string gas_of(const std::string& more) {
  return R"({ "time": { "duration": 0.04, "step": 1e-5 }, "gravity": [0, 0, 0],
    "materials": { "glass": { "density": 2500, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.3 },
                   "steel, hard": { "density": 7800, "young_modulus": 1e8, "poisson_ratio": 0.3, "friction": 0.3 } },
    "contacts": [ { "between": ["*", "*"], "restitution": 0.8 } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass" },
                    "lid": { "type": "plane", "point": [0, 0, 0.03], "normal": [0, 0, -1], "material": "glass" } },
    "domain": { "periodic": { "size": [0.03, 0.03, 0.03], "axes": ["x", "y"] } },
    "particles": [ { "material": "glass", "radius": 0.002, "velocity": [0.5, 0.3, -2],
                     "lattice": { "type": "simple_cubic", "box": [[0, 0, 0.001], [0.03, 0.03, 0.014]],
                                  "spacing": 0.006 } },
                   { "material": "steel, hard", "radius": 0.002, "velocity": [-0.4, 0.2, 2],
                     "lattice": { "type": "simple_cubic", "box": [[0, 0, 0.016], [0.03, 0.03, 0.029]],
                                  "spacing": 0.006 } } ],
    "output": { "series": { "every": 0.01, "energies": true },
                "collisions": { "every": 0.01, "from": 1e-7, "to": 1e-3, "bins_per_decade": 2 } } )" +
         more + "}";
}

class CollisionsTable : public testing::Test, protected RunsCase {
 protected:
  CollisionsTable() { write_text(folder_ / "drop.json", gas_of("")); }
  struct Row {
    double time = 0, since = 0, from = 0, to = 0, count = 0, lost = 0, speed = 0;
    std::string with, first, second;
  };
  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const std::string& line : lines_of(folder_ / "out/collisions.csv")) {
      const auto cells = csv::row_cells(line);
      if (cells.size() != 11U) {
        ADD_FAILURE() << line;
        continue;
      }
      if (cells[0] == "time[s]") { continue; }
      const auto number = [&](std::size_t k) { return std::strtod(cells[k].c_str(), nullptr); };
      all.push_back(
          {number(0), number(2), number(6), number(7), number(8), number(9), number(10), cells[3], cells[4], cells[5]});
    }
    return all;
  }
};

TEST_F(CollisionsTable, HasRowsByWindowAndClassAndLoss) {
  ASSERT_EQ(run(), exit_done);
  EXPECT_EQ(lines_of(folder_ / "out/collisions.csv").front(),
            "time[s],step,since[s],with,first,second,from[J],to[J],collisions,lost[J],impact_speed[m/s]");
  std::map<std::string, double> by_class;
  double lost = 0, last = 0;
  for (const Row& row : rows()) {
    EXPECT_NEAR(row.time - row.since, 0.01, 1e-12);
    EXPECT_GE(row.time, last);
    last = row.time;
    EXPECT_GT(row.count, 0);
    EXPECT_GE(row.lost, row.from * row.count - 1e-12);
    EXPECT_LE(row.lost, row.to * row.count);
    EXPECT_GE(row.speed, 0);
    EXPECT_LT(row.speed, 10) << "no two bodies are as fast";
    by_class[row.with + "/" + row.first + "/" + row.second] += row.count;
    lost += row.lost;
  }
  EXPECT_EQ(by_class.size(), 5U) << "three pairs of materials, and each material at its own wall";
  EXPECT_GT(by_class["particle/glass/\"steel, hard\""], 50);
  EXPECT_EQ(by_class["boundary/lid/\"steel, hard\""], 50) << "two layers of 25 come to the lid once each";
  // Contacts that touch at the end are missing, so the table has most of the losses, and never more.
  const auto series = columns_of(folder_ / "out/series.csv");
  const double all = series.at("lost_friction[J]").back() + series.at("lost_viscous[J]").back();
  EXPECT_LT(lost, all * (1 + 1e-6));
  EXPECT_GT(lost, 0.8 * all);
}

// A run that is interrupted within a window, at its end, and one step beside goes on to the same table.
TEST_F(CollisionsTable, GoesOnAfterAnInterruption) {
  const std::string expected = whole();
  EXPECT_GT(lines_of(folder_ / "whole/collisions.csv").size(), 20U);
  expect_as_whole_when_interrupted(expected, {1, 999, 1000, 1001, 2500});
}

// The last window of a run may be shorter.
TEST_F(CollisionsTable, EndsWithTheRun) {
  arguments_.settings = {"time.duration=0.025"};
  ASSERT_EQ(run(), exit_done);
  ASSERT_FALSE(rows().empty());
  EXPECT_NEAR(rows().back().time, 0.025, 1e-12);
  EXPECT_NEAR(rows().back().since, 0.02, 1e-12);
  arguments_.resume = true;
  arguments_.settings = {};
  const std::string expected = whole();
  arguments_.resume = true;
  ASSERT_EQ(run(), exit_done);
  expect_as_whole(expected);
}

// A checkpoint without collisions, or with others.
TEST_F(CollisionsTable, MayBeginWithAResumedRun) {
  for (const char* const before : {"output={}", "output.collisions.from=1e-6"}) {
    arguments_.settings = {before};
    arguments_.steps = 1500;
    arguments_.resume = false;
    ASSERT_EQ(run(), exit_done);
    arguments_.settings = {};
    arguments_.steps.reset();
    arguments_.resume = true;
    ASSERT_EQ(run(), exit_done);
    EXPECT_IN("the checkpoint has no collisions by these losses: their counts begin at its step",
              read_text(folder_ / "out/run.log"));
    ASSERT_FALSE(rows().empty());
    EXPECT_NEAR(rows().back().time, 0.04, 1e-12);
    const std::vector<Row> all = rows();
    EXPECT_TRUE(
        std::any_of(all.begin(), all.end(), [](const Row& row) { return std::abs(row.since - 0.015) < 1e-12; }));
  }
}

TEST_F(CollisionsTable, RefusesWhatItCannotCount) {
  const auto refused = [&](const std::string& setting, const std::string& text) {
    arguments_.settings = {setting};
    EXPECT_EQ(run(text), exit_bad_input) << setting;
  };
  refused("output.collisions.to=1e-7", "output.collisions.to: must be larger than from, 1e-07, got 1e-07");
  refused("output.collisions.from=0", "output.collisions.from: must be greater than 0, got 0");
  refused("output.collisions.bins_per_decade=101", "output.collisions.bins_per_decade: must be");
  refused("output.collisions.every=0", "output.collisions.every: must be greater than 0, got 0");
  refused(R"(output.collisions={"every":1,"from":1e-30,"to":1e30,"bins_per_decade":100,"bins":3})",
          "output.collisions.bins");
}

TEST(CollisionLimits, AreRoundedPowers) {
  EXPECT_EQ(collision_limits({1, 1e-6, 1e-5, 5}),
            (std::vector<double>{1e-6, 1.58489e-6, 2.51189e-6, 3.98107e-6, 6.30957e-6, 1e-5}));
  EXPECT_EQ(collision_limits({1, 2e-6, 1e-4, 1}), (std::vector<double>{2e-6, 2e-5, 1e-4})) << "the last is cut off";
  EXPECT_EQ(collision_limits({1, 1e-6, 1.1e-6, 1}), (std::vector<double>{1e-6, 1.1e-6}));
}

TEST(CollisionLimits, AreNotTooMany) {
  Scene scene;
  scene.materials.resize(10);
  scene.boundaries.resize(30);
  scene.collisions = SceneCollisions{std::vector<double>(2815)};
  std::vector<InputProblem> problems;
  check_collisions(scene, problems);
  EXPECT_TRUE(problems.empty()) << "355 classes of 2816 ranges: 999680";
  scene.collisions->limits.resize(2816);
  check_collisions(scene, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].path, "output.collisions");
  EXPECT_IN("counts at most 1000000 kinds of collisions, got 355 pairs of materials and boundaries times 2817",
            problems[0].message);
}

}  // namespace scree::test::collisions_table_test
