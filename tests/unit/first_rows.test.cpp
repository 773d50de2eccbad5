#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "case_problems.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/run/exit_code.hpp"
#include "host/text/csv.hpp"
#include "start_runs.hpp"

/// Columns of series.csv that depend on more than the engine: the first row of a start, cells with walls, inlets.
namespace scree::test::first_rows_test {

using Rows = std::vector<std::map<std::string, double>>;

Rows rows_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<std::string> names;
  for (const std::string_view name : csv::cells_of(line)) { names.emplace_back(name); }
  Rows rows;
  while (std::getline(in, line)) {
    const auto cells = csv::cells_of(line);
    auto& row = rows.emplace_back();
    for (std::size_t k = 0; k < names.size(); ++k) { row[names[k]] = std::stod(std::string(cells[k])); }
  }
  return rows;
}

class FirstRows : public testing::Test, protected StartRuns {};

TEST_F(FirstRows, OfAStartKnowNoForcesOfItsContacts) {
  write_text(folder_ / "packing.json", packing_case("double"));
  ASSERT_EQ(run("packing.json", "packing"), exit_done) << terminal_.str();
  write_text(
      folder_ / "case.json",
      replaced(started_case("double"), R"("energies": true)",
               R"("energies": true, "probes": { "push": { "type": "boundary_force", "boundaries": ["walls"] } })"));
  ASSERT_EQ(run("case.json", "next"), exit_done) << terminal_.str();
  const Rows rows = rows_of(folder_ / "next/series.csv");
  ASSERT_GT(rows.size(), 2u);
  EXPECT_GT(rows[0].at("contacts"), 0);
  EXPECT_GT(rows[0].at("wall_contacts"), 0);
  for (const char* column :
       {"force_z_walls[N]", "torque_x_walls[N m]", "push_force_z[N]", "push_torque_y[N m]", "elastic[J]"}) {
    EXPECT_TRUE(std::isnan(rows[0].at(column))) << column;
    EXPECT_TRUE(std::isfinite(rows[1].at(column))) << column;
  }
  EXPECT_TRUE(std::isfinite(rows[0].at("kinetic_translation[J]")));
}

TEST_F(FirstRows, OfARunOfItsOwnAreZero) {
  write_text(folder_ / "case.json",
             replaced(packing_case("double"), R"("output": {)", R"("output": { "series": { "every": 0.01 },)"));
  ASSERT_EQ(run("case.json", "own", false, 5), exit_done) << terminal_.str();
  EXPECT_EQ(rows_of(folder_ / "own/series.csv").at(0).at("force_z_walls[N]"), 0);
}

TEST_F(FirstRows, ACellBetweenWallsHasTheVolumeBetweenThem) {
  const std::string slab = R"({ "time": { "duration": 0.01, "step": 1e-5 }, "gravity": [0, 0, 0],
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                          "restitution": 0.5 } },
    "particles": [ { "material": "g", "radius": 2e-3, "positions": [[0.01, 0.01, 0.01], [0.02, 0.02, 0.01]] } ],
    "boundaries": {
      "floor": { "type": "plane", "point": [0, 0, 0.002], "normal": [0, 0, 1], "material": "g" },
      "lid": { "type": "plane", "point": [0, 0, 0.05], "normal": [0, 0, -1], "material": "g",
               "motion": [ { "type": "translation", "velocity": [0.3, 0, -1] } ] } },
    "domain": { "periodic": { "size": [0.04, 0.03, 0.06], "axes": ["x", "y"] } },
    "output": { "series": { "every": 0.005,
                            "probes": { "all": { "type": "porosity", "region": { "cell": {} } } } } } })";
  write_text(folder_ / "slab.json", slab);
  ASSERT_EQ(run("slab.json", "slab"), exit_done) << terminal_.str();
  const Rows rows = rows_of(folder_ / "slab/series.csv");
  ASSERT_EQ(rows.size(), 3u);
  const double solid = 2 * 4.0 / 3.0 * 3.14159265358979323846 * 8e-9;
  for (const auto& row : rows) {
    const double volume = 0.04 * 0.03 * (0.048 - row.at("time[s]"));  // the lid comes down with 1 m/s
    EXPECT_NEAR(row.at("volume[m3]"), volume, 1e-9 * volume);
    EXPECT_NEAR(row.at("void_ratio"), volume / solid - 1, 1e-6 * volume / solid);
    EXPECT_NEAR(row.at("all_porosity"), 1 - solid / volume, 1e-6);
  }
  // Without the lid the size that the case gives counts.
  write_text(folder_ / "open.json",
             replaced(slab, R"([0, 0, 0.05], "normal": [0, 0, -1])", R"([0, 0, -0.05], "normal": [0, 0, 1])"));
  ASSERT_EQ(run("open.json", "open", false, 1), exit_done) << terminal_.str();
  EXPECT_NEAR(rows_of(folder_ / "open/series.csv").at(0).at("volume[m3]"), 7.2e-5, 1e-15);
}

