#include "host/case/parcels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "case_in_folder.hpp"
#include "host/checkpoint/checkpoint_file.hpp"
#include "host/commands/check.hpp"
#include "host/scene/contact_rules.hpp"
#include "start_runs.hpp"

/// A case of parcels is the case of their grains with every value times its power of the scale. The values here are
/// such that twice of them is exact.
namespace scree::test::parcels_test {

/// Every value that is scaled, of grains, and the same of parcels of twice their size.
struct Scaled {
  const char* what;
  const char *grains, *parcels;
};

const std::string materials = R"("materials": {
  "glass": { "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.75 },
  "steel": { "density": 7800, "young_modulus": 1e9, "poisson_ratio": 0.3, "friction": 0.2, "restitution": 0.5,
             "rolling": { "stiffness": 0.5, "friction": 0.1, "damping": 0.2 } } },)";

std::string whole(const std::string& part, const std::string& key = "") {
  return "{" + key + R"("time": { "duration": 0.001 }, )" + materials + part + "}";
}
/// With a fill of one sphere each of glass and steel.
std::string with_spheres(const std::string& part, bool of_parcels) {
  return part + R"("particles": [ { "material": "glass", "radius": )" + (of_parcels ? "0.002" : "0.001") +
         R"(, "group": "all", "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "count": 1 } },
                { "material": "steel", "radius": )" +
         (of_parcels ? "0.002" : "0.001") + R"(, "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "count": 1 } } ])";
}

const std::vector<Scaled> rules{
    {"Hertz", R"("law": "hertz_mindlin", "young_modulus": 5e6, "shear_modulus": 2e6, "friction": 0.3)", ""},
    {"rescaled", R"("law": "hertz_mindlin_rescaled", "restitution_tangential": 0.25)", ""},
    {"reversal", R"("law": "mindlin_reversal")", ""},
    {"jaeger", R"("law": "jaeger", "rolling": {}, "load_history": { "merging": 0.01, "most_segments": 8 })", ""},
    {"dmt", R"("law": "hertz_mindlin_dmt", "surface_energy": 0.25)",
     R"("law": "hertz_mindlin_dmt", "surface_energy": 0.5)"},
    {"jkr", R"("law": "jkr", "surface_energy": 0.25)", R"("law": "jkr", "surface_energy": 0.5)"},
    {"cundall_strack", R"("law": "cundall_strack", "normal_stiffness": 1e4, "shear_stiffness": 5e3)",
     R"("law": "cundall_strack", "normal_stiffness": 2e4, "shear_stiffness": 1e4)"},
    {"bonded", R"("law": "bonded", "bond": { "tensile_strength": 1e5, "cohesion": 2e5, "interaction_range": 1.25,
       "strain": "logarithmic", "moment_contribution": 0.5 },
       "rolling": { "type": "C", "stiffness": 0.5, "twisting_stiffness": 0.25 })",
     ""},
    {"eepa", R"("law": "eepa", "surface_energy": 0.25, "plasticity": { "ratio": 0.5, "pull_off": 1e-5 })",
     R"("law": "eepa", "surface_energy": 0.5, "plasticity": { "ratio": 0.5, "pull_off": 4e-5 })"},
    {"luding", R"("law": "luding", "contact_time": 1e-4, "plasticity": { "ratio": 0.5, "adhesion": 0.25 })",
     R"("law": "luding", "contact_time": 2e-4, "plasticity": { "ratio": 0.5, "adhesion": 0.25 })"},
    {"contact time", R"("law": "linear_spring_dashpot", "contact_time": 1e-4, "exact_restitution": true)",
     R"("law": "linear_spring_dashpot", "contact_time": 2e-4, "exact_restitution": true)"},
    {"dashpots", R"("law": "linear_spring_dashpot", "normal_stiffness": 1e4, "shear_stiffness": 5e3,
       "normal_damping": 0.25, "shear_damping": 0.125)",
     R"("law": "linear_spring_dashpot", "normal_stiffness": 2e4, "shear_stiffness": 1e4,
       "normal_damping": 1, "shear_damping": 0.5)"},
    {"moduli", R"("law": "linear_spring_dashpot")", ""},
    {"cohesion", R"("law": "hertz_mindlin", "cohesion": { "energy_density": 1e4, "area": "intersection" })", ""},
    {"liquid volume", R"("law": "hertz_mindlin", "liquid": { "surface_tension": 0.07, "contact_angle": 0.2,
       "volume": 1e-12, "viscosity": 0.01, "roughness": 1e-6 })",
     R"("law": "hertz_mindlin", "liquid": { "surface_tension": 0.14, "contact_angle": 0.2, "volume": 8e-12,
       "viscosity": 0.02, "roughness": 2e-6 })"},
    {"liquid fraction", R"("law": "linear_spring_dashpot", "liquid": { "surface_tension": 0.07,
       "volume_fraction": 0.01 })",
     R"("law": "linear_spring_dashpot", "liquid": { "surface_tension": 0.14, "volume_fraction": 0.01 })"}};

