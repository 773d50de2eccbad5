#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <string>

#include "case_in_folder.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/grains/grain_file.hpp"
#include "host/grains/grain_source.hpp"
#include "host/output/grain_surfaces.hpp"
#include "host/text/text.hpp"
#include "sample_meshes.hpp"
#include "scree/engine.hpp"

// Level-set grains in a case file: what is refused, the scene that comes of them, and their surfaces.
namespace scree::test::level_set_cases_test {

const std::string base = R"({
  "time": { "duration": 0.1 }, "seed": 3,
  "materials": { "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0.3,
    "restitution": 0.5 } },
  "shapes": {
    "ball": { "type": "level_set", "sphere": { "radius": 0.002 }, "grid_spacing": 4e-4 },
    "egg": { "type": "level_set", "superellipsoid": { "half_axes": [0.003, 0.002, 0.002] }, "grid_spacing": 5e-4 } },
  "particles": [
    { "shape": "ball", "material": "m", "radius": 3e-3, "fill": { "box": [[0, 0, 0], [0.04, 0.04, 0.04]], "count": 6 } },
    { "shape": "egg", "material": "m", "fill": { "box": [[0, 0, 0], [0.04, 0.04, 0.04]], "count": 6 } },
    { "material": "m", "radius": 2e-3, "fill": { "box": [[0, 0, 0], [0.04, 0.04, 0.04]], "count": 6 } } ]
})";

class LevelSetCase : public CaseInFolder {
 protected:
  LevelSetCase() : CaseInFolder(base) { ::setenv("SCREE_CACHE", (folder / "cache").c_str(), 1); }
  ~LevelSetCase() override { ::unsetenv("SCREE_CACHE"); }
};

TEST_F(LevelSetCase, WritesAndReadsBackTheSame) {
  const Case input = parsed({"grain_contacts.two_pass=true"});
  EXPECT_TRUE(input.grain_contacts.two_pass);
  EXPECT_TRUE(input.grain_contacts.by_area);
  EXPECT_EQ(std::get<LevelSetTemplate>(input.shapes[0].second.kind).sphere->radius, 0.002);
  const std::string once = write_case(input);
  EXPECT_EQ(write_case(parse_case(once, folder.path())), once);
}

/// A setting that gives all materials the law bonded, with more keys of the bond.
std::string bonded(const std::string& more) {
  return R"(contacts=[{"between":["*","*"],"law":"bonded","bond":{"tensile_strength":1e4,"cohesion":1e4)" + more +
         "}}]";
}

