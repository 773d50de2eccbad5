#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "case_errors.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/grains/implicit_solid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/mesh_solid.hpp"
#include "host/grains/triangle_tree.hpp"
#include "host/packing/random.hpp"
#include "sample_meshes.hpp"

namespace scree::grains::grain_meshes_test {

using test::error_of;

Placed as_it_stands(const Solid& solid) { return {solid, {{}, {}, {Real3{1, 0, 0}, Real3{0, 1, 0}, Real3{0, 0, 1}}}}; }

SolidPointer solid_of(const TriangleMesh& mesh) {
  std::vector<std::string> warnings;
  auto solid = make_mesh_solid(mesh, "mesh", warnings);
  EXPECT_TRUE(warnings.empty());
  return solid;
}

// The surface of a box is met exactly by its mesh: rounding only.
TEST(GrainMesh, DistancesOfABoxAreThoseOfItsFormula) {
  const auto mesh = solid_of(test::sample_box({-3, -2, -1}, {3, 2, 1})), box = make_box({3, 2, 1});
  packing::Random random(3, 0);
  for (int n = 0; n < 2000; ++n) {
    const Real3 at = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    EXPECT_NEAR(mesh->distance(at), box->distance(at), 1e-12);
  }
  EXPECT_NEAR(mesh->moments().volume, 48, 1e-12);
  EXPECT_NEAR(mesh->area().value(), 88, 1e-12);
}

TEST(GrainMesh, TheNearestOfAllTrianglesIsFound) {
  const TriangleMesh mesh = test::sample_torus(9, 4, 24);
  const TriangleTree tree(mesh);
  packing::Random random(7, 0);
  for (int n = 0; n < 200; ++n) {
    const Real3 at = {random.uniform(-14, 14), random.uniform(-14, 14), random.uniform(-6, 6)};
    double least = 1e9;
    for (const auto& [a, b, c] : mesh.triangles) {
      const Real3 place = nearest_of_triangle(at, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
      least = std::min(least, geometry::squared_length(geometry::subtract(at, place)));
    }
    EXPECT_DOUBLE_EQ(tree.nearest(at).squared, least);
  }
}

// 1 inside and 0 outside of any closed surface; groups of far triangles count as one dipole, whose error is below 0.1.
TEST(GrainMesh, WindingNumbersTellInsideFromOutside) {
  const TriangleMesh mesh = test::sample_torus(9, 4, 64);
  const TriangleTree tree(mesh);
  const auto torus = make_torus(9, 4);
  packing::Random random(8, 0);
  for (int n = 0; n < 2000; ++n) {
    const Real3 at = {random.uniform(-14, 14), random.uniform(-14, 14), random.uniform(-6, 6)};
    const double distance = torus->distance(at);
    if (std::fabs(distance) < 0.05) continue;  // the mesh is up to 0.03 from the torus
    EXPECT_NEAR(tree.winding(at), distance < 0 ? 1 : 0, 0.1);
  }
}

TEST(GrainMesh, ATemplateIsThatOfTheFormula) {
  const auto mesh = make_grain(*solid_of(test::sample_torus(9, 4, 160)), {1, 0.9}, "mesh");
  const auto formula = make_grain(*make_torus(9, 4), {1, 0.9}, "torus");
  // Triangles with edges of 4 * 2 pi/160 and 9 * 2 pi/160 lie up to their square over 8 R inside: 0.006.
  EXPECT_NEAR(mesh.shape.volume / formula.shape.volume, 1, 2e-3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(mesh.shape.inertia[k] / formula.shape.inertia[k], 1, 4e-3);
  EXPECT_NEAR(mesh.report.node_area / formula.report.node_area, 1, 2e-3);
  EXPECT_LT(mesh.report.surface_rms, 0.02);
  const auto torus = make_torus(9, 4);
  for (const Real3& node : mesh.shape.node) EXPECT_NEAR(torus->distance(node), 0, 0.01);
}

TEST(GrainMesh, HolesAreClosedAndKeepTheSides) {
  const TriangleMesh whole = test::sample_torus(9, 4, 100);
  TriangleMesh open = whole;
  open.triangles.erase(open.triangles.begin() + 500, open.triangles.begin() + 520);
  open.triangles.erase(open.triangles.begin() + 1500);
  ASSERT_FALSE(geometry::is_closed(open));
  std::vector<std::string> warnings;
  const auto mended = make_mesh_solid(open, "scan.stl", warnings), closed = solid_of(whole);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("scan.stl: is not closed: 25 open edges around 2 holes, 0.349 % of its surface, were closed by triangles",
            warnings[0]);
  EXPECT_NEAR(mended->moments().volume / closed->moments().volume, 1, 2e-3);
  packing::Random random(9, 0);
  std::size_t checked = 0;
  for (int n = 0; n < 3000; ++n) {
    const Real3 at = {random.uniform(-14, 14), random.uniform(-14, 14), random.uniform(-5, 5)};
    const double expected = closed->distance(at);
    if (std::fabs(expected) < 0.3) continue;  // a closed hole is flatter than the surface was
    ++checked;
    EXPECT_EQ(mended->distance(at) < 0, expected < 0);
    EXPECT_NEAR(mended->distance(at), expected, 0.3);
  }
  EXPECT_GT(checked, 2000u);
}

TEST(GrainMesh, FacesThatAllFaceInwardsAreTurned) {
  TriangleMesh box = test::sample_box({0, 0, 0}, {2, 2, 2});
  for (auto& t : box.triangles) std::swap(t[0], t[1]);
  std::vector<std::string> warnings;
  const auto solid = make_mesh_solid(box, "box.stl", warnings);
  EXPECT_NEAR(solid->moments().volume, 8, 1e-12);
  EXPECT_NEAR(solid->distance({1, 1, 1}), -1, 1e-12);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_IN("box.stl: its triangles face inwards and were turned", warnings[0]);
}

/// A cube of edge 1 and another box.
TriangleMesh cube_and_box(const Real3& low, const Real3& high) {
  TriangleMesh mesh = test::sample_box({0, 0, 0}, {1, 1, 1});
  const TriangleMesh other = test::sample_box(low, high);
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.triangles) { mesh.triangles.push_back({first + a, first + b, first + c}); }
  return mesh;
}

TEST(GrainMesh, PartsMayTouchButNotOverlap) {
  std::vector<std::string> warnings;
  EXPECT_IN("a.stl: its parts overlap", error_of([&] {
              (void)make_mesh_solid(cube_and_box({0.9, 0.25, 0.25}, {1.9, 0.75, 0.75}), "a.stl", warnings);
            }));
  EXPECT_TRUE(warnings.empty());
  for (const double from : {1, 2}) {
    const auto solid = make_mesh_solid(cube_and_box({from, 0.25, 0.25}, {from + 1, 0.75, 0.75}), "a.stl", warnings);
    EXPECT_NEAR(solid->moments().volume, 1.25, 1e-12);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0],
              "a.stl: its surface has 2 parts, which move as one grain; the largest one has 80 % of the volume; does "
              "the file hold several grains?");
    warnings.clear();
  }
}

