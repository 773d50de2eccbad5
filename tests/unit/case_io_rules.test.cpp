#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "case_errors.hpp"
#include "case_problems.hpp"
#include "scratch_folder.hpp"

namespace scree::test::case_io_rules_test {

TEST(CaseRules, BondsAndRollingResistance) {
  EXPECT_EQ(problems_with({"contacts.0.law=bonded"}), List{"contacts.0.bond: is missing; the law bonded needs it"});
  EXPECT_EQ(problems_with({"contacts.0.bond={\"tensile_strength\": 1, \"cohesion\": 2}"}),
            List{"contacts.0.bond: has no effect; only the law bonded has bonds"});
  EXPECT_EQ(problems_with({"contacts.0.law=bonded", "contacts.0.bond={\"tensile_strength\": 1}"}),
            List{"contacts.0.bond.cohesion: is missing"});
  EXPECT_EQ(problems_with({"contacts.0.rolling={\"friction\": 0.1}"}),
            List{"contacts.0.rolling.friction: has no effect without stiffness"});
  EXPECT_EQ(problems_with({"materials.glass.rolling={\"stiffness\": 1, \"friction\": 0.1}"}), List{});
}

TEST(CaseRules, TypesOfRollingResistance) {
  const auto with = [](const std::string& rolling) { return problems_with({"contacts.0.rolling={" + rolling + "}"}); };
  EXPECT_EQ(with(R"("type": "A", "friction": 0.1)"), List{});
  EXPECT_EQ(with(R"("type": "B", "viscosity": 0.1)"), List{});
  EXPECT_EQ(with(R"("type": "A", "friction": 0.1, "stiffness": 1)"),
            List{"contacts.0.rolling.stiffness: is for the type C; a moment of type A has no springs"});
  EXPECT_EQ(with(R"("type": "B", "friction": 0.1)"), List{"contacts.0.rolling.friction: is for the types A and C"});
  EXPECT_EQ(with(R"("type": "B", "viscosity": 1, "damping": 0.1)"),
            List{"contacts.0.rolling.damping: is for the type C; a moment of type B has no springs"});
  EXPECT_EQ(with(R"("viscosity": 1)"), List{"contacts.0.rolling.viscosity: is for the type B"});
}

TEST(CaseRules, WhenBondsAreMade) {
  const auto with = [](const std::string& bond) {
    return problems_with(
        {"contacts.0.law=bonded", R"(contacts.0.bond={"tensile_strength": 1, "cohesion": 2, )" + bond + "}"});
  };
  EXPECT_EQ(with(R"("form": "near", "form_until": 0.1, "weibull_modulus": 2)"), List{});
  EXPECT_EQ(with(R"("form_until": 0.1)"), List{"contacts.0.bond.form_until: has no effect without form \"near\""});
  EXPECT_EQ(with(R"("weibull_modulus": 0.5)"), List{"contacts.0.bond.weibull_modulus: must be at least 1, got 0.5"});
  EXPECT_EQ(with(R"("moment_contribution": 1)"), List{});
  EXPECT_EQ(with(R"("moment_contribution": 1.5)"),
            List{"contacts.0.bond.moment_contribution: must be in [0, 1], got 1.5"});
}

TEST(CaseRules, NeighbourSearch) {
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

TEST(CaseRules, SizeDistributions) {
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
                  "particles.0.radius.sieve.passing.2.0: must be at least the size before it, 2, got 1.5",
                  "particles.0.radius.sieve.passing.0.1: the first fraction must be 0, got 0.1",
                  "particles.0.radius.sieve.passing.2.1: the last fraction must be 1, got 0.9"}));
  EXPECT_EQ(with_radius(R"({"sieve": {"passing": [[4, 1], [2, 0.3], [1, 0]]}})"),
            List{"particles.0.radius.sieve.passing: must begin with the smallest size, got the largest one first: turn "
                 "the list round"});
  EXPECT_EQ(with_radius(R"({"sieve": {"passing": [[1, 1]]}})"),
            List{"particles.0.radius.sieve.passing: must have at least 2 entries, got 1"});
  EXPECT_EQ(with_radius(R"({"sieve": {"passing": [[1, 0], [2, 100]]}})"),
            List{"particles.0.radius.sieve.passing.1.1: the last fraction must be 1, got 100; fractions are from 0 to "
                 "1, not in percent"});
  EXPECT_EQ(problems_with({R"(particles.0.diameter={"uniform": [2, 1]})"}),
            List{"particles.0.diameter.uniform.1: must be at least the smallest radius 2, got 1"});
  EXPECT_EQ(problems_with({"particles.0.radius=1", "particles.0.diameter=2"}),
            List{"particles.0.diameter: is not allowed with \"radius\"; give one of them"});
  EXPECT_EQ(problems_with({"particles.0.scale=0.001"}), List{"particles.0.scale: is only allowed with \"file\""});
  EXPECT_EQ(problems_with({"particles.0.translate=[1, 0, 0]"}),
            List{"particles.0.translate: is only allowed with \"file\""});
}

