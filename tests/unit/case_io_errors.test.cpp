#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "host/case/case_io.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using List = std::vector<std::string>;

const std::string base = R"({
  "time": { "duration": 1 },
  "materials": {
    "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.8 },
    "steel": { "density": 7800, "young_modulus": 1e9, "poisson_ratio": 0.3, "friction": 0.2, "restitution": 0.6 }
  },
  "contacts": [ { "between": ["glass", "steel"], "friction": 0.25 }, { "between": ["*", "*"] } ],
  "particles": [
    { "material": "glass", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 10 } }
  ],
  "boundaries": {
    "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "steel",
               "motion": [ { "type": "translation", "velocity": [0, 0, 1] } ] }
  }
})";

List problems_of(const std::string& text, const List& settings = {}) {
  List texts;
  try {
    (void)parse_case(text, "/nowhere", settings);
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) texts.push_back(problem.text());
  }
  return texts;
}

/// Problems of the valid case after changes.
List problems_with(const List& settings) { return problems_of(base, settings); }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(CaseErrors, ValidCaseHasNone) { EXPECT_EQ(problems_with({}), List{}); }

TEST(CaseErrors, BrokenTextNamesLineAndColumn) {
  EXPECT_EQ(problems_of("{\n  \"time\": { \"duration\" 1 }\n}"),
            List{"not valid JSON at line 2, column 24: unexpected number literal; expected ':'"});
  EXPECT_EQ(problems_of("{ \"time\": [1, 2, }"),
            List{"not valid JSON at line 1, column 18: unexpected '}'; expected '[', '{', or a literal"});
  EXPECT_EQ(problems_of(""),
            List{"not valid JSON at line 1, column 1: unexpected end of input; expected '[', '{', or a literal"});
  EXPECT_EQ(problems_of("{\n\"a\": 1e999}"),
            List{"not valid JSON at line 2, column 10: number overflow parsing '1e999'"});
  EXPECT_EQ(problems_of("{\"a\": NaN}"), List{"not valid JSON at line 1, column 7: invalid literal"});
}

TEST(CaseErrors, KeysOfOtherProgramsAreAnswered) {
  const auto answered = [](const std::string& setting, const std::string& expected) {
    const List problems = problems_with({setting});
    ASSERT_FALSE(problems.empty()) << setting;
    EXPECT_NE(problems[0].find(expected), std::string::npos) << problems[0];
  };
  answered("time.dt=1e-6", "time.dt: unknown key; it is called \"step\" here");
  answered("time.timestep=1e-6", "time.timestep: unknown key; it is called \"step\" here");
  answered("materials.glass.youngsModulus=1e7",
           "materials.glass.youngsModulus: unknown key; it is called \"young_modulus\" here");
  answered("materials.glass.coefficientRestitution=0.5", "it is called \"restitution\" here");
  answered("materials.glass.coefficientFriction=0.5", "it is called \"friction\" here");
  answered("materials.glass.frictAngle=0.5", "the tangent of the angle");
  answered("materials.glass.rolling_friction=0.5", "it is called \"rolling\" here");
  answered("materials.glass.k_rolling=0.5", "it is called \"rolling\" here");
  answered("contacts.0.cohesionEnergyDensity=1", "it is called \"surface_energy\" here");
  answered("contacts.0.cohesion=1", "it is called \"surface_energy\" here");
  answered("contacts.0.en=0.5", "it is called \"restitution\" here");
  answered("contacts.0.es=0.5", "it is called \"restitution_tangential\" here");
  answered("boundaries.floor.servo={}", "it is called \"drive\" here for a boundary under a force");
  answered("domain.servo={}", "\"control\" in \"domain\" for stresses of a periodic cell");
  answered("time.duratoin=1", "time.duratoin: unknown key; did you mean \"duration\"?");
}

TEST(CaseErrors, TheNameOfTheSchemaMayStand) {
  EXPECT_EQ(problems_with({"$schema=scree.schema.json"}), List{});
  EXPECT_EQ(problems_with({"$schema=1"}), List{"$schema: must be a text, got 1"});
  EXPECT_EQ(write_case(parse_case(base, "/nowhere", {"$schema=a"})), write_case(parse_case(base, "/nowhere")));
}