const std::vector<Scaled> parts{
    {"group", R"("groups": { "all": { "force": [0, 0, 1e-3], "torque": [0, 1e-6, 0], "fixed": ["rx"],
       "angular_velocity": [4, 0, 0], "damping": 0.1 } },)",
     R"("groups": { "all": { "force": [0, 0, 8e-3], "torque": [0, 8e-6, 0], "fixed": ["rx"],
       "angular_velocity": [2, 0, 0], "damping": 0.1 } },)"},
    {"stages",
     R"("groups": { "all": {} }, "domain": { "outlets": { "out": { "point": [0, 0, -1], "normal": [0, 0, -1] } } }, "stages": [
       { "name": "a", "groups": { "all": { "force": [0, 0, 1e-3], "torque": [1e-6, 0, 0] } },
         "until": { "kinetic_energy": 1e-9, "not_before": 0.1, "speed": 0.1, "at_most": 0, "at_least": 800,
                    "all_of": [ { "at_most": 80, "kinetic_energy": 2e-9 }, { "duration": 1 } ] } },
       { "name": "b", "groups": { "all": { "fixed": ["rz"], "angular_velocity": [0, 0, 6] } },
         "until": { "removed": { "by": "out", "at_least": 16 } } },
       { "name": "c", "until": { "removed": { "by": "out", "at_least": 1 }, "at_most": 5 } } ],)",
     R"("groups": { "all": {} }, "domain": { "outlets": { "out": { "point": [0, 0, -1], "normal": [0, 0, -1] } } }, "stages": [
       { "name": "a", "groups": { "all": { "force": [0, 0, 8e-3], "torque": [8e-6, 0, 0] } },
         "until": { "kinetic_energy": 8e-9, "not_before": 0.1, "speed": 0.1, "at_most": 0, "at_least": 100,
                    "all_of": [ { "at_most": 10, "kinetic_energy": 1.6e-8 }, { "duration": 1 } ] } },
       { "name": "b", "groups": { "all": { "fixed": ["rz"], "angular_velocity": [0, 0, 3] } },
         "until": { "removed": { "by": "out", "at_least": 2 } } },
       { "name": "c", "until": { "removed": { "by": "out", "at_least": 1 }, "at_most": 1 } } ],)"},
    {"lists and probes", R"("groups": { "all": {} }, "neighbours": { "verlet_distance": 1e-4 }, "output": { "series":
       { "every": 0.1, "probes": { "m": { "type": "mixing", "of": { "larger_than": 1.5e-3 }, "sample": 0.01 } } } },)",
     R"("groups": { "all": {} }, "neighbours": { "verlet_distance": 2e-4 }, "output": { "series":
       { "every": 0.1, "probes": { "m": { "type": "mixing", "of": { "larger_than": 3e-3 }, "sample": 0.01 } } } },)"},
    {"what is left", R"("groups": { "all": {} }, "neighbours": { "verlet_distance": { "of_smallest_radius": 0.2 } },
       "integration": { "damping": 0.1, "viscous_damping": 3 }, "gravity": [0, 0, -1],)",
     ""}};