TEST_F(FirstRows, TheStressBetweenWallsIsThatOfTheWalls) {
  constexpr double overlap = 1e-6;  // [m] the branches end in the middle of the overlaps: 2.5e-4 of the height
  write_text(folder_ / "column.json", R"({ "time": { "duration": 1e-4, "step": 1e-6 }, "gravity": [0, 0, 0],
    "precision": "double",
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                          "restitution": 0.5 } },
    "particles": [ { "material": "g", "radius": 2e-3, "positions": [[0.0399, 0.01, 0.001999]] } ],
    "boundaries": {
      "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "g" },
      "lid": { "type": "plane", "point": [0, 0, 0.003998], "normal": [0, 0, -1], "material": "g" } },
    "domain": { "periodic": { "size": [0.04, 0.03, 0.06], "axes": ["x", "y"] } },
    "output": { "series": { "every": 1e-6 } } })");
  ASSERT_EQ(run("column.json", "column", false, 3), exit_done) << terminal_.str();
  const auto row = rows_of(folder_ / "column/series.csv").back();
  const double force = row.at("force_z_lid[N]");
  ASSERT_GT(force, 0);
  EXPECT_NEAR(row.at("force_z_floor[N]"), -force, 1e-9 * force);
  EXPECT_NEAR(row.at("stress_zz[Pa]"), -force / (0.04 * 0.03), 2 * overlap / 0.004 * force / (0.04 * 0.03));
}

TEST_F(FirstRows, NamedInletsHaveColumnsOfTheirOwn) {
  const auto inlet = [](const char* name, const char* flow, const char* x) {
    return std::string(R"({ "material": "g", "radius": 2e-3, "inlet": { )") + name + flow +
           R"(, "velocity": [0, 0, -2], "region": { "box": [[)" + x + R"(, 0, 0.1], [0.1, 0.1, 0.2]] } } })";
  };
  write_text(folder_ / "feeds.json", R"({ "time": { "duration": 0.05, "step": 1e-5 },
    "materials": { "g": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.3, "friction": 0.5,
                          "restitution": 0.5 } },
    "particles": [ )" + inlet(R"("name": "a",)", R"("rate": 400)", "0") +
                                         ", " + inlet("", R"("rate": 200)", "0.01") + ", " +
                                         inlet(R"("name": "b",)", R"("mass_flow": 0.02)", "0") + R"( ],
    "output": { "series": { "every": 0.01 }, "checkpoints": { "every": 0.02 } } })");
  ASSERT_EQ(run("feeds.json", "whole"), exit_done) << terminal_.str();
  const Rows rows = rows_of(folder_ / "whole/series.csv");
  const double mass = 2500 * 4.0 / 3.0 * 3.14159265358979323846 * 8e-9;
  const auto& last = rows.back();
  EXPECT_EQ(last.at("inserted_a"), 20);
  EXPECT_EQ(last.at("inserted_b"), std::floor(0.02 * 0.05 / mass));
  EXPECT_EQ(last.at("inserted"), 20 + 10 + last.at("inserted_b"));
  EXPECT_NEAR(last.at("inserted_mass_a[kg]"), 20 * mass, 1e-12);
  EXPECT_NEAR(last.at("inserted_mass_b[kg]"), last.at("inserted_b") * mass, 1e-12);
  ASSERT_EQ(run("feeds.json", "parts", false, 3000), exit_done) << terminal_.str();
  ASSERT_EQ(run("feeds.json", "parts", true), exit_done) << terminal_.str();
  auto resumed = rows_of(folder_ / "parts/series.csv").back(), whole = last;
  resumed.erase("critical_step[s]"), whole.erase("critical_step[s]");  // nan: nothing touches
  EXPECT_EQ(resumed, whole) << "a resumed run counts on";
}

}  // namespace scree::test::first_rows_test