TEST(CaseErrors, BrokenFileIsNamed) {
  const std::string file = testing::TempDir() + "scree_broken_case.json";
  std::ofstream(file) << "{ \"time\": }";
  try {
    (void)read_case(file);
    FAIL();
  } catch (const CaseError& error) {
    EXPECT_EQ(error.problems().at(0).path, file);
    EXPECT_EQ(error.problems().at(0).message.substr(0, 38), "not valid JSON at line 1, column 11: u");
  }
  std::remove(file.c_str());
}

TEST(CaseErrors, CommentsAreAllowed) {
  const auto text = replaced(base, "\"time\"", "// how long\n /* in seconds */ \"time\"");
  EXPECT_EQ(problems_of(text), List{});
}

TEST(CaseErrors, DuplicateKeyNamesItsPath) {
  EXPECT_EQ(problems_of(replaced(base, "\"density\": 2500", "\"density\": 2500, \"density\": 2600")),
            List{"materials.glass.density: this key is given twice"});
  EXPECT_EQ(problems_of(replaced(base, "\"count\": 10", "\"count\": 10, \"count\": 10")),
            List{"particles.0.fill.count: this key is given twice"});
  EXPECT_EQ(problems_with({R"(time={"duration": 1, "duration": 2})"}), List{"time.duration: this key is given twice"});
}

TEST(CaseErrors, UnknownKeyNamesTheNearest) {
  EXPECT_EQ(problems_with({"materials.glass.frction=1"}),
            List{"materials.glass.frction: unknown key; did you mean \"friction\"?"});
  EXPECT_EQ(problems_with({"gravty=[0,0,0]"}), List{"gravty: unknown key; did you mean \"gravity\"?"});
  EXPECT_EQ(problems_with({"neighbours.xyz=1"}),
            List{"neighbours.xyz: unknown key; known are \"verlet_distance\", \"target_interval\""});
  EXPECT_EQ(problems_with({"boundaries.floor.motion.0.rate=1"}),
            List{"boundaries.floor.motion.0.rate: unknown key; known are \"type\", \"velocity\", \"from\", \"until\""});
  EXPECT_EQ(problems_with({"particles.0.fill.spher={}"}),
            List{"particles.0.fill.spher: unknown key; did you mean \"sphere\"?"});
  EXPECT_EQ(problems_with({"domain.remove_outside={\"boxx\": [[0,0,0],[1,1,1]]}"}),
            (List{"domain.remove_outside.boxx: unknown key; did you mean \"box\"?",
                  "domain.remove_outside.box: is missing"}));
}

TEST(CaseErrors, BondsAndRollingResistance) {
  EXPECT_EQ(problems_with({"contacts.0.law=bonded"}), List{"contacts.0.bond: is missing; the law bonded needs it"});
  EXPECT_EQ(problems_with({"contacts.0.bond={\"tensile_strength\": 1, \"cohesion\": 2}"}),
            List{"contacts.0.bond: has no effect; only the law bonded has bonds"});
  EXPECT_EQ(problems_with({"contacts.0.law=bonded", "contacts.0.bond={\"tensile_strength\": 1}"}),
            List{"contacts.0.bond.cohesion: is missing"});
  EXPECT_EQ(problems_with({"contacts.0.rolling={\"friction\": 0.1}"}),
            List{"contacts.0.rolling.friction: has no effect without stiffness"});
  EXPECT_EQ(problems_with({"materials.glass.rolling={\"stiffness\": 1, \"friction\": 0.1}"}), List{});
}

