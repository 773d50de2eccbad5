#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "fill_cases.hpp"
#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/particle_file.hpp"
#include "host/packing/region.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"

/// What fills and particle files can do: boundaries, places above a mesh, dense packings, names.
namespace scree::test::fills_test {

using namespace fill_cases;

// --- boundaries ----------------------------------------------------------------------------------------------------

/// A folder with a torus, a floor that rises along x from 0 to 0.5, and the lower half of that floor.
class FillsInFolder : public testing::Test {
 protected:
  FillsInFolder() {
    write_stl(folder / "torus.stl", torus);
    std::ofstream(folder / "slope.obj") << "v 0 0 0\nv 1 0 0.5\nv 1 1 0.5\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
    std::ofstream(folder / "half.obj") << "v 0 0 0\nv 0.5 0 0.25\nv 0.5 1 0.25\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";
  }
  TriangleMesh torus = sample_torus(0.3, 0.1, 24);
  ScratchFolder folder;
};

const std::string shapes = R"(, "boundaries": {
  "torus": { "type": "mesh", "file": "torus.stl", "translate": [0.5, 0.5, 0.5], "material": "steel" },
  "pipe": { "type": "cylinder", "from": [0.2, 0.2, -0.1], "to": [0.2, 0.2, 1.1], "radius": 0.1, "material": "steel" },
  "cone": { "type": "cone", "from": [0.8, 0.2, 0.2], "to": [0.8, 0.2, 0.6], "radius_from": 0.05, "radius_to": 0.15,
            "material": "steel" },
  "ball": { "type": "sphere", "center": [0.8, 0.8, 0.8], "radius": 0.12, "material": "steel" },
  "side": { "type": "plane", "point": [0.05, 0, 0], "normal": [1, 0, 0.1], "material": "steel" },
  "room": { "type": "box", "min": [-1, -1, 0.1], "max": [2, 2, 2], "material": "steel" } })";

std::size_t overlaps(const Scene& scene, const TriangleMesh& mesh, const Real3& shift, double share) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const double reach = share * scene.particles.radius[i];
    const Real3 x = geometry::subtract(scene.particles.position[i], shift);
    for (const auto& [a, b, c] : mesh.triangles) {
      if (geometry::squared_distance(x, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]) < reach * reach) {
        ++count;
        break;
      }
    }
  }
  return count;
}

TEST_F(FillsInFolder, OverlapNoBoundary) {
  for (const std::string fraction : {"0.1", "0.35"}) {  // by insertion and by pushing apart
    const auto text = [&](const std::string& more) {
      return case_of(R"({ "material": "glass", "radius": { "uniform": [0.02, 0.03] }, "fill": { "box": [[0, 0, 0],
        [1, 1, 1]], "solid_fraction": )" +
                         fraction + more + " } }",
                     shapes);
    };
    const Built clear(text(""), folder.path());
    // Binary STL has single precision: vertices are off by 3e-8 m, 1.5e-6 of the smallest radius.
    EXPECT_EQ(overlaps(clear.scene, torus, {0.5, 0.5, 0.5}, 1 - 1e-5), 0U) << "no particle, by every triangle";
    for (const SceneBoundary& boundary : clear.scene.boundaries) {
      if (boundary.is_mesh()) continue;
      for (std::size_t i = 0; i < clear.scene.particles.size(); ++i) {
        const double gap = geometry::distance_to(boundary.shape, clear.scene.particles.position[i]);
        EXPECT_GE(gap, clear.scene.particles.radius[i] * (1 - 2e-9)) << boundary.name << " " << i;
      }
    }
    EXPECT_LE(deepest(clear.scene.particles), 1e-14);
    std::string said;
    for (const std::string& warning : clear.report.warnings) { said += warning + "\n"; }
    EXPECT_EQ(clear.report.warnings.size(), 2u) << said;
    EXPECT_IN("particles start inside of this closed mesh", said);  // some fit into the torus
    EXPECT_IN("its region reaches through the wall", said);         // of the cylinder
    const Built through(text(R"(, "keep_clear": false)"), folder.path());
    EXPECT_GT(overlaps(through.scene, torus, {0.5, 0.5, 0.5}, 1), 10U) << "the test can fail";
    EXPECT_FALSE(through.report.warnings.empty());
  }
}