TEST_F(LevelSetCase, MistakesGetOneSentenceEach) {
  write_text(folder / "open.obj", "v 0 0 0\nv 0.01 0 0\nv 0 0.01 0\nv 0 0 0.01\nf 1 2 3\nf 1 4 2\n");
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"shapes.ball.box={\"half_edges\":[1,1,1]}", "shapes.ball: must have exactly one of"},
      {"shapes.ball.sphere={\"radius\":-1}", "shapes.ball.sphere.radius: must be greater than 0, got -1"},
      {"shapes.ball={\"type\":\"level_set\",\"sphere\":{\"radius\":0.002}}", "shapes.ball.grid_spacing: is missing"},
      {"shapes.ball.grid_spacing=0.01", "shapes.ball"},
      {"shapes.ball.scale=0.001", "shapes.ball.scale: is for a file"},
      {"shapes.ball.label=3", "shapes.ball.label: is for an image"},
      {"shapes.ball={\"type\":\"level_set\",\"file\":\"open.obj\",\"grid_spacing\":1e-3}", "shapes.ball"},
      {"shapes.ball={\"type\":\"level_set\",\"torus\":{\"major_radius\":1,\"minor_radius\":2},\"grid_spacing\":0.1}",
       "must be less than the major radius 1, got 2"},
      {"contacts=[{\"between\":[\"*\",\"*\"],\"law\":\"jkr\",\"surface_energy\":0.01}]",
       "cannot act at the nodes of level-set grains"},
      {bonded(""), "needs a gap, the largest distance of a bonded node"},
      {bonded(R"(,"gap":0.1)"), "must not exceed the grid spacing of the grains"}};
  for (const auto& [setting, message] : mistakes) {
    const std::string error = error_with({setting});
    EXPECT_IN(message, error);
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

// An image of several grains is refused before a template of any of them is made, so the cache stays empty. Crumbs do
// not count, but are not left out without a word.
TEST_F(LevelSetCase, AnImageOfSeveralGrainsNeedsALabel) {
  std::string voxels(30 * 14 * 14, '\0');
  const auto fill = [&](std::size_t first, std::size_t size, char label) {
    for (std::size_t k = 3; k < 3 + size; ++k) {
      for (std::size_t j = 3; j < 3 + size; ++j) {
        for (std::size_t i = first; i < first + size; ++i) voxels.at((k * 14 + j) * 30 + i) = label;
      }
    }
  };
  fill(3, 8, 2);
  fill(16, 8, 5);
  fill(26, 2, 9);
  write_text(folder / "scan.raw", voxels);
  write_text(folder / "scan.json", R"({ "file": "scan.raw", "size": [30, 14, 14], "type": "uint8", "spacing": 5e-4 })");
  const std::string of_image = R"(shapes={"stone":{"type":"level_set","file":"scan.json","grid_spacing":5e-4}})";
  const std::string particles = R"(particles=[{"shape":"stone","material":"m","positions":[[0,0,0]]}])";
  EXPECT_IN("shapes.stone.label: is missing: the image has 3 labels from 2 to 9, 2 of them with 30 voxels or more",
            error_with({of_image, particles}));
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
  EXPECT_IN("shapes.stone.label: there is no label 4", error_with({of_image, particles, "shapes.stone.label=4"}));
  fill(16, 8, 0);
  write_text(folder / "scan.raw", voxels);
  SceneReport report;
  (void)build_scene(parsed({of_image, particles}), report);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_IN("shapes.stone: left out of the image: 1 label with fewer than 30 voxels; the grain is label 2",
            report.warnings.front());
}

// Two files with the same content share a template in the cache, and a template may be a file that was made before.
// Warnings of the mesh are told each time, with the name of the file that the case names.
TEST_F(LevelSetCase, WarningsOfKeptTemplatesNameTheFileOfTheCase) {
  std::string turned;  // a box whose faces face inwards
  const TriangleMesh box = sample_box({0, 0, 0}, {0.004, 0.004, 0.004});
  for (const Real3& v : box.vertices) {
    turned += "v " + number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]) + "\n";
  }
  for (const auto& t : box.triangles) {
    turned += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[2] + 1) + " " + std::to_string(t[1] + 1) + "\n";
  }
  for (const char* name : {"a.obj", "b.obj"}) { write_text(folder / name, turned); }
  const auto warnings_of = [&](const std::string& shape) {
    SceneReport report;
    (void)build_scene(parsed({R"(shapes={"stone":{"type":"level_set",)" + shape + "}}",
                              R"(particles=[{"shape":"stone","material":"m","positions":[[0,0,0]]}])"}),
                      report);
    return report.warnings;
  };
  const std::string said = ": its triangles face inwards and were turned";
  for (const std::string name : {"a.obj", "b.obj", "a.obj"}) {
    EXPECT_EQ(warnings_of(R"("file":")" + name + R"(","grid_spacing":4e-4)"),
              std::vector<std::string>{"shapes.stone: " + (folder / name).string() + said});
  }
  const auto kept = std::distance(std::filesystem::directory_iterator(folder / "cache"), {});
  EXPECT_EQ(kept, 1);
  grains::GrainSource source;
  source.name = (folder / "a.obj").string();
  grains::make_grains(
      source, {4e-4, 0.9}, std::nullopt,
      [&](const grains::MadeGrain& made) { grains::write_grain(made.grain, folder / "stone.h5"); },
      [](const std::string&) {});
  EXPECT_EQ(warnings_of(R"("file":"stone.h5")"),
            std::vector<std::string>{
                "shapes.stone: stone.h5 was made with this warning: " + (folder / "a.obj").string() + said});
}

TEST_F(LevelSetCase, SettingsWithoutEffectAreAWarning) {
  const auto warnings = [&](const std::vector<std::string>& settings) {
    SceneReport report;
    (void)build_scene(parsed(settings), report);
    return report.warnings;
  };
  const std::string spheres =
      R"(particles=[{"material":"m","radius":2e-3,"fill":{"box":[[0,0,0],[0.04,0.04,0.04]],"count":6}}])";
  EXPECT_EQ(warnings({spheres, "shapes={}"}), std::vector<std::string>{});
  EXPECT_EQ(
      warnings({spheres, "shapes={}", "grain_contacts.two_pass=true"}),
      std::vector<std::string>{"grain_contacts: has no effect, since this case has no shape of level-set grains"});
  EXPECT_EQ(warnings({"grain_contacts.two_pass=true"}), std::vector<std::string>{});
  EXPECT_EQ(
      warnings({"grain_contacts.field_update=advect"}),
      std::vector<std::string>{"grain_contacts: only two_pass and by_area have an effect, since no grain deforms"});
}