// 1.8 % of the volume of the cube; a speck of 2.7e-8 of it is no part.
TEST(GrainMesh, CavitiesAndDustAreNoParts) {
  TriangleMesh hollow = cube_and_box({0.1, 0.1, 0.1}, {0.4, 0.3, 0.4});
  for (std::size_t t = 12; t < 24; ++t) std::swap(hollow.triangles[t][0], hollow.triangles[t][1]);
  EXPECT_NEAR(solid_of(hollow)->moments().volume, 0.982, 1e-12);
  EXPECT_NEAR(solid_of(cube_and_box({2, 2, 2}, {2.003, 2.003, 2.003}))->moments().volume, 1, 1e-7);
}

TEST(GrainMesh, RefusesWhatEnclosesNothing) {
  const auto error = [](const TriangleMesh& mesh) {
    return error_of([&] {
      std::vector<std::string> warnings;
      (void)make_grain(*make_mesh_solid(mesh, "a.stl", warnings), {0.1, 0.9}, "a.stl");
    });
  };
  TriangleMesh open = test::sample_box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_IN("a.stl: must be a closed surface: it has 3 open edges around 1 hole, 9.09 % of its surface", error(open));
  TriangleMesh mixed = test::sample_box({0, 0, 0}, {1, 1, 1});
  std::swap(mixed.triangles[0][0], mixed.triangles[0][1]);
  EXPECT_IN("a.stl: must be a surface that faces outwards everywhere", error(mixed));
  TriangleMesh flat = test::sample_box({0, 0, 0}, {1, 1, 1});
  for (Real3& vertex : flat.vertices) vertex[2] = 0;
  flat.triangles = {{0, 1, 3}, {0, 3, 2}, {0, 3, 1}, {0, 2, 3}};  // both sides of a square
  EXPECT_IN("a.stl: has no volume: it encloses 0 m3", error(flat));
}