TEST(CaseRules, DegenerateGeometry) {
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

TEST(CaseRules, MotionsAndDrives) {
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
  EXPECT_EQ(with_drive("{}"),
            List{"boundaries.floor.drive: must have \"translation\", \"rotation\" or both, or \"body\""});
  EXPECT_EQ(with_drive(R"({"body": {"density": 1}, "translation": {"mass": 1}})"),
            List{"boundaries.floor.drive.body: moves and turns in all directions; it excludes \"translation\" and "
                 "\"rotation\""});
  EXPECT_EQ(with_drive(R"({"body": {"density": 1}})"),
            (List{"boundaries.floor.drive.body: needs a mesh",
                  "boundaries.floor.motion: is not possible for a free body, which forces move"}));
  EXPECT_EQ(with_drive(R"({"translation": {"mass": 0}})"),
            List{"boundaries.floor.drive.translation.mass: must be greater than 0, got 0"});
  EXPECT_EQ(with_drive(R"({"translation": {"mass": 1, "free": ["x", "x"], "velocity": [1, 2, 0]}})"),
            (List{"boundaries.floor.drive.translation.free.1: \"x\" is listed twice",
                  "boundaries.floor.drive.translation.velocity.1: must be 0, since \"y\" is not free, got 2"}));
  EXPECT_EQ(with_drive(R"({"rotation": {"inertia": 1, "axis": [0, 0, 0]}})"),
            List{"boundaries.floor.drive.rotation.axis: must not be the zero vector"});
}

TEST(CaseRules, MissingFiles) {
  EXPECT_EQ(problems_with({R"(particles.0={"material": "glass", "file": "packing.csv"})"}),
            List{"particles.0.file: there is no file \"/nowhere/packing.csv\""});
  EXPECT_EQ(problems_with({R"(boundaries.floor={"type": "mesh", "file": "/tmp", "material": "steel"})"}),
            List{"boundaries.floor.file: must name a file, but \"/tmp\" is a folder"});
  try {
    (void)read_case("/nowhere/case.json");
    FAIL();
  } catch (const CaseError& error) { EXPECT_STREQ(error.what(), "/nowhere/case.json: there is no such case file"); }
}

TEST(CaseRules, AMissingFileOffersOneBesideIt) {
  const ScratchFolder folder;
  write_text(folder / "bin_mm.stl", "x");
  write_text(folder / "other.obj", "x");
  const auto found = [&](const std::string& name) {
    const std::string path = (folder / name).string();
    return problems_with({R"(boundaries.floor={"type": "mesh", "material": "steel", "file": ")" + path + "\"}"}).at(0);
  };
  EXPECT_TRUE(found("Bin_mm.STL").ends_with("Bin_mm.STL\"; did you mean \"bin_mm.stl\"?")) << found("Bin_mm.STL");
  EXPECT_TRUE(found("bin_m.stl").ends_with("; did you mean \"bin_mm.stl\"?"));
  EXPECT_TRUE(found("hopper.ply").ends_with("hopper.ply\"")) << found("hopper.ply");
  EXPECT_TRUE(found("away/bin_mm.stl").ends_with("away/bin_mm.stl\"")) << "there is no such folder";
}

TEST(CaseRules, FileAndRadiusExcludeEachOther) {
  const auto found = problems_with({R"(particles.0={"material": "glass", "file": "packing.csv", "radius": 1})"});
  EXPECT_EQ(found, List{"particles.0.file: there is no file \"/nowhere/packing.csv\""});
  const std::string here = std::string(SCREE_SOURCE_DIR) + "/configs/minimal.json";
  EXPECT_EQ(problems_with({R"(particles.0={"material": "glass", "radius": 1, "file": ")" + here + "\"}"}),
            List{"particles.0.radius: is not allowed with \"file\", which gives the radii"});
}

