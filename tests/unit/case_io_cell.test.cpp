#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/run/cell_text.hpp"
#include "host/scene/build_scene/cell.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

namespace scree::test::case_io_cell_test {

using List = std::vector<std::string>;

const std::string base = R"({
  "time": { "duration": 1, "step": 1e-3 }, "gravity": [0, 0, 0],
  "materials": {
    "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0, "restitution": 1 } },
  "particles": [
    { "material": "m", "radius": 0.1, "group": "lid",
      "lattice": { "box": [[0, 0, 0], [0.25, 0.25, 0.25]], "spacing": 0.25 } } ],
  "groups": { "lid": { "damping": 0.1 } },
  "domain": {
    "periodic": { "size": [1, 1.5, 2], "origin": [0, 0, -1] },
    "control": [
      { "name": "consolidation", "xx": { "stress": -1e5 }, "yy": { "stress": [[0, -1e4], [1, -1e5]] },
        "zz": { "strain_rate": -0.1 }, "xy": { "strain": 0.1 }, "inertial_number": 1e-4,
        "until": { "duration": 2, "strain": { "zz": 0.2 }, "stress_error": 0.01, "unbalanced_force": 0.02 } },
      { "xz": { "strain_rate": 0.1, "reverse_at_stress": 2e4 }, "yz": { "follows": { "xz": 0.5 } },
        "until": { "reversals": 3 } } ] }
})";

List problems_with(const List& settings) {
  List texts;
  try {
    SceneReport report;
    (void)build_scene(parse_case(base, "/nowhere", settings), report);
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) texts.push_back(problem.text());
  }
  return texts;
}
std::string problem_with(const List& settings) {
  const List all = problems_with(settings);
  EXPECT_EQ(all.size(), 1U) << testing::PrintToString(all);
  return all.empty() ? "" : all.front();
}

PeriodicCell cell_with(const List& settings) {
  SceneReport report;
  return build_scene(parse_case(base, "/nowhere", settings), report).cell.value();
}

TEST(CellCase, GravityThatNothingBearsIsWarnedOf) {
  const auto warnings = [](const List& settings) {
    SceneReport report;
    (void)build_scene(parse_case(base, "/nowhere", settings), report);
    std::string all;
    for (const std::string& warning : report.warnings) all += warning + "\n";
    return all;
  };
  EXPECT_IN("gravity: nothing carries", warnings({"gravity=[0, 0, -9.81]"}));
  for (const List& fine : {List{}, List{"gravity=[0, 0, -9.81]", "groups.lid.fixed=[\"z\"]"},
                           List{"gravity=[0, 0, -9.81]", "integration.viscous_damping=1"},
                           List{"gravity=[0, 0, -9.81]", "domain.control=[]", "groups.lid.damping=0",
                                R"(fluid={"density": 1000, "viscosity": 1e-3})"},
                           List{"gravity=[0, 0, -9.81]", "domain.control=[]", "domain.periodic.axes=[\"x\", \"y\"]"}}) {
    EXPECT_EQ(warnings(fine).find("gravity"), std::string::npos);
  }
}

TEST(CellCase, ResolvesToTheScene) {
  const PeriodicCell cell = cell_with({});
  EXPECT_EQ(cell.edges, (Matrix3{{{1, 0, 0}, {0, 1.5, 0}, {0, 0, 2}}}));
  EXPECT_EQ(cell.origin, (Real3{0, 0, -1}));
  EXPECT_EQ(cell.periodic, (std::array{true, true, true}));
  EXPECT_EQ(cell.velocity_gradient, Matrix3{});
  ASSERT_EQ(cell.stages.size(), 2U);
  const CellStage& first = cell.stages[0];
  EXPECT_EQ(first.name, "consolidation");
  EXPECT_EQ(first.goals[0].kind, CellGoal::Kind::stress);
  EXPECT_EQ(first.goals[0].table, (TimeTable{{0, -1e5}}));
  EXPECT_EQ(first.goals[1].table, (TimeTable{{0, -1e4}, {1, -1e5}}));
  EXPECT_EQ(first.goals[2].kind, CellGoal::Kind::strain_rate);
  EXPECT_EQ(first.goals[2].table, (TimeTable{{0, -0.1}}));
  EXPECT_EQ(first.goals[3].table, (TimeTable{{0, 0}})) << "left out: at rest";
  EXPECT_EQ(first.goals[5].kind, CellGoal::Kind::strain);
  EXPECT_EQ(first.inertial_number, 1e-4);
  EXPECT_EQ(first.duration, 2);
  EXPECT_EQ(first.strain, (std::array<double, 6>{0, 0, 0.2, 0, 0, 0}));
  EXPECT_EQ(first.stress_error, 0.01);
  EXPECT_EQ(first.unbalanced_force, 0.02);
  const CellStage& second = cell.stages[1];
  EXPECT_EQ(second.name, "stage 1") << "by its number, from 0";
  EXPECT_EQ(second.goals[4].reverse_at_stress, 2e4) << "xz is the fifth component";
  EXPECT_EQ(second.goals[3].kind, CellGoal::Kind::follows);
  EXPECT_EQ(second.goals[3].follows, (CellTensor{0, 0, 0, 0, 0.5, 0}));
  EXPECT_EQ(second.reversals, 3U);
  EXPECT_EQ(second.duration, std::numeric_limits<double>::infinity());
  EXPECT_EQ(second.inertial_number, 1e-3);
}