// Closed forms of tests/data/level_set/mass_inertia.json, to rounding of the gamma function.
TEST(GrainSuperellipsoid, MomentsAreThoseOfTheClosedForms) {
  const auto data =
      nlohmann::json::parse(std::ifstream(std::string(SCREE_SOURCE_DIR) + "/tests/data/level_set/mass_inertia.json"));
  std::size_t checked = 0;
  for (const auto& entry : data["cases"]) {
    if (entry["shape"] != "superellipsoid") continue;
    const auto p = entry["params"].get<std::vector<double>>();
    const auto solid = make_superellipsoid({p[0], p[1], p[2]}, p[3], p[4]);
    const auto frame = clumps::principal_frame(solid->moments());
    const auto inertia = entry["inertia_principal_unit_density"].get<std::vector<double>>();
    EXPECT_NEAR(solid->moments().volume / entry["volume"].get<double>(), 1, 1e-12);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(frame.inertia[k] / inertia[k], 1, 1e-12);
    const auto [shape, report] = make_grain(*solid, {entry["grid_h"], 0.9}, "superellipsoid");
    EXPECT_NEAR(report.grid_volume / shape.volume, 1, entry["tol_rel_volume"].get<double>());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(report.grid_inertia[k] / shape.inertia[k], 1, entry["tol_rel_inertia"].get<double>());
    }
    ++checked;
  }
  EXPECT_EQ(checked, 1u);
  // An octahedron with half axes a: volume 4/3 a^3, and the integral of x^2 is a^5 * 2/15.
  const auto octahedron = make_superellipsoid({3, 3, 3}, 2, 2)->moments();
  EXPECT_NEAR(octahedron.volume, 36, 1e-11);
  EXPECT_NEAR(octahedron.second[0], 32.4, 1e-11);
  EXPECT_NEAR(octahedron.second[2], 32.4, 1e-11);
}

TEST(GrainSuperellipsoid, DistancesOfASphereAreThoseOfItsFormula) {
  const auto solid = make_superellipsoid({10, 10, 10}, 1, 1);
  packing::Random random(4, 0);
  for (int n = 0; n < 300; ++n) {
    const Real3 at = geometry::scaled(geometry::unit(random.in_ball()), random.uniform(6, 14));
    EXPECT_NEAR(solid->distance(at), geometry::length(at) - 10, 1e-4);  // the search ends at an angle of 1e-5
  }
}