TEST(CaseErrors, WrongTypes) {
  EXPECT_EQ(problems_of("[1]"), List{"must be an object, got a list"});
  EXPECT_EQ(problems_with({"time.duration=long"}), List{"time.duration: must be a number, got \"long\""});
  EXPECT_EQ(problems_with({"time.duration=null"}), List{"time.duration: must be a number, got null"});
  EXPECT_EQ(problems_with({"time.step=fast"}), List{"time.step: must be a number or \"auto\", got \"fast\""});
  EXPECT_EQ(problems_with({"materials=[]"}), List{"materials: must be an object, got an empty list"});
  EXPECT_EQ(problems_with({"particles={}"}), List{"particles: must be a list, got an object"});
  EXPECT_EQ(problems_with({"gravity=[0, -9.81]"}), List{"gravity: must be a list of 3 numbers, got 2"});
  EXPECT_EQ(problems_with({"gravity=[0, true, 0]"}), List{"gravity.1: must be a number, got true"});
  EXPECT_EQ(problems_with({"title=7"}), List{"title: must be a text, got 7"});
  EXPECT_EQ(problems_with({"seed=-1"}), List{"seed: must be a whole number from 0, got -1"});
  EXPECT_EQ(problems_with({"particles.0.fill.count=2.5"}),
            List{"particles.0.fill.count: must be a whole number from 0, got 2.5"});
  EXPECT_EQ(problems_with({"particles.0.radius=[1, 2]"}),
            List{"particles.0.radius: must be a number or an object, got a list"});
  EXPECT_EQ(problems_with({"particles.0.fill.box=[0, 1]"}),
            (List{"particles.0.fill.box.0: must be a list of 3 numbers, got 0",
                  "particles.0.fill.box.1: must be a list of 3 numbers, got 1"}));
  EXPECT_EQ(problems_with({"particles.0.fill.box=[[0, 0, 0]]"}),
            List{"particles.0.fill.box: must be a list [min, max], got 1 value"});
}

TEST(CaseErrors, OutOfRangeShowsTheInterval) {
  EXPECT_EQ(problems_with({"materials.glass.poisson_ratio=0.7"}),
            List{"materials.glass.poisson_ratio: must be in [0, 0.5), got 0.7"});
  EXPECT_EQ(problems_with({"materials.glass.restitution=0"}),
            List{"materials.glass.restitution: must be in (0, 1], got 0"});
  EXPECT_EQ(problems_with({"materials.glass.density=0"}),
            List{"materials.glass.density: must be greater than 0, got 0"});
  EXPECT_EQ(problems_with({"contacts.0.friction=-0.1"}), List{"contacts.0.friction: must be at least 0, got -0.1"});
  EXPECT_EQ(problems_with({"particles.0.fill.count=0"}), List{"particles.0.fill.count: must be at least 1, got 0"});
  EXPECT_EQ(problems_with({"time.step=1e-20"}),
            List{"time.step: must be longer than 1e-15 of the duration, got 1e-20"});
  EXPECT_EQ(problems_with({"integration.damping=1"}), List{"integration.damping: must be in [0, 1), got 1"});
  EXPECT_EQ(problems_with({"materials.glass.poisson_ratio=0", "materials.glass.restitution=1"}), List{});
}

TEST(CaseErrors, NeighbourSearch) {
  const std::string distance = "neighbours.verlet_distance";
  EXPECT_EQ(problems_with({distance + "=big"}),
            List{distance + ": must be a number, an object or \"auto\", got \"big\""});
  EXPECT_EQ(problems_with({distance + "=[1]"}),
            List{distance + ": must be a number, an object or \"auto\", got a list"});
  EXPECT_EQ(problems_with({distance + "=0"}), List{distance + ": must be greater than 0, got 0"});
  EXPECT_EQ(problems_with({distance + "={}"}), List{distance + ".of_smallest_radius: is missing"});
  EXPECT_EQ(problems_with({distance + R"(={"of_smalest_radius": 0.2})"}),
            (List{distance + ".of_smallest_radius: is missing",
                  distance + ".of_smalest_radius: unknown key; did you mean \"of_smallest_radius\"?"}));
  EXPECT_EQ(problems_with({distance + ".of_smallest_radius=-0.2"}),
            List{distance + ".of_smallest_radius: must be greater than 0, got -0.2"});
  EXPECT_EQ(problems_with({distance + ".of_smallest_radius=auto"}),
            List{distance + ".of_smallest_radius: must be a number, got \"auto\""});
  EXPECT_EQ(problems_with({"neighbours.target_interval=0.5"}),
            List{"neighbours.target_interval: must be at least 1, got 0.5"});
  EXPECT_EQ(problems_with({"neighbours.target_interval=auto"}),
            List{"neighbours.target_interval: must be a number, got \"auto\""});
  EXPECT_EQ(problems_with({distance + "=auto", "neighbours.target_interval=60"}), List{});
  EXPECT_EQ(problems_with({distance + ".of_smallest_radius=0.2"}), List{});
}