TEST_F(FillsInFolder, AboundaryThatComesLaterIsNoObstacle) {
  const std::string particles =
      R"({ "material": "glass", "radius": 0.05, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "count": 100 } })";
  const std::string lid = R"(, "boundaries": { "lid": { "type": "plane", "point": [0, 0, 0.5], "normal": [0, 0, -1],
    "material": "steel" } })";
  const auto highest = [&](const std::string& more) {
    double z = 0;
    for (const Real3& x : Built(case_of(particles, lid + more)).scene.particles.position) z = std::max(z, x[2]);
    return z;
  };
  EXPECT_LE(highest(""), 0.45 + 1e-9);
  EXPECT_GT(highest(R"(, "stages": [ { "name": "a", "until": { "duration": 0.01 },
    "boundaries": { "lid": { "present": false } } },
    { "name": "b", "boundaries": { "lid": { "present": true } } } ])"),
            0.6);
}

TEST_F(FillsInFolder, WithoutRoomSaySo) {
  const auto error_of = [&](const std::string& box) {
    return error_with(
        case_of(R"({ "material": "glass", "radius": 0.1, "fill": { "box": )" + box + R"(, "count": 10 } })",
                R"(, "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0],
              "normal": [0, 0, 1], "material": "steel" } })"));
  };
  EXPECT_IN("particles.0.fill: no sphere of radius 0.1 finds room in this box clear of boundaries",
            error_of("[[0, 0, -1], [1, 1, 0.1]]"));
  EXPECT_IN(
      "particles.0.fill: all of its box lies behind the plane \"floor\", where no particle can be; does the \"normal\" "
      "of "
      "the plane point to the particles?",
      error_of("[[0, 0, -1], [1, 1, 0]]"));
}

TEST_F(FillsInFolder, OutsideOfABoxSaySo) {
  const auto error_of = [&](const std::string& box) {
    return error_with(
        case_of(R"({ "material": "glass", "radius": 0.1, "fill": { "box": )" + box + R"(, "count": 10 } })",
                R"(, "boundaries": { "bin": { "type": "box", "min": [0, 0, 0], "max": [1, 1, 1],
              "material": "steel" } })"));
  };
  EXPECT_IN("particles.0.fill: all of its box lies outside of the boundary \"bin\", a box, where no particle can be",
            error_of("[[0, 0, 1], [1, 1, 2]]"));
  EXPECT_IN("particles.0.fill: no sphere of radius 0.1 finds room in this box clear of boundaries",
            error_of("[[0, 0, 0.9], [1, 1, 2]]"));
}

// Radii in millimetres in a box in metres, and a box that is just too small.
TEST_F(FillsInFolder, WithoutParticlesSaySo) {
  const auto error_of = [&](const std::string& radius) {
    return error_with(case_of(R"({ "material": "glass", "radius": )" + radius +
                                  R"(, "fill": { "box": [[0, 0, 0], [1, 1, 1]], "solid_fraction": 0.2 } })",
                              ""));
  };
  EXPECT_IN(
      "particles.0.fill: places no particle: the solid fraction asked for is less than half of one, of radius 2.5 m; "
      "are all lengths in metres?",
      error_of("2.5"));
  EXPECT_IN("less than half of one, of radius 0.48 m", error_of("0.48"));  // 0.46 of the box
  EXPECT_EQ(error_of("0.48").find("metres"), std::string::npos);
}