TEST(CellCase, TakesAnyParallelepipedAndGradient) {
  const PeriodicCell cell = cell_with({R"(domain={"periodic":{"edges":[[1,0,0],[0.2,1,0],[0.1,0.3,1]]},)"
                                       R"("velocity_gradient":[[0,0.1,0],[0,0,0],[0.2,0,0]]})"});
  EXPECT_EQ(cell.edges[2], (Real3{0.1, 0.3, 1}));
  EXPECT_EQ(cell.velocity_gradient[0][1], 0.1);
  EXPECT_EQ(cell.velocity_gradient[2][0], 0.2);
  EXPECT_TRUE(cell.stages.empty());
  const geometry::CellFrame frame(cell);
  EXPECT_NEAR(frame.volume(), 1, 1e-15);
  // The width between the faces that a and b span. The x-component of c does not count.
  EXPECT_NEAR(frame.width(2), 1, 1e-15);
  // Rows of the inverse of the matrix with columns a, b, c, worked out by hand: (1, -0.2, -0.04).
  EXPECT_NEAR(frame.width(0), 1 / std::sqrt(1 + 0.04 + 0.0016), 1e-15);
}

TEST(CellCase, MayRepeatAlongSomeAxes) {
  const PeriodicCell cell = cell_with({R"(domain={"periodic":{"size":[1,1.2,9],"axes":["y","x"]},)"
                                       R"("velocity_gradient":[[0,0.1,0],[0,0,0],[0,0,0]]})"});
  EXPECT_EQ(cell.periodic, (std::array{true, true, false}));
  EXPECT_TRUE(problems_with({R"(domain={"periodic":{"size":[1,1,0.1],"axes":["x","y"]}})"}).empty())
      << "no width is needed along z";
}

TEST(CellCase, WritesAndReadsBackTheSame) {
  const std::string once = write_case(parse_case(base, "/nowhere"));
  EXPECT_EQ(write_case(parse_case(once, "/nowhere")), once);
  EXPECT_IN(R"("stress": [[0, -10000], [1, -1e+05]])", once);
  EXPECT_IN(R"("xx": {)", once);
  EXPECT_IN(R"("reverse_at_stress": 20000)", once);
  EXPECT_IN(R"("axes": ["x", "y", "z"])", once);
  const List other = {
      R"(domain={"periodic":{"edges":[[1,0,0],[0,1,0],[0,0,1]]},"velocity_gradient":[[0,1,0],[0,0,0],[0,0,0]]})",
      R"(particles=[{"material":"m","radius":0.1,"fill":{"cell":{},"count":3}}])", "groups={}"};
  const std::string sheared = write_case(parse_case(base, "/nowhere", other));
  EXPECT_IN(R"("cell": {})", sheared);
  EXPECT_EQ(write_case(parse_case(sheared, "/nowhere")), sheared);
}

