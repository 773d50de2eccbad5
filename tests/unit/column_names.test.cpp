#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "case_errors.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

/// Names of columns in series.csv that come from names of the case.
namespace scree::test::column_names_test {

const std::string steel = R"({ "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4,
                               "restitution": 0.4 })";

/// A sphere above a floor, with these values of `domain` and of `output.series`.
Case case_with(const std::string& domain, const std::string& probes, const std::vector<std::string>& settings = {}) {
  return parse_case(R"({ "time": { "duration": 0.1, "step": 1e-5 }, "materials": { "steel": )" + steel + R"( },
    "particles": [ { "material": "steel", "radius": 0.01, "positions": [[0.05, 0.05, 0.05]] } ],
    "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel" } },
    "domain": { )" + domain +
                        R"( }, "output": { "series": { "every": 0.01, "probes": { )" + probes + " } } } }",
                    ".", settings);
}

/// All problems of the case; empty if there are none.
std::string problems_of(const Case& input) {
  try {
    SceneReport report;
    static_cast<void>(build_scene(input, report));
  } catch (const CaseError& error) {
    std::string all;
    for (const InputProblem& problem : error.problems()) { all += problem.text() + "\n"; }
    return all;
  }
  return "";
}

/// The one problem of a case in which `changed` makes the column of `kept`.
std::string second(const std::string& changed, const std::string& column, const std::string& kept) {
  return changed + ": makes a second column \"" + column + "\" in series.csv, beside that of " + kept +
         "; choose another name\n";
}

const std::string flow = R"({ "type": "flow", "plane": { "point": [0, 0, 0.02], "normal": [0, 0, -1] } })";
const std::string low = R"({ "point": [0, 0, -0.1], "normal": [0, 0, -1] })";

TEST(ColumnNames, OfAProbeMayNotBeThoseOfTheCell) {
  const std::string cell = R"("periodic": { "size": [0.1, 0.1, 0.1] })", all = R"("region": { "cell": {} })";
  const std::vector<std::string> no_floor{"boundaries={}", "gravity=[0,0,0]"};
  const std::string probes = R"("stress": { "type": "stress", )" + all + R"( },
                                "coordination": { "type": "coordination" })";
  EXPECT_EQ(problems_of(case_with(cell, probes, no_floor)),
            second("output.series.probes.stress", "stress_kinetic_xx", "the run itself") +
                second("output.series.probes.coordination", "coordination_mechanical", "the run itself"))
      << "one problem for each probe";
  EXPECT_EQ(problems_of(case_with("", R"("coordination": { "type": "coordination" })")), "") << "there is no cell";
}

TEST(ColumnNames, OfAProbeMayNotBeThoseOfAnOutletOrOfAnotherProbe) {
  const std::string probe = "output.series.probes.removed";
  EXPECT_EQ(problems_of(case_with("\"outlets\": { \"count\": " + low + " }", "\"removed\": " + flow)),
            second(probe, "removed_count", "domain.outlets.count"));
  EXPECT_EQ(
      problems_of(case_with(R"("delete_in": { "count": { "box": [[0, 0, 0], [1, 1, 1]] } })", "\"removed\": " + flow)),
      second(probe, "removed_count", "domain.delete_in.count"));
  EXPECT_EQ(problems_of(case_with("", R"("a": { "type": "mixing", "of": { "materials": ["steel"] }, "sample": 0.1 },
                                         "a_segregation": { "type": "size_segregation" })")),
            second("output.series.probes.a_segregation", "a_segregation_x", "output.series.probes.a"));
  EXPECT_EQ(problems_of(case_with("\"outlets\": { \"count\": " + low + " }", "\"removed\": " + flow, {"output={}"})),
            "")
      << "there is no series";
}

// The number of particles of one and the mass [kg] of the other: a unit is no part of a name.
TEST(ColumnNames, OfOutletsAndInletsDifferWithoutUnits) {
  EXPECT_EQ(problems_of(case_with("\"outlets\": { \"a\": " + low + ", \"mass_a\": " + low + " }", "")),
            second("domain.outlets.mass_a", "removed_mass_a", "domain.outlets.a"));
  EXPECT_EQ(problems_of(case_with("\"outlets\": { \"mass_outside\": " + low +
                                      R"( }, "remove_outside": { "box": [[-1, -1, -1], [1, 1, 1]] })",
                                  "")),
            second("domain.outlets.mass_outside", "removed_mass_outside", "the run itself"));
  const auto inlet = [](const std::string& name) {
    return R"({ "material": "steel", "radius": 0.001, "inlet": { "name": ")" + name + R"(", "rate": 100,
                "region": { "box": [[0, 0, 0.02], [0.1, 0.1, 0.1]] } } })";
  };
  EXPECT_EQ(problems_of(case_with("", "", {"particles=[" + inlet("mass_a") + "," + inlet("a") + "]"})),
            second("particles.1.inlet.name", "inserted_mass_a", "particles.0.inlet.name"));
}

TEST(ColumnNames, OfABoundaryMayNotBeThoseOfTheLedger) {
  const std::string floor = R"(boundaries={"gravity":{"type":"plane","point":[0,0,0],"normal":[0,0,1],)"
                            R"("material":"steel"}})";
  EXPECT_EQ(problems_of(case_with("", "", {floor})), "") << "there is no ledger";
  EXPECT_EQ(problems_of(case_with("", "", {floor, "output.series.energies=true"})),
            second("boundaries.gravity", "work_gravity", "the run itself"));
}

}  // namespace scree::test::column_names_test