TEST_F(LevelSetCase, BondsTakeTheValuesOfWhatMeets) {
  EXPECT_IN("do not go with by_area = false", error_with({bonded(R"(,"gap":1e-4)"), "grain_contacts.by_area=false"}));
  EXPECT_IN("needs a shear_stiffness", error_with({bonded(R"(,"gap":1e-4)"), "materials.m.poisson_ratio=0"}));
  const std::string only_grains = R"(particles=[{"shape":"ball","material":"m","fill":)"
                                  R"({"box":[[0,0,0],[0.04,0.04,0.04]],"count":6}}])";
  EXPECT_IN("are for spheres", error_with({bonded(R"(,"gap":1e-4,"interaction_range":1.1)"), only_grains}));
  const std::string only_spheres = R"(particles=[{"radius":2e-3,"material":"m","fill":)"
                                   R"({"box":[[0,0,0],[0.04,0.04,0.04]],"count":6}}])";
  EXPECT_IN("are for level-set grains", error_with({bonded(R"(,"gap":1e-4)"), only_spheres}));

  EXPECT_IN("bonds of level-set grains have none",
            error_with({bonded(R"(,"gap":1e-4,"moment_contribution":1)"), only_grains}));
  EXPECT_IN("form \"near\" of a bond is for spheres",
            error_with({bonded(R"(,"gap":1e-4,"form":"near")"), only_grains}));

  // Both are there: the spheres keep their values, the grains theirs. Lists reach as far as bonds can.
  const Scene scene = built({bonded(R"(,"gap":1e-4,"normal_stiffness":1e9,"damping":0.1,"interaction_range":1.1)")});
  EXPECT_FALSE(scene.pair(0, 0).bond.gap.has_value());
  EXPECT_EQ(scene.pair(0, 0).bond.interaction_range, 1.1);
  EXPECT_EQ(scene.pair(1, 1).bond.gap, 1e-4);
  EXPECT_EQ(scene.pair(1, 1).bond.normal_stiffness, 1e9);
  EXPECT_EQ(scene.pair(0, 0).bond.damping, 0.1);
  EXPECT_EQ(scene.pair(1, 1).bond.damping, 0.1);
  EXPECT_GE(scene.interaction_range, 1.05 * 1.1);
}

// A grain of "radius" r has the volume of a ball of radius r. Each material is there twice: for grains, and for all
// else.
TEST_F(LevelSetCase, GrainsHaveTheWantedSizeAndMaterialsOfTheirOwn) {
  const Scene scene = built();
  ASSERT_EQ(scene.grain_shapes.size(), 2U);
  ASSERT_EQ(scene.particles.clumps.size(), 12U);
  ASSERT_EQ(scene.particles.size(), 18U);
  ASSERT_EQ(scene.materials.size(), 2U);
  EXPECT_FALSE(scene.is_of_grains(0));
  EXPECT_TRUE(scene.is_of_grains(1));
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_EQ(scene.particles.material[i], i < 12 ? 1U : 0U) << i;
    EXPECT_EQ(scene.case_material(scene.particles.material[i]), 0U);
  }
  for (std::size_t c = 0; c < 6; ++c) {
    EXPECT_NEAR(scene.particles.clumps[c].size, 1.5, 1e-9);  // in closed form
    EXPECT_NEAR(scene.particles.clumps[6 + c].size, 1, 1e-12);
  }
  const double egg = 4.0 / 3 * std::numbers::pi * 0.003 * 0.002 * 0.002;
  EXPECT_NEAR(scene.clump_shapes[1].volume / egg, 1, 1e-6);
}

/// The ball around a grain overlaps a wall as soon as the grain stands beside it: no reason to warn.
// Two plates lie face to face, nearer than the balls about them; deeper ones are refused by the depth of their nodes.
TEST_F(LevelSetCase, GrainsMayStandAsNearAsTheirSurfaces) {
  const auto error_at = [&](double height, const std::string& turn, const std::string& more = "") {
    return error_with(
        {R"(shapes={"plate":{"type":"level_set","box":{"half_edges":[0.01,0.01,0.003]},"grid_spacing":1e-3}})",
         R"(particles=[{"shape":"plate","material":"m","orientation":)" + turn + R"(,"positions":[[0,0,0],[0.004,0,)" +
             std::to_string(height) + "]]" + more + "}]"});
  };
  const std::string flat = "[1,0,0,0]", on_edge = "[0.70710678,0.70710678,0,0]";
  EXPECT_EQ(error_at(0.0061, flat), "no error");
  EXPECT_EQ(error_at(0.0045, flat, R"(,"allow_overlap":0.2)"), "no error");
  // 1.5 mm of a bounding radius of 14.5 mm or a little more are 10 %.
  EXPECT_IN("particles.0.positions: grain 2 overlaps grain 1 by 10",
            error_at(0.0045, flat, R"(,"allow_overlap":0.05)"));
  EXPECT_IN("overlaps grain 1", error_at(0.0061, on_edge, R"(,"allow_overlap":0.05)"));  // they stand on their edges
  EXPECT_EQ(error_with({R"(particles=[{"shape":"ball","material":"m","orientation":[1,0,0,0],"positions":[[0,0,0]]},)"
                        R"({"material":"m","radius":0.001,"positions":[[0.00305,0,0]]}])"}),
            "no error");
  EXPECT_IN("sphere 1 overlaps grain 1 of particles.0 by 5",
            error_with({R"(particles=[{"shape":"ball","material":"m","orientation":[1,0,0,0],"positions":[[0,0,0]]},)"
                        R"({"material":"m","radius":0.001,"positions":[[0.0025,0,0]]}])"}));
}