TEST(CellCase, WrongCellsAreRefused) {
  EXPECT_EQ(problem_with({R"(domain.periodic.axes=["x","y","x"])", "domain.control=[]"}),
            "domain.periodic.axes.2: \"x\" is listed twice");
  EXPECT_EQ(problem_with({R"(domain.periodic.axes=[])"}), "domain.periodic.axes: must have at least 1 entry, got 0");
  EXPECT_EQ(problem_with({R"(domain.periodic.axes=["w"])"}),
            "domain.periodic.axes.0: unknown word \"w\"; known are \"x\", \"y\", \"z\"");
  EXPECT_EQ(problem_with({R"(domain.periodic={})"}),
            "domain.periodic: must have exactly one of \"size\", \"edges\", got none");
  EXPECT_EQ(problem_with({R"(domain.periodic.edges=[[1,0,0],[0,1,0],[0,0,1]])"}),
            "domain.periodic: must have exactly one of \"size\", \"edges\", got \"size\", \"edges\"");
  EXPECT_EQ(problem_with({"domain.periodic.size=[1,0,2]"}), "domain.periodic.size.1: must be greater than 0, got 0");
  const auto edges = [](const std::string& rows) {
    return problem_with({R"(domain.periodic={"edges":)" + rows + "}"});
  };
  EXPECT_EQ(edges("[[1,0,0],[0,1,0]]"), "domain.periodic.edges: must be a list of 3 lists, got 2");
  EXPECT_EQ(edges("[[1,0,0],[0,0,1],[0,1,0]]"),
            "domain.periodic.edges: are left-handed: exchange two of them, or turn one round");
  EXPECT_EQ(edges("[[1,0,0],[0,1,0],[1,1,0]]"),
            "domain.periodic.edges: enclose no volume: they must be three vectors that do not lie in one plane");
  EXPECT_IN("domain.periodic.edges: are possible only where the cell repeats along x, y and z; give \"size\"",
            problem_with({R"(domain.periodic={"edges":[[1,0,0],[0,1,0],[0,0,1]],"axes":["x"]})", "domain.control=[]"}));
}

TEST(CellCase, OnlyAPeriodicCellDeforms) {
  EXPECT_EQ(problem_with({R"(domain={"control":[{"xx":{"stress":-1}}]})"}),
            "domain.control: needs \"periodic\", the cell that it deforms");
  EXPECT_EQ(problem_with({R"(domain={"velocity_gradient":[[0,1,0],[0,0,0],[0,0,0]]})"}),
            "domain.velocity_gradient: needs \"periodic\", the cell that it deforms");
  EXPECT_EQ(problem_with({"domain.velocity_gradient=[[0,1,0],[0,0,0],[0,0,0]]"}),
            "domain.velocity_gradient: is not allowed with \"control\", whose stages give it");
  EXPECT_EQ(problem_with({R"(domain={"periodic":{"size":[1,1,1],"axes":["x","z"]},)"
                          R"("velocity_gradient":[[0,0.1,0],[0,0,0],[0,0,0]]})"}),
            "domain.velocity_gradient.0.1: must be 0, since the cell does not repeat along y, got 0.1");
  EXPECT_EQ(problem_with({R"(domain={"periodic":{"size":[1,1,1],"axes":["x","z"]},)"
                          R"("control":[{"xx":{"stress":-1},"yz":{"strain":1}}]})"}),
            "domain.control.0.yz: is not possible, since the cell does not repeat along y");
  EXPECT_EQ(problem_with({R"(groups.lid={"fixed":["x","y","z","rx","ry","rz"],"rotation":{"axis":[0,0,1],"rate":1}})"}),
            "groups.lid.rotation: is not possible in a cell that deforms");
  EXPECT_TRUE(
      problems_with({R"(groups.lid={"fixed":["x","y","z","rx","ry","rz"],"rotation":{"axis":[0,0,1],"rate":1}})",
                     "domain.control=[]"})
          .empty());
  EXPECT_EQ(problem_with(
                {R"(particles=[{"material":"m","radius":0.1,"inlet":{"rate":1,"region":{"box":[[0,0,0],[1,1,1]]}}}])",
                 "groups={}"}),
            "particles.0.inlet: is not possible in a cell that deforms");
}