// A box in millimetres around a vessel in metres: a billionth of it is clear.
TEST_F(FillsInFolder, OfTheWrongUnitSaySoSoon) {
  EXPECT_IN("fit; hardly any part of it is free: are all lengths in metres?",
            error_with(case_of(R"({ "material": "glass", "radius": 0.002, "fill": { "box": [[0, 0, 0], [40, 40, 40]],
              "count": 50 } })",
                               R"(, "boundaries": { "pot": { "type": "box", "min": [0, 0, 0], "max": [0.04, 0.04, 0.2],
              "material": "steel" } })")));
}

TEST_F(FillsInFolder, AcrossTheFacesOfACellImagesKeepClear) {
  const Built cell(case_of(R"({ "material": "glass", "radius": 0.04, "fill": { "cell": {}, "count": 600 } })",
                           R"(, "domain": { "periodic": { "size": [1, 1, 1] } }, "gravity": [0, 0, 0], "boundaries": {
    "torus": { "type": "mesh", "file": "torus.stl", "translate": [1, 1, 0], "material": "steel" } })"),
                   folder.path());
  for (double x : {0.0, 1.0, 2.0}) {
    for (double y : {0.0, 1.0, 2.0}) {
      for (double z : {-1.0, 0.0, 1.0}) EXPECT_EQ(overlaps(cell.scene, torus, {x, y, z}, 1 - 1e-5), 0U);
    }
  }
}

// --- above a mesh --------------------------------------------------------------------------------------------------

// The slope z = x/2 leaves the volume 1 - 1/4 of a box of height 1, and a sphere above it is r sqrt(5)/2 higher at
// least.
TEST_F(FillsInFolder, LieAboveAMesh) {
  std::vector<std::string> warnings;
  const AboveRegion above{.box = {{0, 0, 0}, {1, 1, 1}}, .file = "slope.obj"};
  EXPECT_NEAR(packing::make_region(above, folder.path(), warnings)->volume(), 0.75, 1e-12);
  const Built built(
      case_of(R"({ "material": "glass", "radius": 0.03, "fill": { "above": { "box": [[0, 0, 0], [1, 1, 1]],
    "file": "slope.obj" }, "solid_fraction": 0.3 } })"),
      folder.path());
  const ParticleSet& set = built.scene.particles;
  EXPECT_NEAR(static_cast<double>(set.size()) * ball(0.03), 0.3 * 0.75, 0.5 * ball(0.03));
  double nearest = 1;
  for (const Real3& x : set.position) {
    EXPECT_GE(x[2] - 0.5 * x[0], 0.03 * std::sqrt(1.25) - 1e-12);
    EXPECT_TRUE(x[2] <= 0.97 + 1e-12 && x[0] >= 0.03 - 1e-12 && x[0] <= 0.97 + 1e-12);
    nearest = std::min(nearest, x[2] - 0.5 * x[0]);
  }
  EXPECT_LT(nearest, 0.05) << "the packing reaches down to the surface";
}

TEST_F(FillsInFolder, AboveAMeshWithHolesOrWithout) {
  const auto with = [&](const std::string& file, const std::string& more, const std::string& box) {
    return case_of(R"({ "material": "glass", "radius": 0.03, "fill": { "above": { "box": )" + box + R"(, "file": ")" +
                   file + "\"" + more + R"( }, "count": 200 } })");
  };
  const std::string unit = "[[0, 0, 0], [1, 1, 1]]";
  const std::string error = error_with(with("half.obj", "", unit), folder.path());
  EXPECT_IN("particles.0.fill.above.file", error);
  EXPECT_IN("the mesh does not cover the box: it has no surface on the vertical line through x = 0.5", error);
  EXPECT_IN("on 50 % of all", error);
  EXPECT_IN("leaves no room", error_with(with("slope.obj", R"(, "translate": [0, 0, 2])", unit), folder.path()));
  const Built holes(with("half.obj", R"(, "holes": true)", unit), folder.path());
  std::size_t low = 0;
  for (const Real3& x : holes.scene.particles.position) {
    if (x[0] < 0.5) { EXPECT_GE(x[2] - 0.5 * x[0], 0.03 * std::sqrt(1.25) - 1e-12); }
    low += x[0] > 0.5 && x[2] < 0.2 ? 1 : 0;
  }
  EXPECT_GT(low, 5U);
  std::vector<std::string> warnings;
  const AboveRegion above{.box = {{0, 0, 0}, {1, 1, 1}}, .file = "half.obj", .holes = true};
  EXPECT_NEAR(packing::make_region(above, folder.path(), warnings)->volume(), 1 - 0.25 * 0.25, 1e-12);
}