TEST(CaseErrors, NotFiniteIsNoNumber) {
  EXPECT_EQ(problems_with({"time.duration=nan"}), List{"time.duration: must be a number, got \"nan\""});
  EXPECT_EQ(problems_with({"time.duration=inf"}), List{"time.duration: must be a number, got \"inf\""});
  EXPECT_EQ(problems_with({"time.duration=1e999"}), List{"time.duration: must be a number, got \"1e999\""});
}

TEST(CaseErrors, UnknownNamesAndWords) {
  EXPECT_EQ(problems_with({"particles.0.material=glas"}),
            List{"particles.0.material: unknown material \"glas\"; did you mean \"glass\"?"});
  EXPECT_EQ(problems_with({"boundaries.floor.material=wood"}),
            (List{"boundaries.floor.material: unknown material \"wood\"; known are \"glass\", \"steel\""}));
  EXPECT_EQ(problems_with({"contacts.0.between.1=stel"}),
            List{"contacts.0.between.1: unknown material \"stel\"; did you mean \"steel\"?"});
  EXPECT_EQ(problems_with({"particles.0.shape=shpere"}),
            List{"particles.0.shape: unknown shape \"shpere\"; did you mean \"sphere\"?"});
  EXPECT_EQ(problems_with({"precision=doubel"}), List{"precision: unknown word \"doubel\"; did you mean \"double\"?"});
  EXPECT_EQ(problems_with({"contacts.1.law=hertz"}),
            List{"contacts.1.law: unknown word \"hertz\"; did you mean \"hertz_mindlin\"?"});
  EXPECT_EQ(problems_with({"boundaries.floor.type=plan"}),
            List{"boundaries.floor.type: unknown word \"plan\"; did you mean \"plane\"?"});
  EXPECT_EQ(problems_with({"output.frames={\"every\": 1, \"fields\": [\"velocty\"]}"}),
            List{"output.frames.fields.0: unknown word \"velocty\"; did you mean \"velocity\"?"});
  EXPECT_EQ(problems_with({"output.frames={\"every\": 1, \"fields\": [\"id\", \"id\"]}"}),
            List{"output.frames.fields.1: \"id\" is listed twice"});
}

TEST(CaseErrors, MissingKeys) {
  EXPECT_EQ(problems_of("{}"), (List{"time: is missing", "materials: is missing",
                                     "must have exactly one of \"particles\", \"start\", got none"}));
  EXPECT_EQ(problems_of(replaced(base, "\"density\": 2500, ", "")), List{"materials.glass.density: is missing"});
  EXPECT_EQ(problems_of(replaced(base, "\"type\": \"plane\", ", "")),
            List{"boundaries.floor.type: is missing; known are \"plane\", \"box\", \"cylinder\", \"cone\", "
                 "\"sphere\", \"mesh\""});
  EXPECT_EQ(problems_of(replaced(base, "\"radius\": 1e-3, ", "")),
            List{"particles.0.radius: is missing; it is needed by \"fill\", \"lattice\" and \"inlet\""});
  EXPECT_EQ(problems_with({"particles=[]"}), List{"particles: must have at least 1 entry, got 0"});
}

TEST(CaseErrors, ExactlyOneOfSeveralKeys) {
  EXPECT_EQ(problems_with({"particles.0.fill.solid_fraction=0.3"}),
            List{"particles.0.fill: must have exactly one of \"count\", \"solid_fraction\", got \"count\", "
                 "\"solid_fraction\""});
  EXPECT_EQ(problems_of(replaced(base, ", \"count\": 10", "")),
            List{"particles.0.fill: must have exactly one of \"count\", \"solid_fraction\", got none"});
  EXPECT_EQ(problems_with({R"(particles.0.fill.sphere={"center": [0,0,0], "radius": 1})"}),
            List{"particles.0.fill: must have exactly one of \"box\", \"cylinder\", \"sphere\", \"mesh\", \"cell\", "
                 "got \"box\", "
                 "\"sphere\""});
  EXPECT_EQ(problems_with({R"(particles.0={"material": "glass", "radius": 1})"}),
            List{"particles.0: must have exactly one of \"fill\", \"lattice\", \"file\", \"inlet\", got none"});
  EXPECT_EQ(problems_with({R"(particles.0.radius={})"}),
            List{"particles.0.radius: must have exactly one of \"uniform\", \"normal\", \"lognormal\", \"discrete\", "
                 "\"sieve\", got none"});
}