TEST(CellCase, RegionsAreTheCellOnlyWhereThereIsOne) {
  const std::string fill = R"(particles=[{"material":"m","radius":0.1,"fill":{"cell":{},"count":3}}])";
  EXPECT_EQ(problem_with({fill, "groups={}", "domain={}"}),
            "particles.0.fill.cell: needs \"domain.periodic\", which defines the cell");
  EXPECT_EQ(
      problem_with({"domain={}", R"(output.series={"every":1,"probes":{"p":{"type":"stress","region":{"cell":{}}}}})"}),
      "output.series.probes.p.region.cell: needs \"domain.periodic\", which defines the cell");
  EXPECT_EQ(problem_with({"domain={}", R"(output.frames={"every":1,"fields":["radius","image"]})"}),
            "output.frames.fields.1: needs \"domain.periodic\", which defines the cell");
  EXPECT_NO_THROW((void)parse_case(base, "/nowhere", {fill, "groups={}"}));
  EXPECT_IN("particles.0.fill.cell.size: unknown key", error_of([] {
              (void)parse_case(base, "/nowhere",
                               {R"(particles.0={"material":"m","radius":1,"fill":{"cell":{"size":1},"count":3}})"});
            }));
}

TEST(CellCase, WrongStagesAreRefused) {
  const auto stage = [](const std::string& text) { return problem_with({"domain.control=[" + text + "]"}); };
  const std::string here = "domain.control.0.";
  EXPECT_EQ(
      stage(R"({"xx":{"strain":1,"stress":2}})"),
      here + R"(xx: must have exactly one of "strain_rate", "strain", "stress", "follows", got "strain", "stress")");
  EXPECT_EQ(stage(R"({"xx":{}})"),
            here + R"(xx: must have exactly one of "strain_rate", "strain", "stress", "follows", got none)");
  EXPECT_EQ(stage(R"({"xx":{"stress":-1,"reverse_at_stress":1}})"),
            here + R"(xx.reverse_at_stress: needs "strain_rate", of which it changes the sign)");
  EXPECT_EQ(stage(R"({"xx":{"strain_rate":0,"reverse_at_stress":1}})"),
            here + "xx.reverse_at_stress: has no effect, since the strain rate is 0");
  EXPECT_EQ(stage(R"({"xx":{"stress":"high"}})"), here + R"(xx.stress: must be a number or a list, got "high")");
  EXPECT_EQ(stage(R"({"xx":{"stress":{}}})"), here + "xx.stress: must be a number or a list, got an object");
  EXPECT_EQ(stage(R"({"xx":{"stress":[]}})"), here + "xx.stress: must have at least 1 entry, got 0");
  EXPECT_EQ(stage(R"({"xx":{"stress":[[0,1],[0,2]]}})"),
            here + "xx.stress.1.0: must be greater than the time before, 0, got 0");
  EXPECT_EQ(stage(R"({"xx":{"stress":[[-1,1]]}})"), here + "xx.stress.0.0: must be at least 0, got -1");
  EXPECT_EQ(stage(R"({"inertial_number":0})"), here + "inertial_number: must be greater than 0, got 0");
  EXPECT_EQ(
      stage(R"({"until":{}})"),
      here +
          R"(until: must have at least one of "duration", "strain", "stress", "reversals", "stress_error", "unbalanced_force", )"
          R"("void_ratio", "solid_fraction")");
  EXPECT_EQ(stage(R"({"xx":{"follows":{}}})"),
            here + "xx.follows: must have at least one of \"xx\", \"yy\", \"zz\", \"yz\", \"xz\", \"xy\"");
  EXPECT_EQ(stage(R"({"xx":{"follows":{"xx":1}}})"),
            here + "xx.follows.xx: is the component itself; it can follow only others");
  EXPECT_EQ(stage(R"({"xx":{"follows":{"zz":1}}})"),
            here + "xx.follows.zz: has no control, so there is nothing to follow");
  EXPECT_EQ(stage(R"({"xx":{"follows":{"yy":1}},"yy":{"follows":{"zz":1}},"zz":{"strain_rate":1}})"),
            here + "xx.follows.yy: follows others itself; name those here");
  EXPECT_EQ(stage(R"({"xx":{"strain_rate":1},"until":{"reversals":2}})"),
            here + "until.reversals: needs a component with \"reverse_at_stress\"");
  EXPECT_EQ(stage(R"({"until":{"strain":{}}})"),
            here + "until.strain: must have at least one of \"xx\", \"yy\", \"zz\", \"yz\", \"xz\", \"xy\"");
  EXPECT_EQ(stage(R"({"until":{"strain":{"xx":-0.1}}})"), here + "until.strain.xx: must be greater than 0, got -0.1");
  EXPECT_EQ(stage(R"({"until":{"strain":{"xx":0.1}}})"),
            here + R"(until.strain.xx: is never reached by what is asked for of "xx", got 0.1)");
  EXPECT_EQ(stage(R"({"xx":{"strain":[[0,0],[1,-0.05]]},"until":{"strain":{"xx":0.1}}})"),
            here + R"(until.strain.xx: is never reached by what is asked for of "xx", got 0.1)");
  EXPECT_EQ(stage(R"({"xx":{"strain_rate":1},"until":{"stress_error":0.1}})"),
            here + "until.stress_error: needs a component with a goal of stress");
  EXPECT_EQ(stage(R"({"xx":{"strain_rate":1}},{"xx":{"strain_rate":-1}})"),
            here + "until: is missing; without it the stage never ends, and those after it never begin");
  EXPECT_EQ(stage(R"({"ab":{"stress":1}})").substr(0, 32), here + "ab: unknown key");
}