// --- dense packings ------------------------------------------------------------------------------------------------

TEST_F(FillsInFolder, ThatAreDenseKeepClearOfAMesh) {
  const Built built(case_of(R"({ "material": "glass", "radius": 0.025, "fill": { "dense": true, "box": [[0, 0, 0],
    [1, 1, 1]], "solid_fraction": 0.52 } })",
                            R"(, "boundaries": { "torus": { "type": "mesh", "file": "torus.stl",
    "translate": [0.5, 0.5, 0.5], "material": "steel" } })"),
                    folder.path());
  EXPECT_EQ(overlaps(built.scene, torus, {0.5, 0.5, 0.5}, 1 - 1e-5), 0U);
  EXPECT_LE(deepest(built.scene.particles), 1e-12);
}

// Random close packing of equal spheres is near 0.64 (Scott 1960); 0.62 is jammed in 1.6e-3 of the fraction of none.
TEST(DensePackings, ReachTheirFractionWithoutOverlaps) {
  struct Kind {
    std::string radius;
    double fraction, largest;
  };
  for (const Kind& kind : {Kind{"0.04", 0.62, 0.04}, Kind{R"({ "uniform": [0.02, 0.06] })", 0.64, 0.06}}) {
    const Built built(case_of(R"({ "material": "glass", "radius": )" + kind.radius + R"(, "fill": { "cell": {},
      "dense": true, "solid_fraction": )" +
                                  std::to_string(kind.fraction) + " } }",
                              R"(, "domain": { "periodic": { "size": [1, 1, 1] } }, "gravity": [0, 0, 0])"));
    const ParticleSet& set = built.scene.particles;
    double volume = 0, most = -1;
    for (std::size_t i = 0; i < set.size(); ++i) {
      volume += ball(set.radius[i]);
      for (std::size_t j = 0; j < i; ++j) {
        Real3 way = geometry::subtract(set.position[i], set.position[j]);
        for (double& part : way) part -= std::round(part);
        most = std::max(most, set.radius[i] + set.radius[j] - geometry::length(way));
      }
    }
    EXPECT_NEAR(volume, kind.fraction, 0.5 * ball(kind.largest) + 1e-12) << "half of a particle";
    EXPECT_LE(most, 1e-12) << "no overlap, by all pairs";
    EXPECT_GT(most, -1e-4) << "spheres touch almost";
    EXPECT_IN("dense packing of", built.report.notes.at(0));
    EXPECT_IN("neighbours within 1 % of it per sphere", built.report.notes.at(0));
  }
}

TEST(DensePackings, StayInsideWallsAndClearOfWhatIsThere) {
  const Built built(case_of(R"({ "material": "steel", "radius": 0.1, "lattice": { "box": [[0.2, 0.2, 0.2],
    [0.8, 0.8, 0.8]], "spacing": 0.4 } }, { "material": "glass", "radius": 0.03, "fill": { "dense": true,
    "solid_fraction": 0.53, "box": [[0, 0, 0], [1, 1, 1]] } })"));
  EXPECT_LE(deepest(built.scene.particles), 1e-12);
  for (std::size_t i = 0; i < built.scene.particles.size(); ++i) {
    const double r = built.scene.particles.radius[i];
    for (const double x : built.scene.particles.position[i]) EXPECT_TRUE(x >= r - 1e-12 && x <= 1 - r + 1e-12);
  }
}