TEST(CaseErrors, SizeDistributions) {
  const auto with_radius = [](const std::string& json) { return problems_with({"particles.0.radius=" + json}); };
  EXPECT_EQ(with_radius(R"({"uniform": [2, 1]})"),
            List{"particles.0.radius.uniform.1: must be at least the smallest radius 2, got 1"});
  EXPECT_EQ(with_radius(R"({"normal": {"mean": 1, "deviation": 0.1, "min": 2, "max": 1}})"),
            List{"particles.0.radius.normal.max: must be at least the smallest radius 2, got 1"});
  EXPECT_EQ(with_radius(R"({"lognormal": {"median": 3, "deviation": 0.1, "min": 1, "max": 2}})"),
            List{"particles.0.radius.lognormal.median: must lie between min 1 and max 2, got 3"});
  EXPECT_EQ(with_radius(R"({"discrete": {"values": [1, 2], "weights": [1]}})"),
            List{"particles.0.radius.discrete.weights: must have one weight per value: 2, got 1"});
  EXPECT_EQ(with_radius(R"({"discrete": {"values": [1, 2], "weights": [0, 0]}})"),
            List{"particles.0.radius.discrete.weights: must have a positive, finite sum, got 0"});
  EXPECT_EQ(with_radius(R"({"discrete": {"values": [1, -2], "weights": [1, 1]}})"),
            List{"particles.0.radius.discrete.values.1: must be greater than 0, got -2"});
  EXPECT_EQ(with_radius(R"({"sieve": {"passing": [[1, 0.1], [2, 0.05], [1.5, 0.9]]}})"),
            (List{"particles.0.radius.sieve.passing.1.1: must be at least the fraction before it, 0.1, got 0.05",
                  "particles.0.radius.sieve.passing.2.0: must be at least the radius before it, 2, got 1.5",
                  "particles.0.radius.sieve.passing.0.1: the first fraction must be 0, got 0.1",
                  "particles.0.radius.sieve.passing.2.1: the last fraction must be 1, got 0.9"}));
  EXPECT_EQ(with_radius(R"({"sieve": {"passing": [[1, 1]]}})"),
            List{"particles.0.radius.sieve.passing: must have at least 2 entries, got 1"});
}

TEST(CaseErrors, DegenerateGeometry) {
  EXPECT_EQ(problems_with({"boundaries.floor.normal=[0, 0, 0]"}),
            List{"boundaries.floor.normal: must not be the zero vector"});
  EXPECT_EQ(problems_with({"boundaries.floor.normal=[0, 0, 1e-200]"}),
            List{"boundaries.floor.normal: is too short or too long a vector"});
  EXPECT_EQ(problems_with({R"(boundaries.floor.motion=[{"type": "rotation", "axis": [0, 0, 0], "rate": 1}])"}),
            List{"boundaries.floor.motion.0.axis: must not be the zero vector"});
  EXPECT_EQ(problems_with({R"(domain.outlets.out={"point": [0,0,0], "normal": [0, 0, 0]})"}),
            List{"domain.outlets.out.normal: must not be the zero vector"});
  EXPECT_EQ(problems_with({"particles.0.fill.box=[[0, 0, 2], [1, 1, 1]]"}),
            List{"particles.0.fill.box.1.2: must be greater than 2 of the lowest corner, got 1"});
  EXPECT_EQ(problems_with({R"(boundaries.pipe={"type": "cylinder", "from": [0,0,1], "to": [0,0,1], "radius": 1,
                            "material": "glass"})"}),
            List{"boundaries.pipe.to: must differ from \"from\""});
  EXPECT_EQ(problems_with({R"(boundaries.pipe={"type": "cone", "from": [0,0,1], "to": [0,0,0], "radius_from": 0,
                            "radius_to": 0, "material": "glass"})"}),
            List{"boundaries.pipe.radius_to: must be > 0 where \"radius_from\" is 0, got 0"});
  EXPECT_EQ(problems_with({R"(boundaries.case={"type": "box", "min": [0,0,1], "max": [1,1,1], "material": "glass"})"}),
            List{"boundaries.case.max.2: must be greater than 1 of the lowest corner, got 1"});
  EXPECT_EQ(problems_with({"boundaries.floor.motion.0.from=2", "boundaries.floor.motion.0.until=1"}),
            List{"boundaries.floor.motion.0.until: must be greater than \"from\" 2, got 1"});
}