/// Fills, inlets and shapes, each with its sizes and numbers.
const std::vector<Scaled> entries{
    {"fill", R"({ "material": "glass", "radius": { "uniform": [1e-3, 2e-3] }, "angular_velocity": [8, 0, 0],
       "velocity": [1, 0, 0], "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "count": 83 } })",
     R"({ "material": "glass", "radius": { "uniform": [2e-3, 4e-3] }, "angular_velocity": [4, 0, 0],
       "velocity": [1, 0, 0], "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "count": 10 } })"},
    {"fraction", R"({ "material": "glass", "radius": { "normal": { "mean": 2e-3, "deviation": 5e-4, "min": 1e-3,
       "max": 3e-3 } }, "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "solid_fraction": 0.2 } })",
     R"({ "material": "glass", "radius": { "normal": { "mean": 4e-3, "deviation": 1e-3, "min": 2e-3,
       "max": 6e-3 } }, "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "solid_fraction": 0.2 } })"},
    {"mixture", R"({ "mixture": [
       { "mass_fraction": 0.5, "material": "glass", "radius": { "lognormal": { "median": 2e-3, "deviation": 0.5,
         "min": 1e-3, "max": 3e-3 } } },
       { "mass_fraction": 0.5, "material": "steel", "shape": "pair", "radius": { "discrete": { "values": [1e-3, 2e-3],
         "weights": [1, 2] } } } ], "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "count": 400 } })",
     R"({ "mixture": [
       { "mass_fraction": 0.5, "material": "glass", "radius": { "lognormal": { "median": 4e-3, "deviation": 0.5,
         "min": 2e-3, "max": 6e-3 } } },
       { "mass_fraction": 0.5, "material": "steel", "shape": "pair", "radius": { "discrete": { "values": [2e-3, 4e-3],
         "weights": [1, 2] } } } ], "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]], "count": 50 } })"},
    {"shapes", R"({ "material": "glass", "shape": "pair", "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]],
       "count": 80 } }, { "material": "glass", "shape": "ball", "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]],
       "count": 3 } })",
     R"({ "material": "glass", "shape": "pair", "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]],
       "count": 10 } }, { "material": "glass", "shape": "ball", "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]],
       "count": 1 } })"},
    {"rate", R"({ "material": "glass", "radius": { "sieve": { "passing": [[1e-3, 0], [2e-3, 1]] } }, "inlet":
       { "rate": 8000, "count": 800, "mass": 0.1, "angular_velocity": [0, 4, 0], "velocity": [0, 0, -1],
         "region": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]] } } })",
     R"({ "material": "glass", "radius": { "sieve": { "passing": [[2e-3, 0], [4e-3, 1]] } }, "inlet":
       { "rate": 1000, "count": 100, "mass": 0.1, "angular_velocity": [0, 2, 0], "velocity": [0, 0, -1],
         "region": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]] } } })"},
    {"mass flow", R"({ "material": "glass", "radius": { "rosin_rammler": { "characteristic": 2e-3, "exponent": 3,
       "min": 1e-3, "max": 3e-3 } }, "inlet": { "mass_flow": 0.1, "region": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]] } } })",
     R"({ "material": "glass", "radius": { "rosin_rammler": { "characteristic": 4e-3, "exponent": 3,
       "min": 2e-3, "max": 6e-3 } }, "inlet": { "mass_flow": 0.1,
       "region": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]] } } })"}};
const std::string grain_shapes = R"("shapes": {
  "pair": { "type": "clump", "spheres": [ { "center": [-1, 0, 0], "radius": 1.5 }, { "center": [1, 0, 0],
    "radius": 1.5 } ], "scale": 1e-3 },
  "ball": { "type": "level_set", "sphere": { "radius": 1e-3 }, "grid_spacing": 2.5e-4 } },)";
const std::string parcel_shapes = R"("shapes": {
  "pair": { "type": "clump", "spheres": [ { "center": [-1, 0, 0], "radius": 1.5 }, { "center": [1, 0, 0],
    "radius": 1.5 } ], "scale": 2e-3 },
  "ball": { "type": "level_set", "sphere": { "radius": 2e-3 }, "grid_spacing": 5e-4 } },)";

class ParcelCase : public CaseInFolder {
 protected:
  ParcelCase() : CaseInFolder("{}") {}

  [[nodiscard]] Case read(const std::string& text) const { return parse_case(text, folder.path()); }
  static Scene scene_of(const Case& input) {
    SceneReport report;
    return build_scene(input, report);
  }