// A distance is 1-Lipschitz with slope 1, and an independent search over a fine net of the surface cannot find a
// nearer point. The net is x = a cos^e1 u cos^e2 v and so on, with steps of 1/400 of a turn.
TEST(GrainSuperellipsoid, NoPointOfTheSurfaceIsNearer) {
  const Real3 half = {12, 8, 6};
  const double e1 = 0.6, e2 = 0.8;
  const auto solid = make_superellipsoid(half, e1, e2);
  const auto power = [](double x, double e) { return std::copysign(std::pow(std::fabs(x), e), x); };
  std::vector<Real3> net;
  for (int i = 0; i <= 200; ++i) {
    for (int j = 0; j < 400; ++j) {
      const double u = std::numbers::pi * (i / 200.0 - 0.5), v = 2 * std::numbers::pi * j / 400;
      net.push_back({half[0] * power(std::cos(u), e1) * power(std::cos(v), e2),
                     half[1] * power(std::cos(u), e1) * power(std::sin(v), e2), half[2] * power(std::sin(u), e1)});
    }
  }
  packing::Random random(6, 0);
  for (int n = 0; n < 40; ++n) {
    const Real3 at = {random.uniform(-15, 15), random.uniform(-11, 11), random.uniform(-9, 9)};
    double least = 1e9;
    for (const Real3& place : net) least = std::min(least, geometry::length(geometry::subtract(at, place)));
    const double found = std::fabs(solid->distance(at));
    EXPECT_LT(found, least + 1e-4);
    EXPECT_GT(found, least - 0.15);  // the net is that coarse where its steps are widest
  }
}

TEST(GrainSuperellipsoid, SlopesAreOneNearTheSurface) {
  const auto grain = make_grain(*make_superellipsoid({12, 8, 6}, 1, 1), {1, 0.9}, "ellipsoid").shape;
  const Grid grid = grid_of(grain);
  for_each_point(grid, 1, [&](std::size_t at, std::size_t, std::size_t, std::size_t) {
    if (std::fabs(grain.phi[at]) > 2) return;
    double squares = 0;
    for (const std::size_t step : grid.stride()) {
      const double slope = static_cast<double>(grain.phi[at + step] - grain.phi[at - step]) / 2;
      squares += slope * slope;
    }
    EXPECT_NEAR(std::sqrt(squares), 1, 0.05);
  });
}

// Sharp ones are as coarse as a box whose thin side has eight spacings: 1.5 % of the volume, and twice that here.
TEST(GrainSuperellipsoid, RoundAndSharpOnesBecomeTemplates) {
  for (const auto& [e1, e2] : std::vector<std::array<double, 2>>{{0.1, 0.1}, {0.3, 1.5}, {1, 0.5}, {2, 2}}) {
    const auto [shape, report] = make_grain(*make_superellipsoid({9, 8, 7}, e1, e2), {1, 0.9}, "body");
    EXPECT_NEAR(report.grid_volume / shape.volume, 1, 0.03) << e1 << " " << e2;
    EXPECT_LT(report.surface_rms, 0.09) << e1 << " " << e2;
    EXPECT_TRUE(geometry::is_closed({shape.node, shape.triangle}));
  }
}

// Beyond the band the values come from a first-order scheme: errors of a few parts in a hundred of the way.
TEST(GrainDistance, SweepingGoesOnBeyondTheBand) {
  const auto mesh = solid_of(test::sample_box({-8, -8, -8}, {8, 8, 8})), box = make_box({8, 8, 8});
  const Grid grid{{-16, -16, -16}, {33, 33, 33}, 1};
  const auto swept = sample_distance(as_it_stands(*mesh), grid, 2), exact = sample_distance(as_it_stands(*box), grid);
  for (std::size_t at = 0; at < exact.size(); ++at) {
    EXPECT_EQ(swept[at] < 0, exact[at] < 0);
    EXPECT_NEAR(swept[at], exact[at], std::fabs(exact[at]) <= 2 ? 1e-12 : 0.1 * std::fabs(exact[at]) + 0.2);
  }
}

}  // namespace scree::grains::grain_meshes_test