TEST(CaseErrors, MotionsAndDrives) {
  const auto with_motion = [](const std::string& motion) {
    return problems_with({"boundaries.floor.motion=[" + motion + "]"});
  };
  EXPECT_EQ(with_motion(R"({"type": "oscillation", "amplitude": 1, "frequency": 1})"),
            List{"boundaries.floor.motion.0: must have exactly one of \"direction\", \"axis\", got none"});
  EXPECT_EQ(with_motion(R"({"type": "oscillation", "direction": [0, 0, 1], "origin": [1, 0, 0], "amplitude": 1,
                            "frequency": 1})"),
            List{"boundaries.floor.motion.0.origin: belongs to \"axis\"; a motion along \"direction\" has none"});
  EXPECT_EQ(with_motion(R"({"type": "oscillation", "axis": [0, 0, 1], "amplitude": 1, "frequency": 0})"),
            List{"boundaries.floor.motion.0.frequency: must be greater than 0, got 0"});
  EXPECT_EQ(with_motion(R"({"type": "table", "axis": [0, 0, 1]})"),
            List{"boundaries.floor.motion.0: must have exactly one of \"position\", \"velocity\", \"position_file\", "
                 "\"velocity_file\", got none"});
  const auto with_drive = [](const std::string& drive) { return problems_with({"boundaries.floor.drive=" + drive}); };
  EXPECT_EQ(with_drive("{}"), List{"boundaries.floor.drive: must have \"translation\", \"rotation\" or both"});
  EXPECT_EQ(with_drive(R"({"translation": {"mass": 0}})"),
            List{"boundaries.floor.drive.translation.mass: must be greater than 0, got 0"});
  EXPECT_EQ(with_drive(R"({"translation": {"mass": 1, "free": ["x", "x"], "velocity": [1, 2, 0]}})"),
            (List{"boundaries.floor.drive.translation.free.1: \"x\" is listed twice",
                  "boundaries.floor.drive.translation.velocity.1: must be 0, since \"y\" is not free, got 2"}));
  EXPECT_EQ(with_drive(R"({"rotation": {"inertia": 1, "axis": [0, 0, 0]}})"),
            List{"boundaries.floor.drive.rotation.axis: must not be the zero vector"});
}

TEST(CaseErrors, MissingFiles) {
  EXPECT_EQ(problems_with({R"(particles.0={"material": "glass", "file": "packing.csv"})"}),
            List{"particles.0.file: there is no file \"/nowhere/packing.csv\""});
  EXPECT_EQ(problems_with({R"(boundaries.floor={"type": "mesh", "file": "/tmp", "material": "steel"})"}),
            List{"boundaries.floor.file: must name a file, but \"/tmp\" is a folder"});
  try {
    (void)read_case("/nowhere/case.json");
    FAIL();
  } catch (const CaseError& error) { EXPECT_STREQ(error.what(), "/nowhere/case.json: there is no such case file"); }
}

TEST(CaseErrors, FileAndRadiusExcludeEachOther) {
  const auto found = problems_with({R"(particles.0={"material": "glass", "file": "packing.csv", "radius": 1})"});
  EXPECT_EQ(found, List{"particles.0.file: there is no file \"/nowhere/packing.csv\""});
  const std::string here = std::string(SCREE_SOURCE_DIR) + "/configs/minimal.json";
  EXPECT_EQ(problems_with({R"(particles.0={"material": "glass", "radius": 1, "file": ")" + here + "\"}"}),
            List{"particles.0.radius: is not allowed with \"file\", which gives the radii"});
}

TEST(CaseErrors, ContactRules) {
  EXPECT_EQ(problems_with({R"(contacts=[{"between": ["glass", "*"]}, {"between": ["steel", "glass"]}])"}),
            List{"contacts.1: matches no pair of materials that an earlier rule has not matched"});
  EXPECT_EQ(problems_with({R"(contacts=[{"between": ["*", "*"]}, {"between": ["*", "*"]}])"}),
            List{"contacts.1: matches no pair of materials that an earlier rule has not matched"});
  EXPECT_EQ(problems_with({R"(contacts=[{"between": ["glass", "*"]}, {"between": ["steel", "steel"]},
                              {"between": ["*", "*"]}])"}),
            List{});
  EXPECT_EQ(problems_with({R"(contacts=[{"between": ["glass", "glass"]}])"}),
            List{"contacts: no rule matches \"glass\" and \"steel\"; add one, or a last rule between \"*\" and \"*\""});
  EXPECT_EQ(problems_with({"contacts.0.law=cundall_strack"}), List{});
}