  /// The case of parcels is the other, in all values, and its scene as well, in all bits.
  void expect_same(const char* what, const std::string& grains, const std::string& parcels) const {
    const Case input = read(whole(grains, R"("parcels": { "scale": 2 }, )")), other = read(whole(parcels));
    EXPECT_EQ(write_case(as_parcels(input)), write_case(other)) << what;
    EXPECT_EQ(write_case(as_parcels(as_parcels(input))), write_case(other)) << what;
    const Scene a = scene_of(input), b = scene_of(other);
    EXPECT_EQ(scene_hash(a), scene_hash(b)) << what;
    EXPECT_EQ(a.particles.position, b.particles.position) << what;
    EXPECT_EQ(a.particles.radius, b.particles.radius) << what;
    EXPECT_EQ(a.particles.angular_velocity, b.particles.angular_velocity) << what;
    EXPECT_EQ(a.time_step, b.time_step) << what;
    EXPECT_EQ(a.verlet_distance, b.verlet_distance) << what;
    EXPECT_EQ(a.interaction_range, b.interaction_range) << what;
    ASSERT_EQ(a.pairs.size(), b.pairs.size());
    for (std::size_t k = 0; k < a.pairs.size(); ++k) expect_same_pair(what, a.pairs[k], b.pairs[k]);
    EXPECT_EQ(make_engine(a, {BackendChoice::host, 1})->hash().text(),
              make_engine(b, {BackendChoice::host, 1})->hash().text());
    EXPECT_EQ(a.parcel_scale, 2);
    EXPECT_EQ(b.parcel_scale, 1);
  }

 private:
  static void expect_same_pair(const char* what, const MaterialPair& a, const MaterialPair& b) {
    EXPECT_EQ(a.damping_ratio, b.damping_ratio) << what;
    EXPECT_EQ(a.restitution, b.restitution) << what;
    EXPECT_EQ(a.surface_energy, b.surface_energy) << what;
    EXPECT_EQ(a.springs.stiffness_per_mass, b.springs.stiffness_per_mass) << what;
    EXPECT_EQ(a.springs.stiffness, b.springs.stiffness) << what;
    EXPECT_EQ(a.springs.dashpot, b.springs.dashpot) << what;
    EXPECT_EQ(a.rolling.stiffness, b.rolling.stiffness) << what;
    EXPECT_EQ(a.bond.gap, b.bond.gap) << what;
    EXPECT_EQ(a.plasticity.pull_off, b.plasticity.pull_off) << what;
    EXPECT_EQ(a.effective_young, b.effective_young) << what;
  }
};

TEST_F(ParcelCase, EveryLawIsTheOneWithScaledValues) {
  for (const Scaled& rule : rules) {
    const auto with = [&](const char* values, bool of_parcels) {
      return with_spheres(
          R"("groups": { "all": {} }, "contacts": [ { "between": ["*", "*"], )" + std::string(values) + " } ],",
          of_parcels);
    };
    expect_same(rule.what, with(rule.grains, false), with(*rule.parcels != 0 ? rule.parcels : rule.grains, true));
  }
}

TEST_F(ParcelCase, BondsOfGrains) {
  const auto with = [&](const std::string& values, const std::string& key, bool of_parcels) {
    return read(whole(with_spheres(R"("groups": { "all": {} }, "contacts": [ { "between": ["*", "*"], "law": "bonded",
      "bond": { "tensile_strength": 1e5, "cohesion": 2e5, )" +
                                       values + R"(, "damping": 0.1 } } ], )",
                                   of_parcels),
                      key));
  };
  EXPECT_EQ(write_case(as_parcels(with(R"("gap": 1e-5, "normal_stiffness": 4e10, "shear_stiffness": 2e10)",
                                       R"("parcels": { "scale": 2 }, )", false))),
            write_case(with(R"("gap": 2e-5, "normal_stiffness": 2e10, "shear_stiffness": 1e10)", "", true)));
}

TEST_F(ParcelCase, EveryOtherValueIsScaledOrLeft) {
  for (const Scaled& part : parts) {
    expect_same(part.what, with_spheres(part.grains, false),
                with_spheres(*part.parcels != 0 ? part.parcels : part.grains, true));
  }
}

TEST_F(ParcelCase, SizesAndNumbersOfParticles) {
  for (const Scaled& entry : entries) {
    const auto with = [](const std::string& shapes, const char* list) {
      return shapes + R"("particles": [ )" + list + " ]";
    };
    expect_same(entry.what, with(grain_shapes, entry.grains), with(parcel_shapes, entry.parcels));
  }
}