TEST(CaseRules, ContactRules) {
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

TEST(CaseRules, ValuesGoWithTheLawOfTheirRule) {
  EXPECT_EQ(
      problems_with({"contacts.0.law=cundall_strack", "contacts.0.restitution=0.5"}),
      List{"contacts.0.restitution: does not apply to cundall_strack, only to hertz_mindlin, "
           "hertz_mindlin_rescaled, hertz_mindlin_dmt, mindlin_reversal, jkr, linear_spring_dashpot, jaeger, eepa "
           "and luding"});
  EXPECT_EQ(problems_with({"contacts.0.normal_stiffness=1e5"}),
            List{"contacts.0.normal_stiffness: does not apply to hertz_mindlin, only to cundall_strack, "
                 "linear_spring_dashpot and luding"});
  EXPECT_EQ(problems_with({"contacts.0.law=linear_spring_dashpot", "contacts.0.young_modulus=1e7"}),
            List{"contacts.0.young_modulus: does not apply to linear_spring_dashpot, only to hertz_mindlin, "
                 "hertz_mindlin_rescaled, hertz_mindlin_dmt, mindlin_reversal, jkr, jaeger and eepa"});
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

TEST(CaseRules, FilmsNeedBridgesAndTheReverse) {
  const std::string bridges = R"(contacts.0.liquid={"surface_tension": 0.07, "volume": 1e-12, "from_films": true})";
  EXPECT_EQ(problems_with({bridges, "particles.0.film=0.01"}), List{});
  EXPECT_EQ(problems_with({bridges, "particles.0.film=1.5"}), List{"particles.0.film: must be in [0, 1], got 1.5"});
  EXPECT_EQ(problems_with({bridges}),
            List{"contacts.0.liquid.from_films: finds no liquid: no entry of \"particles\" has a \"film\""});
  const std::string why = ": has no effect unless a rule of contacts has \"liquid\" with \"from_films\"";
  EXPECT_EQ(problems_with({"particles.0.film=0.01"}), List{"particles.0.film" + why});
  EXPECT_EQ(problems_with({R"(output.frames={"every": 1, "fields": ["id", "film"]})"}),
            List{"output.frames.fields.1" + why});
}

TEST(CaseRules, LossesOfLevelSetGrainsAreNotKnown) {
  const std::string grain = R"(shapes.egg={"type": "level_set", "sphere": {"radius": 1e-3}, "grid_spacing": 1e-4})";
  const std::string probe = R"(output.series={"every": 1, "probes": {"p": {"type": "dissipation"}}})";
  const std::string frames = R"(output.frames={"every": 1, "fields": ["dissipated_energy"]})";
  EXPECT_EQ(problems_with({probe, frames}), List{});
  EXPECT_EQ(problems_with({grain, probe, frames}), (List{"output.frames.fields.0: is not possible with level-set "
                                                         "grains, such as \"egg\", whose losses are not summed up",
                                                         "output.series.probes.p: is not possible with level-set "
                                                         "grains, such as \"egg\", whose losses are not summed up"}));
}

TEST(CaseRules, OnlyInletsHaveFaces) {
  const std::string probe =
      R"({"type": "content", "region": {"face": {"disc": {"center": [0, 0, 0], "normal": [0, 0, 1], "radius": 1}}}})";
  const std::string why = ".region.face: is a surface without a volume; only inlets can have it";
  EXPECT_EQ(problems_with({"output.series={\"every\": 1, \"probes\": {\"p\": " + probe + "}}"}),
            List{"output.series.probes.p" + why});
  const std::string measure = R"({"measure": {"column": "particles", "above": 1, "probe": )" + probe + "}}";
  EXPECT_EQ(problems_with({R"(stages=[{"name": "a", "until": )" + measure + "}]"}),
            List{"stages.0.until.measure.probe" + why});
  EXPECT_EQ(problems_with({R"(stages=[{"name": "a", "until": {"all_of": [)" + measure + "]}}]"}),
            List{"stages.0.until.all_of.0.measure.probe" + why});
}

TEST(CaseRules, CohesionLiquidAndPlasticity) {
  EXPECT_EQ(problems_with({"contacts.0.cohesion.energy_density=1e4"}), List{});
  EXPECT_EQ(
      problems_with({"contacts.0.law=jkr", "contacts.0.surface_energy=0.1", "contacts.0.cohesion.energy_density=1e4"}),
      List{"contacts.0.cohesion: does not apply to jkr, only to hertz_mindlin and linear_spring_dashpot"});
  EXPECT_EQ(problems_with({R"(contacts.0.cohesion={"energy_density": 1e4})",
                           R"(contacts.0.liquid={"surface_tension": 0.07, "volume": 1e-12})"}),
            List{"contacts.0.cohesion: excludes liquid; give one of them"});
  EXPECT_EQ(problems_with({R"(contacts.0.liquid={"surface_tension": 0.07})"}),
            List{"contacts.0.liquid.volume_fraction: is missing; give it, or the volume of a bridge"});
  EXPECT_EQ(problems_with({R"(contacts.0.liquid={"surface_tension": 0.07, "volume": 1e-12, "volume_fraction": 0.1})"}),
            List{"contacts.0.liquid.volume: excludes volume_fraction; give one of them"});
  EXPECT_EQ(
      problems_with({R"(contacts.0.liquid={"surface_tension": 0.07, "volume": 1e-12, "viscosity": 0.01})"}),
      List{"contacts.0.liquid.roughness: is missing; a viscous liquid needs it, since its force grows as surfaces "
           "come near"});
  EXPECT_EQ(problems_with({R"(contacts.0.liquid={"surface_tension": 0.07, "volume": 1e-12, "roughness": 1e-6})"}),
            List{"contacts.0.liquid.roughness: has no effect without \"viscosity\""});
  EXPECT_EQ(problems_with({"contacts.0.law=eepa"}), List{"contacts.0.plasticity: is needed by eepa"});
  EXPECT_EQ(problems_with({"contacts.0.plasticity.ratio=0.5"}),
            List{"contacts.0.plasticity: does not apply to hertz_mindlin, only to eepa and luding"});
  EXPECT_EQ(problems_with({"contacts.0.law=luding", R"(contacts.0.plasticity={"ratio": 0.5, "adhesion": 0.2})",
                           "contacts.0.surface_energy=0.1"}),
            List{"contacts.0.surface_energy: excludes plasticity.adhesion; give one of them"});
}

TEST(CaseRules, ARotationHasOneRate) {
  const auto with = [](const std::string& rate) {
    return problems_with({R"(boundaries.floor.motion.0={"type": "rotation", "axis": [0, 0, 1])" + rate + "}"});
  };
  const std::string one = R"(boundaries.floor.motion.0: must have exactly one of "rate", "rpm", got )";
  EXPECT_EQ(with(R"(, "rpm": 30)"), List{});
  EXPECT_EQ(with(R"(, "rate": 0)"), List{});
  EXPECT_EQ(with(""), List{one + "none"});
  EXPECT_EQ(with(R"(, "rate": 1, "rpm": 2)"), List{one + R"("rate", "rpm")"});
  const List driven = problems_with({R"(boundaries.floor.drive.rotation={"inertia": 1, "axis": [0, 0, 1], "rpm": 3})"});
  EXPECT_IN("boundaries.floor.drive.rotation.rpm: unknown key; it belongs to \"motion\" of type", driven.at(0));
}

// What is written is read again: a rotation by rpm has no rate beside it, and one at rest keeps its rate of 0.
TEST(CaseRules, RatesAreWrittenAsTheyWereGiven) {
  const auto again = [](const std::string& rate) {
    const Case input = parse_case(
        base, "/nowhere", {R"(boundaries.floor.motion.0={"type": "rotation", "axis": [0, 0, 1], )" + rate + "}"});
    const Case copy = parse_case(write_case(input), "/nowhere");
    return std::get<Rotation>(copy.boundaries.at(0).second.motion.at(0).kind);
  };
  EXPECT_EQ(again(R"("rpm": 30)").rpm, 30);
  EXPECT_FALSE(again(R"("rate": 0)").rpm);
  EXPECT_EQ(again(R"("rate": 0)").rate, 0);
}

TEST(CaseRules, HertzMindlinNeedsRestitution) {
  const auto bare = replaced(replaced(base, ", \"restitution\": 0.8", ""), ", \"restitution\": 0.6", "");
  EXPECT_EQ(problems_of(bare),
            (List{"materials.glass.restitution: is missing; hertz_mindlin needs it for \"glass\" and \"glass\"",
                  "contacts: hertz_mindlin needs a restitution for \"glass\" and \"steel\": give it in their rule or "
                  "materials"}));
  EXPECT_EQ(problems_of(bare, {"contacts.0.restitution=0.5", "contacts.1.restitution=0.5"}), List{});
  EXPECT_EQ(problems_of(bare, {"contacts.0.law=cundall_strack", "contacts.1.law=cundall_strack"}), List{});
  // Boundaries never touch each other, so steel alone needs no value.
  EXPECT_EQ(problems_of(bare, {"contacts.0.restitution=0.5", "materials.glass.restitution=0.5"}), List{});
}

}  // namespace scree::test::case_io_rules_test