TEST(CellCase, TheCellMustBeTwiceAsWideAsTheLargestPairReaches) {
  // A cell must be 4.2 times as wide as the radius 0.1, times the interaction range if there is one.
  EXPECT_TRUE(problems_with({"domain.periodic.size=[0.421,1,1]"}).empty());
  EXPECT_EQ(problem_with({"domain.periodic.size=[1,0.41,1]"}),
            "domain.periodic: the cell is too narrow along y: its width is 0.41 m, but must be more than 0.42 m, 4.2 "
            "times the reach of the largest particle, so that no two particles touch twice");
  // A box of 0.44 m, sheared by half: the distance between its faces is 0.44 cos 26.6 = 0.3935 m.
  EXPECT_IN("the cell is too narrow along a: its width is 0.3935 m",
            problem_with({R"(domain={"periodic":{"edges":[[0.44,0,0],[0.5,1,0],[0,0,1]]}})"}));
}

// The run has 1 s. A rate from 0 to 1 /s within 0.5 s gives a strain of 0.25, and 1 at 0.5 s + 0.75 s. A rate from -1
// to 1 /s within 1 s deforms by 0.25 to one side and by 0.25 to the other, together 0.5, and by 0.6 at 1.1 s.
TEST(CellCase, WarnsOfAStageThatCannotReachItsStrainInTime) {
  const auto warnings = [](const std::string& control) {
    SceneReport report;
    (void)build_scene(parse_case(base, "/nowhere", {"domain.control=" + control}), report);
    std::string all;
    for (const std::string& warning : report.warnings) {
      if (warning.starts_with("domain.control: ")) { all += warning + "\n"; }
    }
    return all;
  };
  const auto last = [](const std::string& rate, const std::string& until) {
    return R"({"name":"press","zz":{"strain_rate":)" + rate + R"(},"until":)" + until + "}";
  };
  EXPECT_EQ(warnings("[" + last("-0.1", R"({"strain":{"zz":0.2}})") + "]"),
            "domain.control: stage 0 \"press\" needs at least 2 s to reach its strain, the run has 1 s\n");
  EXPECT_EQ(warnings(R"([{"xx":{"stress":-1e5},"until":{"stress_error":0.01}},)" +
                     last("-0.1", R"({"strain":{"zz":0.2}})") + "]"),
            "domain.control: stage 1 \"press\" needs at least 2 s to reach its strain, the run has 1 s\n");
  EXPECT_EQ(
      warnings(R"([{"until":{"duration":0.75}},)" + last("-0.1", R"({"strain":{"zz":0.05}})") + "]"),
      "domain.control: stage 1 \"press\" needs at least 0.5 s to reach its strain, and the stages before it leave "
      "at most 0.25 s of time.duration\n");
  EXPECT_IN("at least 1.25 s", warnings("[" + last("[[0,0],[0.5,1]]", R"({"strain":{"zz":1}})") + "]"));
  EXPECT_IN("at least 1.1 s", warnings("[" + last("[[0,-1],[1,1]]", R"({"strain":{"zz":0.6}})") + "]"));
  // From -1 /s to rest within 0.5 s is a strain of 0.25, and no more.
  EXPECT_EQ(warnings("[" + last("[[0,-1],[0.5,0]]", R"({"strain":{"zz":0.3}})") + "]"),
            "domain.control: stage 0 \"press\" never reaches its strain: its rates end at 0 before\n");
  for (const std::string& fine :
       {last("[[0,-1],[0.5,0]]", R"({"strain":{"zz":0.2}})"), last("-0.1", R"({"strain":{"zz":0.1}})"),
        last("[[0,-1],[0.5,0]]", R"({"strain":{"zz":0.3},"duration":0.7})"),
        last("[[0,-1],[1,1]]", R"({"strain":{"zz":0.4}})"),
        last("-0.1", R"({"strain":{"zz":0.2},"duration":0.5})"),         // so long as wanted
        last("-0.1", R"({"strain":{"zz":0.2},"stress":{"zz":-1}})")}) {  // the strain only limits it
    EXPECT_EQ(warnings("[" + fine + "]"), "") << fine;
  }
}

