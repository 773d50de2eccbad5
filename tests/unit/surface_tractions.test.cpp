#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "case_in_folder.hpp"
#include "host/geometry/real3.hpp"
#include "host/output/frame_writer.hpp"
#include "host/output/surface_tractions.hpp"
#include "host/storage/hdf5_reader.hpp"
#include "scree/engine.hpp"

// Tractions on the surfaces of grains that deform, as frames carry them.
namespace scree::test::surface_tractions_test {

// Balls side by side along x overlap by 0.02 R, also with the images of the outer ones, and lie on a floor.
const std::string base = R"({
  "time": { "duration": 0.01, "step": 1e-6 }, "seed": 3, "precision": "double",
  "materials": { "m": { "density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.2, "friction": 0.3,
    "restitution": 0.9 } },
  "shapes": {
    "ball": { "type": "level_set", "sphere": { "radius": 0.002 }, "grid_spacing": 2e-4,
              "deformation": { "forms": ["homogeneous"], "damping_ratio": 0.1 } } },
  "domain": { "periodic": { "size": [0.01188, 0.01, 0.01], "axes": ["x"] } },
  "boundaries": { "floor": { "type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "m" } },
  "particles": [ { "shape": "ball", "material": "m", "radius": 0.002, "velocity": [0.1, 0, -0.2],
    "fill": { "box": [[0, 0, 0], [0.01188, 0.01, 0.01]], "count": 3 } } ],
  "output": { "frames": { "every": 0.01, "grain_nodes": true } }
})";

class SurfaceTractions : public CaseInFolder {
 protected:
  SurfaceTractions() : CaseInFolder(base) { ::setenv("SCREE_CACHE", (folder / "cache").c_str(), 1); }
  ~SurfaceTractions() override { ::unsetenv("SCREE_CACHE"); }

  [[nodiscard]] Scene pressed() const {
    Scene scene = built();
    for (std::size_t c = 0; c < 3; ++c) {
      const Real3 place = {0.00198 + 0.00396 * static_cast<double>(c), 0.005, 0.00197};
      scene.particles.position.at(c) = scene.particles.clumps.at(c).position = place;
    }
    return scene;
  }
};

/// The integral of a field at the vertices, linear in the triangles, over the triangles of one grain.
Real3 integral(const GrainSurfaces& surfaces, const std::vector<Real3>& field, std::uint32_t clump) {
  const TriangleMesh& mesh = surfaces.mesh;
  Real3 sum{};
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    if (surfaces.clump[k] != clump) { continue; }
    const auto& [a, b, c] = mesh.triangles[k];
    const double area = 0.5 * geometry::length(geometry::cross(geometry::subtract(mesh.vertices[b], mesh.vertices[a]),
                                                               geometry::subtract(mesh.vertices[c], mesh.vertices[a])));
    for (const auto vertex : {a, b, c}) { sum = geometry::along(sum, area / 3, field[vertex]); }
  }
  return sum;
}

TEST_F(SurfaceTractions, IntegralsAreTheContactForcesOfTheGrains) {
  const Scene scene = pressed();
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(400);
  const Snapshot now = engine->snapshot({.force = true});
  ASSERT_EQ(now.clumps.size(), 3U);
  const GrainSurfaces surfaces = surfaces_of_grains(scene, now);
  const auto nodes = engine->touching_nodes();
  const std::vector<Real3> traction = surface_tractions(surfaces, nodes, engine->cell());
  for (std::size_t c = 0; c < 3; ++c) {
    const Real3 force = now.force[c], sum = integral(surfaces, traction, now.clumps[c].id);
    EXPECT_GT(geometry::length(force), 1e-4);
    EXPECT_LT(geometry::length(geometry::subtract(sum, force)), 1e-9 * geometry::length(force)) << c;
  }
  // They push inwards, at the floor and on both sides, where the grains touch.
  std::array<int, 3> places{};
  const double radius = 0.002;
  for (const auto& piece : surfaces.piece) {
    for (std::size_t k = piece.first; k < piece.end; ++k) {
      if (geometry::length(traction[k]) == 0) { continue; }
      const Real3 out = geometry::scaled(geometry::subtract(surfaces.mesh.vertices[k], piece.center), 1 / radius);
      EXPECT_LT(geometry::dot(traction[k], out), 0);
      const bool below = out[2] < -0.9, before = out[0]<-0.9, behind = out[0]> 0.9;
      EXPECT_TRUE(below || before || behind) << out[0] << " " << out[1] << " " << out[2];
      places[0] += below ? 1 : 0;
      places[1] += before ? 1 : 0;
      places[2] += behind ? 1 : 0;
    }
  }
  for (const int count : places) { EXPECT_GE(count, 9); }
}

/// A dataset of doubles.
std::vector<double> doubles(const std::filesystem::path& file, const std::string& name) {
  const StateArray array = Hdf5Reader(file).read(name);
  EXPECT_EQ(array.type, ValueType::float64);
  std::vector<double> values(array.bytes.size() / sizeof(double));
  std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
  return values;
}

TEST_F(SurfaceTractions, AndAmplitudesAreInTheFramesOfSurfaces) {
  const Scene scene = pressed();
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  engine->advance(400);
  FrameWriter(folder / "out", {.every = 0.01, .grain_nodes = true}, scene).write(*engine);
  const auto file = folder / "out/grains/frame_000000.vtkhdf";
  const auto points = doubles(file, "/VTKHDF/Points"), traction = doubles(file, "/VTKHDF/PointData/traction");
  EXPECT_EQ(traction.size(), points.size());
  EXPECT_GT(*std::max_element(traction.begin(), traction.end()), 1);
  const auto amplitude = doubles(file, "/VTKHDF/CellData/amplitude");
  const auto clumps = engine->snapshot().clumps;
  const std::size_t triangles = scene.grain_shapes[0].triangle.size();
  ASSERT_EQ(amplitude.size(), 3 * triangles * 6);
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t a = 0; a < 6; ++a) { EXPECT_EQ(amplitude[6 * (c * triangles + 7) + a], clumps[c].amplitude[a]); }
  }
  Scene plain = scene;
  plain.keeps_node_forces = false;
  const auto without = make_engine(plain, {BackendChoice::host, 1});
  FrameWriter(folder / "plain", {.every = 0.01}, plain).write(*without);
  const auto all = Hdf5Reader(folder / "plain/grains/frame_000000.vtkhdf").datasets("/VTKHDF");
  EXPECT_EQ(std::count(all.begin(), all.end(), "/VTKHDF/PointData/traction"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "/VTKHDF/CellData/amplitude"), 1);
}

// As before an inlet brings the first grain, and after the last one has left.
TEST_F(SurfaceTractions, FramesWithoutGrainsHaveTheSameFields) {
  Scene scene = pressed();
  scene.particles = {};
  const auto engine = make_engine(scene, {BackendChoice::host, 1});
  FrameWriter(folder / "out", {.every = 0.01, .grain_nodes = true}, scene).write(*engine);
  const Hdf5Reader file(folder / "out/grains/frame_000000.vtkhdf");
  const StateArray traction = file.read("/VTKHDF/PointData/traction"),
                   amplitude = file.read("/VTKHDF/CellData/amplitude");
  EXPECT_EQ(traction.rows(), 0U);
  EXPECT_EQ(traction.columns, 3U);
  EXPECT_EQ(amplitude.rows(), 0U);
  EXPECT_EQ(amplitude.columns, 6U);
}

}  // namespace scree::test::surface_tractions_test
