#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "case_problems.hpp"

namespace scree::test::case_io_errors_test {

TEST(CaseErrors, ValidCaseHasNone) { EXPECT_EQ(problems_with({}), List{}); }

TEST(CaseErrors, BrokenTextNamesLineAndColumn) {
  EXPECT_EQ(problems_of("{\n  \"time\": { \"duration\" 1 }\n}"),
            List{"not valid JSON at line 2, column 24: unexpected number literal; expected ':'"});
  EXPECT_EQ(
      problems_of("{ \"time\": [1, 2, }"),
      List{"not valid JSON at line 1, column 18: unexpected '}'; expected '[', '{', or a literal; the comma before "
           "it is one too many"});
  EXPECT_EQ(
      problems_of("{ \"time\": 1,\n  }"),
      List{"not valid JSON at line 2, column 3: unexpected '}'; expected string literal; the comma before it is one "
           "too many"});
  EXPECT_EQ(problems_of("{ \"time\": }"),
            List{"not valid JSON at line 1, column 11: unexpected '}'; expected '[', '{', or a literal"});
  EXPECT_EQ(problems_of(""),
            List{"not valid JSON at line 1, column 1: unexpected end of input; expected '[', '{', or a literal"});
  EXPECT_EQ(problems_of("{\n\"a\": 1e999}"),
            List{"not valid JSON at line 2, column 10: number overflow parsing '1e999'"});
  EXPECT_EQ(problems_of(std::string("{}\n\0{}", 6)), List{"not valid JSON at line 2, column 1: a character of code 0"});
}

TEST(CaseErrors, BrokenTextNamesTheLikelySlip) {
  EXPECT_EQ(
      problems_of("{ \"time\": 1\n \"seed\": 2 }"),
      List{"not valid JSON at line 2, column 7: unexpected string literal; expected '}'; is a comma missing before "
           "it?"});
  EXPECT_EQ(problems_of("{ \"gravity\": [0 0, -9.81] }"),
            List{"not valid JSON at line 1, column 17: unexpected number literal; expected ']'; is a comma missing "
                 "before it?"});
  EXPECT_EQ(problems_of("{ \"a\": [{} {}] }"),
            List{"not valid JSON at line 1, column 12: unexpected '{'; expected ']'; is a comma missing before it?"});
  EXPECT_EQ(
      problems_of("{ \"step\": 1,5e-6 }"),
      List{"not valid JSON at line 1, column 16: unexpected number literal; expected string literal; decimals are "
           "written with a point, not with a comma"});
  // no slip is likely here
  EXPECT_EQ(problems_of("{ \"a\": 1, 6: 2 }"),
            List{"not valid JSON at line 1, column 11: unexpected number literal; expected string literal"});
  EXPECT_EQ(problems_of("{ \"a\": [1 }"), List{"not valid JSON at line 1, column 11: unexpected '}'; expected ']'"});
}

TEST(CaseErrors, WordsThatJsonDoesNotKnowAreAnswered) {
  const auto answered = [](const std::string& text, const std::string& end) {
    const List problems = problems_of(text);
    ASSERT_EQ(problems.size(), 1u) << text;
    EXPECT_TRUE(problems[0].ends_with(end)) << problems[0];
  };
  answered("{\"a\": NaN}", "column 7: invalid literal; \"NaN\" is no number of JSON");
  answered("{\"a\": -Infinity}", "expected digit after '-'; \"-Infinity\" is no number of JSON");
  answered("{\"a\": True}", "invalid literal; it is written true");
  answered("{'a': 1}", "expected string literal; texts stand in straight double quotes");
  answered("{\"a\": \u201csand\u201d}", "invalid literal; texts stand in straight double quotes");
  answered("{\"a\": [sand, 1]}", "invalid literal; texts and keys stand in double quotes: \"sand\"");
  answered("{a: 1}", "expected string literal; texts and keys stand in double quotes: \"a\"");
  answered("{\"a\": 5mm}", "expected '}'; numbers have no unit: all are in SI units");
  answered("{\"a\": .5}", "invalid literal; a number begins with a digit or with a minus");
  answered("# comment\n{}", "invalid literal; comments begin with //");
  answered("{\"a\": \"B\xf6\"}", "ill-formed UTF-8 byte; the file must be saved as UTF-8");
  answered(std::string("\xff\xfe{\0}\0", 6), "a character of code 0; the file is UTF-16, and must be saved as UTF-8");
  answered("{\"a\": 1}\n@", "invalid literal; expected end of input");
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
  answered("contacts.0.cohesionEnergyDensity=1", "it is called \"cohesion\" here");
  answered("contacts.0.adhesion=1", "it is called \"surface_energy\" here");
  answered("contacts.0.en=0.5", "it is called \"restitution\" here");
  answered("contacts.0.es=0.5", "it is called \"restitution_tangential\" here");
  answered("contacts.0.pb_ten=1e7",
           "contacts.0.pb_ten: unknown key; it is called \"tensile_strength\" here: in \"bond\"");
  answered("contacts.0.pb_coh=1e7", "it is called \"cohesion\" here: in \"bond\"");
  answered("contacts.0.pb_fa=30", "the tangent of the angle");
  answered("contacts.0.pb_mcf=1", "it is called \"moment_contribution\" here");
  answered("contacts.0.pb_kn=1e12", "it follows from \"young_modulus\" of the materials here");
  answered("contacts.0.pb_ks=1e12", "it follows from \"poisson_ratio\" of the materials here");
  answered("contacts.0.pb_rmul=0.5", "it is 1 here");
  answered("boundaries.floor.servocontrol={}", "it is called \"servo\" here for a boundary under a stress or a force");
  answered("domain.servo={}", "\"control\" in \"domain\" for stresses of a periodic cell");
  answered("time.duratoin=1", "time.duratoin: unknown key; did you mean \"duration\"?");
}

TEST(CaseErrors, KeysInTheWrongPlaceAreAnswered) {
  const auto answered = [](const std::string& setting, const std::string& expected) {
    const List problems = problems_with({setting});
    const bool found = std::any_of(problems.begin(), problems.end(),
                                   [&](const std::string& text) { return text.find(expected) != std::string::npos; });
    EXPECT_TRUE(found) << setting << ": " << (problems.empty() ? "no problem" : problems.front());
  };
  answered("particles.0.count=3", "particles.0.count: unknown key; it belongs into \"fill\" here");
  answered("particles.0.number=3", "particles.0.number: unknown key; it is \"count\" here, and belongs into \"fill\"");
  answered(R"(particles.0.inlet={"region":{"box":[[0,0,0],[1,1,1]]},"mass_rate":1})",
           "particles.0.inlet.mass_rate: unknown key; it is called \"mass_flow\" here [kg/s]");
  answered("particles.0.mass_rate=1", "particles.0.mass_rate: unknown key; it is called \"inlet\" here");
  answered("boundaries.floor.velocity=[0,0,1]",
           "boundaries.floor.velocity: unknown key; it belongs into \"motion\" here");
  answered("boundaries.floor.wear={}", "boundaries.floor.wear: unknown key; it has another place: see \"facets\"");
  answered(
      R"(boundaries.floor.motion=[{"type":"rotation","axis":[0,0,1],"frequency":1}])",
      "motion.0.frequency: unknown key; it is not known here: give \"rate\" [rad/s], 2 pi times the revolutions per "
      "second");
  answered(R"(boundaries.floor.motion=[{"type":"rotation","axis":[0,0,1],"angular_velocity":1}])",
           "motion.0.angular_velocity: unknown key; it is called \"rate\" here [rad/s]");
  answered(R"(boundaries.floor.motion=[{"type":"rotation","axis":[0,0,1],"velocity_file":"a.csv"}])",
           "motion.0.velocity_file: unknown key; it belongs to motions of type \"table\" here");
  answered(R"(boundaries.floor.motion=[{"type":"rotation","axis":"z","rate":1}])",
           "motion.0.axis: must be a list of 3 numbers, got \"z\"; this axis is [0, 0, 1]");
  answered(R"(boundaries.floor.motion={"type":"rotation"})",
           "boundaries.floor.motion: must be a list, got an object; in brackets it is one: [{...}]");
  answered(R"(particles.0.radius={"sieve":{"sizes":[1,2]}})",
           "sieve.sizes: unknown key; it is not known here: give \"passing\", a list of [size, mass fraction");
  answered("time.end=1", "time.end: unknown key; it is called \"duration\" here");
  answered(R"(particles.0.radius={"min":1e-3,"max":2e-3})",
           "particles.0.radius.max: unknown key; it belongs to a distribution here: {\"uniform\": [min, max]}");
  answered(R"(particles.0.radius={"normal":{"mean":1e-3,"std":1e-4,"min":1e-3,"max":2e-3}})",
           "particles.0.radius.normal.std: unknown key; it is called \"deviation\" here");
  answered(R"(contacts.0.bond={"tensile_strength":1e6,"cohesion":1e6,"friction":0.5})",
           "contacts.0.bond.friction: unknown key; it belongs beside \"bond\" here, into the rule of \"contacts\"");
  answered(R"(contacts.0.bond={"tensile_strength":1e6,"cohesion":1e6,"stiffness":0.5})",
           "contacts.0.bond.stiffness: unknown key; it belongs into \"rolling\" here");
}

TEST(CaseErrors, KeysOfCellsAndOutputsInTheWrongPlaceAreAnswered) {
  const auto answered = [](const std::string& setting, const std::string& expected) {
    const List problems = problems_with({setting});
    const bool found = std::any_of(problems.begin(), problems.end(),
                                   [&](const std::string& text) { return text.find(expected) != std::string::npos; });
    EXPECT_TRUE(found) << setting << ": " << (problems.empty() ? "no problem" : problems.front());
  };
  answered(R"(domain.control=[{"p":1e5}])", "control.0.p: unknown key; it is held by goals of stress with \"plus\"");
  answered(R"(domain.control=[{"volume":1}])", "control.0.volume: unknown key; it is held by \"follows\" here");
  answered(R"(domain.control=[{"zz":{"velocity":1}}])", "zz.velocity: unknown key; it is called \"strain_rate\" here");
  answered(R"(domain.control=[{"xz":{"strain_rate":1,"reverse_at_strain":0.01}}])",
           "xz.reverse_at_strain: unknown key; it has another form here: \"repeat\" runs two stages");
  answered(R"(domain.control=[{"until":{"cycles":5}}])", "cycles: unknown key; it is called \"reversals\" here: two");
  answered(R"(domain.control=[{"until":{"p":1e5}}])", "until.p: unknown key; it belongs into \"until\" of \"stages\"");
  answered("output.impact_spectrum={}", "output.impact_spectrum: unknown key; it is called \"collisions\" here");
  answered("output.probes={}", "output.probes: unknown key; it belongs into \"series\" here");
  const auto probe = [](const std::string& keys) { return R"(output.series={"every":1,"probes":{"a":)" + keys + "}}"; };
  answered(probe(R"({"type":"content","box":[[0,0,0],[1,1,1]]})"),
           "probes.a.box: unknown key; it belongs into \"region\" here");
  answered(probe(R"({"type":"mass"})"), "probes.a.type: unknown word \"mass\"; it is called \"content\" here");
  answered(probe(R"({"type":"torque"})"), "unknown word \"torque\"; it needs no probe: series.csv has force, torque");
  answered(probe(R"({"type":"void_ratio"})"), "unknown word \"void_ratio\"; it is called \"porosity\" here");
  answered(probe(R"({"type":"segregation"})"), "unknown word \"segregation\"; it is called \"mixing\" here");
}

TEST(CaseErrors, KeysOfStagesWallsAndMixturesInTheWrongPlaceAreAnswered) {
  const auto answered = [](const std::string& setting, const std::string& expected) {
    const List problems = problems_with({setting});
    const bool found = std::any_of(problems.begin(), problems.end(),
                                   [&](const std::string& text) { return text.find(expected) != std::string::npos; });
    EXPECT_TRUE(found) << setting << ": " << (problems.empty() ? "no problem" : problems.front());
  };
  answered("particles.0.fill.mass=1", "fill.mass: unknown key; it is not known here: give \"count\", or");
  answered(R"(particles.0.mixture=[{"volume_fraction":1,"material":"glass"}])",
           "mixture.0.volume_fraction: unknown key; it is not known here: give \"mass_fraction\"; shares");
  answered(R"(contacts.0.plasticity={"ratio":0.5,"surface_energy":1})",
           "plasticity.surface_energy: unknown key; it belongs beside \"plasticity\" here");
  answered(R"(stages=[{"name":"a","duration":1}])", "stages.0.duration: unknown key; it belongs into \"until\" here");
  answered(R"(stages=[{"name":"a","until":{"time":1}}])", "until.time: unknown key; it is called \"duration\" here");
  answered(R"(stages=[{"name":"a","boundaries":{"floor":{"velocity":[0,0,1]}}}])",
           "floor.velocity: unknown key; it belongs into \"motion\" here");
  answered(R"(boundaries.floor.servo={"pressure":1e5})", "servo.pressure: unknown key; it is called \"stress\" here");
  answered(R"(boundaries.a={"type":"cylinder","axis":[0,0,1],"radius":1,"material":"glass"})",
           "boundaries.a.axis: unknown key; it is not known here: \"from\" and \"to\" are the centres");
  answered(R"(boundaries.a={"type":"disc","radius":1,"material":"glass"})",
           "boundaries.a.type: unknown word \"disc\"; it is a \"mesh\" here");
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
  EXPECT_EQ(problems_with({"precision=64"}), List{"precision: must be one of the words \"mixed\", \"double\", got 64"});
  EXPECT_EQ(problems_with({R"(output.series={"every":0.1,"probes":{"soil":{"type":"triaxial","axis":[0,0,1]}}})"}),
            List{"output.series.probes.soil.axis: must be one of the words \"x\", \"y\", \"z\", got a list"});
  EXPECT_EQ(problems_with({"seed=-1"}), List{"seed: must be a whole number from 0, got -1"});
  EXPECT_EQ(problems_with({"particles.0.fill.count=2.5"}),
            List{"particles.0.fill.count: must be a whole number from 0, got 2.5"});
  EXPECT_EQ(problems_with({"particles.0.radius=[1, 2]"}),
            List{"particles.0.radius: must be a number or an object with one of the keys \"uniform\", \"normal\", "
                 "\"lognormal\", \"discrete\", \"sieve\", \"rosin_rammler\", got a list"});
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
  EXPECT_EQ(problems_of("{}"),
            (List{"time: is missing", "materials: is missing", "must have at least one of \"particles\", \"start\""}));
  EXPECT_EQ(problems_of(replaced(base, "\"density\": 2500, ", "")), List{"materials.glass.density: is missing"});
  EXPECT_EQ(problems_of(replaced(base, "\"type\": \"plane\", ", "")),
            List{"boundaries.floor.type: is missing; known are \"plane\", \"box\", \"cylinder\", \"cone\", "
                 "\"sphere\", \"mesh\""});
  EXPECT_EQ(problems_of(replaced(base, "\"radius\": 1e-3, ", "")),
            List{"particles.0.radius: is missing; all but \"file\" need it, or a \"diameter\""});
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
                 "\"above\", \"face\", got \"box\", "
                 "\"sphere\""});
  EXPECT_EQ(problems_with({R"(particles.0={"material": "glass", "radius": 1})"}),
            List{"particles.0: must have exactly one of \"fill\", \"lattice\", \"positions\", \"file\", \"inlet\", "
                 "\"membrane\", got none"});
  EXPECT_EQ(problems_with({R"(particles.0.radius={})"}),
            List{"particles.0.radius: must have exactly one of \"uniform\", \"normal\", \"lognormal\", \"discrete\", "
                 "\"sieve\", \"rosin_rammler\", got none"});
}

TEST(CaseErrors, AllAreReportedTogether) {
  EXPECT_EQ(
      problems_with({"gravty=1", "materials.glass.density=-1", "particles.0.material=glas",
                     "boundaries.floor.normal=[0,0,0]", "time.duration=long"}),
      (List{"time.duration: must be a number, got \"long\"", "materials.glass.density: must be greater than 0, got -1",
            "boundaries.floor.normal: must not be the zero vector", "gravty: unknown key; did you mean \"gravity\"?",
            "particles.0.material: unknown material \"glas\"; did you mean \"glass\"?"}));
}

}  // namespace scree::test::case_io_errors_test