TEST(CellText, SaysSizeRoomStagesAndInertialNumber) {
  SceneReport report;
  const Scene scene = build_scene(parse_case(base, "/nowhere"), report);
  const auto lines = cell_lines(scene);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].first, "cell");
  EXPECT_EQ(lines[0].second, "1 x 1.5 x 2 m, volume 3 m3, periodic along x, y and z");
  EXPECT_EQ(lines[1].second,
            "1 m between the nearest faces; more than 0.42 m is needed, so it may shrink to 42 % of that");
  EXPECT_EQ(lines[2].first, "stage 0") << "the number that the series has";
  // I = 0.1 x 0.2 sqrt(1000 / 1e5).
  EXPECT_EQ(
      lines[2].second,
      "consolidation: xx under -100000 Pa, yy under -10000 to -100000 Pa in 1 s, zz at -0.1 /s, xy to a strain of "
      "0.1; for 2 s, until a strain zz of 0.2 or until stress error 0.01 and unbalanced force 0.02; rates up to "
      "an inertial number of 0.0001; prescribed rates mean 0.002");
  EXPECT_EQ(lines[3].second,
            "stage 1: yz at 0.5 times the strain xz, xz at 0.1 /s, back and forth between stresses of 20000 Pa; until "
            "reversal 3");
  // The steepest slope of a path of strain is a prescribed rate, too: 1.5 /s here. I = 1.5 x 0.2 sqrt(1000 / 1e5).
  CellStage path = scene.cell->stages[0];
  path.goals[5].table = {{0, 0}, {2, 0.1}, {2.1, -0.05}};
  EXPECT_NEAR(prescribed_inertial_number(path, scene), 0.03, 1e-12);
  // Paths of stress: the mean stress stays at 1e5 Pa; yy lies between the others, and tells no pressure of its own.
  CellStage mean = scene.cell->stages[0];
  mean.goals[0].table.back()[1] = mean.goals[1].table.back()[1] = -1.5e5;
  mean.goals[0].plus[2] = mean.goals[1].plus[2] = -0.5;
  EXPECT_NEAR(prescribed_inertial_number(mean, scene), 0.002, 1e-12);
  mean.goals[0] = scene.cell->stages[0].goals[0];
  mean.goals[1].table.back()[1] = 0;
  mean.goals[1].plus = {0.7, 0, 0.3, 0, 0, 0};
  EXPECT_NEAR(prescribed_inertial_number(mean, scene), 0.002, 1e-12);
  // A stress that is not 0 because of rounding: I = 0.02 sqrt(1000 / p) is still a finite number.
  CellStage almost_none = scene.cell->stages[0];
  for (std::size_t k = 0; k < 3; ++k) {
    for (auto& row : almost_none.goals[k].table)
      row[1] *= almost_none.goals[k].kind == CellGoal::Kind::stress ? 1e-315 : 1;
  }
  EXPECT_NEAR(prescribed_inertial_number(almost_none, scene) / (0.02 * std::sqrt(1000 / 1e-150) * 1e80), 1, 1e-3);
  CellState state;
  state.stage = 1;
  state.strain[2] = -0.2;
  state.volume = 2.5;
  EXPECT_EQ(cell_state_text(state, *scene.cell),
            "in stage 1, stage 1; strain xx 0, yy 0, zz -0.2, yz 0, xz 0, xy 0; volume 2.5 m3");
  state.stage = 2;
  EXPECT_IN("all stages are over; strain", cell_state_text(state, *scene.cell));
}

}  // namespace scree::test::case_io_cell_test