TEST(DensePackings, SayHowFarTheyGot) {
  const auto with = [](const std::string& fill) {
    return error_with(
        case_of(R"({ "material": "glass", "radius": 0.08, "fill": { "box": [[0, 0, 0], [1, 1, 1]], )" + fill + " } }"));
  };
  EXPECT_IN("particles.0.fill: cannot grow a random packing of solid fraction 0.699",
            with(R"("dense": true, "solid_fraction": 0.7)"));
  EXPECT_IN("growth stopped at about 0.5", with(R"("dense": true, "solid_fraction": 0.7)"));
  EXPECT_IN("particles.0.fill.dense: needs \"solid_fraction\"", with(R"("dense": true, "count": 10)"));
}

TEST(DensePackings, OnALatticeAreAWarning) {
  const auto warnings = [](const std::string& more) {
    const Built built(
        case_of(R"({ "material": "glass", "radius": 0.04, "fill": { "box": [[0, 0, 0], [1, 1, 1]], )" + more + " } }"));
    EXPECT_LE(deepest(built.scene.particles), 1e-14);
    std::string all;
    for (const std::string& warning : built.report.warnings) { all += warning + "\n"; }
    return all;
  };
  const std::string lattice = warnings(R"("solid_fraction": 0.65)");
  EXPECT_IN("particles.0.fill: its places stand on a face-centred lattice with jitter", lattice);
  EXPECT_IN("use \"dense\": true", lattice);
  EXPECT_EQ(warnings(R"("solid_fraction": 0.5)"), "");
}

// --- files ---------------------------------------------------------------------------------------------------------

TEST(NamesInParticleFiles, GiveMaterialGroupAndDiameter) {
  const ScratchFolder folder;
  std::ofstream(folder / "some.csv") << "material,x,y,z,diameter,group\nsteel,0,0,0,0.2,\nglass,1,0,0,0.1,a\n"
                                        "steel,2,0,0,0.2,a\n";
  std::ofstream(folder / "bad.csv") << "x,y,z,radius,material\n0,0,0,0.1,glas\n";
  std::ofstream(folder / "both.csv") << "x,y,z,radius,diameter\n0,0,0,0.1,0.2\n";
  std::ofstream(folder / "none.csv") << "x,y,z\n0,0,0\n";
  const std::string group = R"(, "groups": { "a": { "gravity": false } })";
  const Built built(case_of(R"({ "file": "some.csv" })", group), folder.path());
  const ParticleSet& set = built.scene.particles;
  EXPECT_EQ(set.material, (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(set.group, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(set.radius, (std::vector<double>{0.1, 0.05, 0.1}));
  EXPECT_TRUE(built.report.warnings.empty());
  const auto with = [&](const std::string& entry) { return error_with(case_of(entry), folder.path()); };
  EXPECT_IN("line 2: no material is called \"glas\"", with(R"({ "file": "bad.csv" })"));
  EXPECT_IN("has a column \"material\", so the entry must not name one",
            with(R"({ "material": "glass", "file": "bad.csv" })"));
  EXPECT_IN("has both \"radius\" and \"diameter\"", with(R"({ "material": "glass", "file": "both.csv" })"));
  EXPECT_IN("column \"radius\" is missing", with(R"({ "material": "glass", "file": "none.csv" })"));
  EXPECT_IN("line 3: no group is called \"a\"; the case defines none", with(R"({ "file": "some.csv" })"));
  std::ofstream(folder / "plain.csv") << "\xEF\xBB\xBFx,y,z,radius\n0,0,0,0.1\n";  // as spreadsheets save it
  EXPECT_IN("has no column \"material\"", with(R"({ "file": "plain.csv" })"));
}

TEST(CompressedFiles, AreRefusedWithOneSentence) {
  const ScratchFolder folder;
  std::ofstream(folder / "some.csv.gz", std::ios::binary) << "\x1f\x8b\x08 and so on";
  const std::string error = error_with(case_of(R"({ "material": "glass", "file": "some.csv.gz" })"), folder.path());
  EXPECT_IN("is compressed by gzip", error);
  EXPECT_IN("unpack it first", error);
}

}  // namespace scree::test::fills_test