TEST_F(ParcelCase, DeformationsOfGrains) {
  const auto with = [&](const std::string& form, const std::string& modes, const std::string& key) {
    return read(whole(R"("shapes": { "soft": { "type": "level_set", )" + form + R"(, "deformation": { )" + modes +
                          R"( } } }, "particles": [ { "material": "glass", "shape": "soft",
                                                      "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 1 } } ])",
                      key));
  };
  const std::string two = R"("parcels": { "scale": 2 }, )";
  const std::string grains = R"("forms": ["strain_xx"], "mass": [1e-6], "damping_ratio": 0.5,
    "damping_coefficient": 0.25, "damping_by_stiffness": 1e-4, )";
  const std::string parcels = R"("forms": ["strain_xx"], "mass": [8e-6], "damping_ratio": 0.5,
    "damping_coefficient": 1, "damping_by_stiffness": 2e-4, )";
  for (const auto& [form, scaled] : std::vector<std::pair<std::string, std::string>>{
           {R"("box": { "half_edges": [1, 2, 3] })", R"("box": { "half_edges": [2, 4, 6] })"},
           {R"("capsule": { "radius": 1, "half_length": 2 })", R"("capsule": { "radius": 2, "half_length": 4 })"},
           {R"("cylinder": { "radius": 1, "half_height": 2 })", R"("cylinder": { "radius": 2, "half_height": 4 })"},
           {R"("torus": { "major_radius": 2, "minor_radius": 1 })",
            R"("torus": { "major_radius": 4, "minor_radius": 2 })"},
           {R"("superellipsoid": { "half_axes": [1, 2, 3] })", R"("superellipsoid": { "half_axes": [2, 4, 6] })"}}) {
    EXPECT_EQ(write_case(as_parcels(with(form + R"(, "grid_spacing": 0.25)", grains + R"("stiffness": [1e4])", two))),
              write_case(with(scaled + R"(, "grid_spacing": 0.5)", parcels + R"("stiffness": [2e4])", "")));
    EXPECT_EQ(write_case(as_parcels(with(form + R"(, "grid_spacing": 0.25)", grains + R"("table": [[1e-3, 2]])", two))),
              write_case(with(scaled + R"(, "grid_spacing": 0.5)", parcels + R"("table": [[2e-3, 8]])", "")));
  }
}

TEST_F(ParcelCase, WhatPlacesEachParticleIsRefused) {
  std::ofstream(folder.path() / "some.csv") << "x,y,z,radius\n0,0,0,1\n";
  std::ofstream(folder.path() / "own.h5") << "x";
  const auto error = [&](const std::string& entry, const std::string& more = "") {
    return error_of(
        [&] { (void)read(whole(more + R"("particles": [ )" + entry + " ]", R"("parcels": { "scale": 2 }, )")); });
  };
  EXPECT_IN("particles.0.file: does not go with \"parcels\": it places each particle",
            error(R"({ "material": "glass", "file": "some.csv" })"));
  EXPECT_IN(
      "particles.0.lattice: does not go with \"parcels\"",
      error(R"({ "material": "glass", "radius": 1, "lattice": { "box": [[0, 0, 0], [9, 9, 9]], "spacing": 3 } })"));
  EXPECT_IN("particles.0.radius: is missing; with \"parcels\" it gives the size of the grains of a template",
            error(R"({ "material": "glass", "shape": "own", "fill": { "box": [[0, 0, 0], [9, 9, 9]], "count": 9 } })",
                  R"("shapes": { "own": { "type": "level_set", "file": "own.h5" } }, )"));
  const std::string plain = R"("groups": { "all": {} }, )";
  EXPECT_IN("parcels.scale: must be in [1, 1000], got 0.5",
            error_of([&] { (void)read(whole(with_spheres(plain, false), R"("parcels": { "scale": 0.5 }, )")); }));
}