TEST(CaseErrors, ValuesGoWithTheLawOfTheirRule) {
  EXPECT_EQ(problems_with({"contacts.0.law=cundall_strack", "contacts.0.restitution=0.5"}),
            List{"contacts.0.restitution: does not apply to cundall_strack, only to hertz_mindlin, "
                 "hertz_mindlin_rescaled, hertz_mindlin_dmt, mindlin_reversal, jkr, linear_spring_dashpot and jaeger"});
  EXPECT_EQ(problems_with({"contacts.0.normal_stiffness=1e5"}),
            List{"contacts.0.normal_stiffness: does not apply to hertz_mindlin, only to cundall_strack and "
                 "linear_spring_dashpot"});
  EXPECT_EQ(problems_with({"contacts.0.law=linear_spring_dashpot", "contacts.0.young_modulus=1e7"}),
            List{"contacts.0.young_modulus: does not apply to linear_spring_dashpot, only to hertz_mindlin, "
                 "hertz_mindlin_rescaled, hertz_mindlin_dmt, mindlin_reversal, jkr and jaeger"});
  EXPECT_EQ(problems_with({"contacts.0.law=jkr"}), List{"contacts.0.surface_energy: is needed by jkr"});
  EXPECT_EQ(problems_with({"contacts.0.law=linear_spring_dashpot", "contacts.0.normal_stiffness=1e5"}),
            List{"contacts.0.shear_stiffness: is needed beside normal_stiffness"});
  EXPECT_EQ(problems_with({"contacts.0.law=linear_spring_dashpot", "contacts.0.normal_stiffness=1e5",
                           "contacts.0.shear_stiffness=1e5", "contacts.0.contact_time=1e-4"}),
            List{"contacts.0.contact_time: excludes normal_stiffness; give one of them"});
  EXPECT_EQ(problems_with({"contacts.0.law=linear_spring_dashpot", "contacts.0.exact_restitution=1"}),
            List{"contacts.0.exact_restitution: must be true or false, got 1"});
  EXPECT_EQ(problems_with({"contacts.0.law=linear_spring_dashpot", "contacts.0.exact_restitution=true",
                           "contacts.0.contact_time=1e-4"}),
            List{});
}

TEST(CaseErrors, HertzMindlinNeedsRestitution) {
  const auto bare = replaced(replaced(base, ", \"restitution\": 0.8", ""), ", \"restitution\": 0.6", "");
  EXPECT_EQ(problems_of(bare),
            (List{"materials.glass.restitution: is missing; hertz_mindlin needs it for \"glass\" and \"glass\"",
                  "contacts: hertz_mindlin needs a restitution for \"glass\" and \"steel\": give it in their rule or "
                  "materials"}));
  EXPECT_EQ(problems_of(bare, {"contacts.0.restitution=0.5", "contacts.1.restitution=0.5"}), List{});
  EXPECT_EQ(problems_of(bare, {"contacts.0.law=cundall_strack", "contacts.1.law=cundall_strack"}), List{});
  // Boundaries never touch each other: steel alone needs no value of its own.
  EXPECT_EQ(problems_of(bare, {"contacts.0.restitution=0.5", "materials.glass.restitution=0.5"}), List{});
}

TEST(CaseErrors, AllAreReportedTogether) {
  EXPECT_EQ(
      problems_with({"gravty=1", "materials.glass.density=-1", "particles.0.material=glas",
                     "boundaries.floor.normal=[0,0,0]", "time.duration=long"}),
      (List{"time.duration: must be a number, got \"long\"", "materials.glass.density: must be greater than 0, got -1",
            "boundaries.floor.normal: must not be the zero vector", "gravty: unknown key; did you mean \"gravity\"?",
            "particles.0.material: unknown material \"glas\"; did you mean \"glass\"?"}));
}

}  // namespace
}  // namespace scree