// All nodes of two equal grains in one place lie on both surfaces, so that none is deep. Their centres are.
TEST_F(LevelSetCase, EqualGrainsMayNotStandInOnePlace) {
  EXPECT_IN("particles.0.positions: grain 2 overlaps grain 1 by",
            error_with({R"(particles=[{"shape":"egg","material":"m","orientation":[1,0,0,0],)"
                        R"("positions":[[0,0,0],[0,0,0]]}])"}));
}

// The centre of a sphere that is larger than a grain lies outside of its grid, however deep it is. Nodes are 0.23 mm
// apart, so that the nearest to the axis is off by 0.16 mm at most: it is 2 to 2.0064 mm from the centre of a sphere of
// 4 mm.
TEST_F(LevelSetCase, LargeSpheresMayNotStandInGrains) {
  const auto error_at = [&](double height) {
    return error_with(
        {R"(shapes={"brick":{"type":"level_set","box":{"half_edges":[0.004,0.004,0.002]},"grid_spacing":2.5e-4}})",
         R"(particles=[{"shape":"brick","material":"m","orientation":[1,0,0,0],"positions":[[0,0,0]]},)"
         R"({"material":"m","radius":0.004,"positions":[[0,0,)" +
             std::to_string(height) + "]]}]"});
  };
  const std::string deep = error_at(0.004), text = "sphere 1 overlaps grain 1 of particles.0 by ";
  EXPECT_IN(text, deep);
  const double percent = std::stod(deep.substr(deep.find(text) + text.size()));
  EXPECT_GE(percent, 49.8);
  EXPECT_LE(percent, 50);
  EXPECT_EQ(error_at(0.0058), "no error");  // 0.2 mm are 5 %
}

TEST_F(LevelSetCase, SpheresThatPassBetweenNodesAreAWarning) {
  const auto warnings = [&](const std::string& radius) {
    SceneReport report;
    (void)build_scene(parsed({"particles.2.radius=" + radius}), report);
    std::string all;
    for (const std::string& warning : report.warnings) { all += warning + "\n"; }
    return all;
  };
  EXPECT_EQ(warnings("2e-3").find("between the nodes"), std::string::npos);
  EXPECT_IN("shapes.ball: the nodes of its grains are ", warnings("8e-4"));
  EXPECT_IN("grains push such spheres into wrong directions", warnings("8e-4"));
  EXPECT_IN("such spheres pass between the nodes into the grain", warnings("1e-4"));
}

TEST_F(LevelSetCase, OnlyACentreBehindAWallIsABadStart) {
  const std::string egg = R"(particles=[{ "shape": "egg", "material": "m", "orientation": [1, 0, 0, 0],
    "lattice": { "box": [[0, 0, -0.0011], [0.0064, 0.0064, 0.0053]], "spacing": 0.0064 } }])";
  const auto warnings = [&](const std::string& height) {
    SceneReport report;
    (void)build_scene(parsed({egg, R"(boundaries={ "floor": { "type": "plane", "normal": [0, 0, 1], "material": "m",
      "point": [0, 0, )" + height + "] } }"}),
                      report);
    return report.warnings;
  };
  EXPECT_EQ(warnings("0"), std::vector<std::string>{});
  const auto behind = warnings("0.0022");
  ASSERT_EQ(behind.size(), 1U);
  EXPECT_IN("has its centre behind the plane", behind[0]);
}

TEST_F(LevelSetCase, SurfacesInFramesHaveTheVolumesOfTheGrains) {
  const Scene scene = built();
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(20);
  const GrainSurfaces surfaces = surfaces_of_grains(scene, engine->snapshot());
  ASSERT_EQ(surfaces.clump.size(), surfaces.mesh.triangles.size());
  double volume = 0;
  for (const Clump& clump : scene.particles.clumps) {
    volume += scene.clump_shapes[clump.shape].volume * clump.size * clump.size * clump.size;
  }
  // Triangles between nodes cut off caps: 5 spacings per radius leave 1 to 2 %.
  EXPECT_NEAR(geometry::signed_volume(surfaces.mesh) / volume, 0.985, 0.012);
}

}  // namespace scree::test::level_set_cases_test