// 1 - e^2 of impacts between particles is twice that of the grains; walls keep theirs.
TEST_F(ParcelCase, ScaledRestitutionLosesTwiceAsMuch) {
  const std::string walls = R"("groups": { "all": {} }, "boundaries": { "floor": { "type": "plane", "point": [0, 0, -1],
    "normal": [0, 0, 1], "material": "wood" } }, )";
  const auto scene = [&](double glass, const std::string& restitution, const std::string& more = "") {
    const std::string key = R"("parcels": { "scale": 2, "restitution": ")" + restitution + R"(" }, )";
    std::string text = whole(more + with_spheres(walls, false), key);
    text.replace(text.find(R"("restitution": 0.75)"), 19, R"("restitution": )" + std::to_string(glass));
    text.replace(text.find(R"("restitution": 0.5,)"), 19, R"("restitution": 0.95,)");
    text.insert(text.find(R"("glass")"), R"("wood": { "density": 700, "young_modulus": 1e7, "poisson_ratio": 0.25,
      "friction": 0.4, "restitution": 0.3 }, )");
    return scene_of(read(text));
  };
  const auto e = [](const Scene& of, std::size_t a, std::size_t b) { return of.pair(a, b).restitution; };
  const Scene same = scene(0.9, "same"), scaled = scene(0.9, "scaled");
  for (const auto& [a, b, grains] :
       std::vector<std::tuple<std::size_t, std::size_t, double>>{{1, 1, 0.9}, {1, 2, 0.9}, {2, 2, 0.95}}) {
    EXPECT_EQ(e(same, a, b), grains);
    EXPECT_NEAR(1 - e(scaled, a, b) * e(scaled, a, b), 2 * (1 - grains * grains), 1e-14);
    EXPECT_EQ(scaled.pair(a, b).damping_ratio, damping_ratio(e(scaled, a, b)));
  }
  for (const std::size_t particle : {1, 2}) EXPECT_EQ(e(scaled, 0, particle), 0.3);
  EXPECT_IN(
      "materials.glass.restitution: must be at least 0.708 with parcels.restitution \"scaled\": impacts of parcels "
      "lose 2 times the part 1 - e^2 of those of grains, got 0.6",
      error_of([&] { (void)scene(0.6, "scaled"); }));
  EXPECT_IN("contacts.0.normal_damping: does not go with parcels.restitution \"scaled\"; give a restitution",
            error_of([&] {
              (void)scene(0.9, "scaled", R"("contacts": [ { "between": ["*", "*"], "law": "linear_spring_dashpot",
                "normal_stiffness": 1e4, "shear_stiffness": 1e4, "normal_damping": 1, "shear_damping": 1 } ], )");
            }));
}

TEST_F(ParcelCase, ReportsSayForHowManyGrainsTheyStand) {
  EXPECT_EQ(particle_count_text(1000, 1), "1 000");
  EXPECT_EQ(particle_count_text(1, 3), "1 parcel for 27 grains");
  EXPECT_EQ(grains_of(1'000'000'000, 10), 1'000'000'000'000U);
  std::ofstream(folder.path() / "case.json") << whole(
      R"("particles": [ { "material": "glass", "radius": 1e-3, "fill": { "box": [[0, 0, 0], [0.1, 0.1, 0.1]],
          "count": 800 } } ])",
      R"("parcels": { "scale": 2 }, )");
  std::ostringstream out;
  (void)run_check(folder.path() / "case.json", {}, out);
  EXPECT_IN("100 parcels for 800 grains: 100 spheres, radius 0.002 m", out.str());
}

class StartOfParcels : public testing::Test, protected StartRuns {};

// Parcels that start from parcels of the same scale are the same bodies; other cases are told that sizes do not change.
TEST_F(StartOfParcels, BodiesStayAsTheyAre) {
  const auto text = [](const std::string& key, const std::string& particles) {
    return whole(R"("gravity": [0, 0, -200], "contacts": [ { "between": ["*", "*"], "law": "jaeger", "rolling": {} } ],
      "boundaries": { "box": { "type": "box", "min": [0, 0, 0], "max": [0.01, 0.01, 0.01], "material": "glass" } },)" +
                     particles,
                 key);
  };
  const std::string two = R"("parcels": { "scale": 2 }, )", from = R"("start": "packing/checkpoints")";
  write_text(folder_ / "packing.json",
             text(two, R"("particles": [ { "material": "glass", "radius": 5e-4, "velocity": [0, 0, -5],
               "fill": { "box": [[0, 0, 0], [0.01, 0.01, 0.01]], "count": 480 } } ])"));
  ASSERT_EQ(run("packing.json", "packing"), 0);
  ASSERT_GT(old_engine()->counts().contacts, 5U);
  for (const std::string& key : {two, std::string()}) {
    write_text(folder_ / "case.json", text(key, from));
    const Case input = read_case(folder_ / "case.json");
    SceneReport report;
    const Scene scene = build_scene(input, report);
    ASSERT_EQ(scene.particles.radius.size(), 60U);
    for (const double radius : scene.particles.radius) EXPECT_NEAR(radius, 1e-3, 1e-10);  // floats
    const auto told = std::count_if(report.warnings.begin(), report.warnings.end(), [](const std::string& warning) {
      return warning.find(
                 "are parcels of scale 2, those of this case grains; they keep their sizes, and their contacts are "
                 "those of grains") != std::string::npos;
    });
    EXPECT_EQ(told, key.empty() ? 1 : 0);
  }
}

}  // namespace scree::test::parcels_test
