#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "host/app/command_line.hpp"
#include "host/clumps/clump_file.hpp"
#include "host/clumps/fit_mesh.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/free_body.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"
#include "scree/errors.hpp"

/// Spheres that are fitted into surface meshes.
namespace scree::clumps::clump_fit_test {

using std::numbers::pi;

/// A closed ellipsoid of 2 n x n quads and two caps. The facets face outwards.
TriangleMesh ellipsoid(const Real3& half, std::uint32_t n) {
  TriangleMesh mesh;
  mesh.vertices.push_back({0, 0, half[2]});
  for (std::uint32_t j = 1; j < n; ++j) {
    for (std::uint32_t i = 0; i < 2 * n; ++i) {
      const double u = pi * i / n, v = pi * j / n;
      mesh.vertices.push_back(
          {half[0] * std::sin(v) * std::cos(u), half[1] * std::sin(v) * std::sin(u), half[2] * std::cos(v)});
    }
  }
  mesh.vertices.push_back({0, 0, -half[2]});
  const auto at = [n](std::uint32_t j, std::uint32_t i) { return 1 + (j - 1) * 2 * n + i % (2 * n); };
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    mesh.triangles.push_back({0, at(1, i), at(1, i + 1)});
    for (std::uint32_t j = 1; j + 1 < n; ++j) {
      mesh.triangles.push_back({at(j, i), at(j + 1, i), at(j + 1, i + 1)});
      mesh.triangles.push_back({at(j, i), at(j + 1, i + 1), at(j, i + 1)});
    }
    mesh.triangles.push_back({at(n - 1, i), static_cast<std::uint32_t>(mesh.vertices.size() - 1), at(n - 1, i + 1)});
  }
  return mesh;
}

TEST(MeshMoments, OfABoxAndAnEllipsoid) {
  const auto frame = principal_frame(mesh_moments(test::sample_box({1, 2, 3}, {4, 4, 4})));
  EXPECT_NEAR(frame.center[0], 2.5, 1e-14);
  EXPECT_NEAR(frame.center[2], 3.5, 1e-14);
  EXPECT_NEAR(frame.inertia[0], 6.0 / 12 * (1 + 4), 1e-12);  // about x, the longest edge
  EXPECT_NEAR(frame.inertia[1], 6.0 / 12 * (9 + 1), 1e-12);
  EXPECT_NEAR(frame.inertia[2], 6.0 / 12 * (9 + 4), 1e-12);
  EXPECT_EQ(frame.axes[0], (Real3{1, 0, 0}));
  const auto moments = mesh_moments(ellipsoid({1, 2, 3}, 60));  // inscribed, so a little smaller
  EXPECT_NEAR(moments.volume / (8 * pi), 1, 0.003);
  EXPECT_NEAR(moments.second[2] / (8 * pi * 9 / 5), 1, 0.005);
}

TEST(MeshMoments, OfABoxFarFromTheOrigin) {
  // Exact corners; moments are taken a few edges from the box, which costs some hundred roundings.
  const auto frame = principal_frame(mesh_moments(test::sample_box({4e6, -5e6, 100}, {4e6 + 3, -5e6 + 2, 101})));
  EXPECT_NEAR(frame.inertia[0], 6.0 / 12 * (1 + 4), 1e-11);
  EXPECT_NEAR(frame.inertia[1], 6.0 / 12 * (9 + 1), 1e-11);
  EXPECT_NEAR(frame.inertia[2], 6.0 / 12 * (9 + 4), 1e-11);
  EXPECT_NEAR(frame.center[0], 4e6 + 1.5, 1e-8);
}

TEST(MeshMoments, OfAFreeBodyInTheCoordinatesOfAMap) {
  // A boulder of a few metres, 6e6 m from the origin; its corners are exact numbers.
  FreeBody body;
  body.density = 2;
  resolve_free_body(body, test::sample_box({4e6, -5e6, 100}, {4e6 + 3, -5e6 + 2, 101}));
  EXPECT_NEAR(*body.mass, 12, 1e-12);
  const Real3 inertia{12.0 / 12 * (1 + 4), 12.0 / 12 * (9 + 1), 12.0 / 12 * (9 + 4)};  // of a box with these edges
  const Real3 center{4e6 + 1.5, -5e6 + 1, 100.5};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR((*body.inertia)[k], inertia[k], 1e-9) << k;
    EXPECT_NEAR((*body.center)[k], center[k], 1e-8) << k;
  }
}

TEST(FitSpheres, ASphereNeedsOne) {
  const auto spheres = fit_spheres(ellipsoid({0.5, 0.5, 0.5}, 24), {1, 24}, "ball");
  ASSERT_EQ(spheres.size(), 1u);
  // The facets are at least cos^2(pi/48) of the radius away from the centre, which is the middle of the grid.
  EXPECT_GT(spheres[0].radius, 0.5 * 0.99);
  EXPECT_LE(spheres[0].radius, 0.5);
  EXPECT_LT(geometry::length(spheres[0].center), 0.005);
}

TEST(FitSpheres, ErrorsFallWithTheirNumber) {
  const std::vector<std::pair<TriangleMesh, double>> bodies = {{test::sample_box({0, 0, 0}, {1, 1.4, 2}), 0.25},
                                                               {ellipsoid({1, 0.6, 0.5}, 20), 0.08}};
  for (const auto& [mesh, left] : bodies) {
    const auto solid = mesh_moments(mesh);
    double before = 1;
    for (const std::size_t n : {1U, 4U, 16U}) {
      const auto spheres = fit_spheres(mesh, {n, 24}, "body");
      const auto body = make_clump(spheres);
      const double error = 1 - body.volume / solid.volume;
      EXPECT_GT(error, 0) << n;  // the spheres lie inside the mesh
      EXPECT_LT(error, 0.9 * before) << n;
      before = error;
      const geometry::MeshSurface surface(mesh);
      for (const auto& [c, r] : spheres) {
        EXPECT_TRUE(surface.encloses(c));
        EXPECT_GE(surface.squared_distance_within(c, 10), r * r * (1 - 1e-12));
      }
    }
    EXPECT_LT(before, left);  // `left` belongs to 16 spheres
  }
}

TEST(FitSpheres, ADumbbellIsFoundAgain) {
  // One mesh with two separate bodies. The second sphere must go into the other body.
  TriangleMesh mesh = ellipsoid({0.5, 0.5, 0.5}, 16);
  const TriangleMesh other = ellipsoid({0.3, 0.3, 0.3}, 16);
  const auto shift = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const auto& v : other.vertices) mesh.vertices.push_back({v[0] + 2, v[1], v[2]});
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + shift, b + shift, c + shift});
  const auto spheres = fit_spheres(mesh, {2, 64}, "two");
  ASSERT_EQ(spheres.size(), 2u);
  EXPECT_NEAR(spheres[0].radius, 0.5, 0.01);
  EXPECT_NEAR(spheres[1].radius, 0.3, 0.01);
  EXPECT_NEAR(spheres[1].center[0], 2, 0.01);
}

// All spheres in a plate are alike: they must not crowd in a corner.
TEST(FitSpheres, ThoseOfAPlateLieAllOverIt) {
  const auto spheres = fit_spheres(test::sample_box({0, 0, 0}, {1, 1, 0.05}), {9, 40}, "plate");
  ASSERT_EQ(spheres.size(), 9u);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GT(geometry::length(geometry::subtract(spheres[i].center, spheres[j].center)), 0.3);
    }
  }
  const Real3 center = make_clump(spheres).center;
  EXPECT_NEAR(center[0], 0.5, 0.1);
  EXPECT_NEAR(center[1], 0.5, 0.1);
}

std::string error_of(const TriangleMesh& mesh, const FitChoice& choice) {
  try {
    (void)fit_spheres(mesh, choice, "a.stl");
  } catch (const CaseError& error) { return error.what(); }
  return "";
}

TEST(FitSpheres, RefusesWhatHasNoInside) {
  TriangleMesh open = test::sample_box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  EXPECT_NE(error_of(open, {}).find("a.stl: must be a closed surface to be filled with spheres: it has 3 open edges"),
            std::string::npos);
  TriangleMesh inwards = test::sample_box({0, 0, 0}, {1, 1, 1});
  for (auto& t : inwards.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(error_of(inwards, {}).find("face inwards"), std::string::npos);
}

TriangleMesh with_box(TriangleMesh mesh, const Real3& low, const Real3& high, bool inwards) {
  const TriangleMesh box = test::sample_box(low, high);
  const auto shift = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), box.vertices.begin(), box.vertices.end());
  for (const auto& [a, b, c] : box.triangles) {
    mesh.triangles.push_back({a + shift, (inwards ? c : b) + shift, (inwards ? b : c) + shift});
  }
  return mesh;
}

// Their volumes cancel, wholly or in part, while spheres fill both.
TEST(FitSpheres, RefusesAPartThatIsTurnedInsideOut) {
  const TriangleMesh cube = test::sample_box({0, 0, 0}, {1, 1, 1});
  for (const double edge : {1.0, 0.5}) {
    const TriangleMesh two = with_box(cube, {3, 0, 0}, {3 + edge, edge, edge}, true);
    EXPECT_NE(error_of(two, {1, 8}).find("a.stl: has a part whose triangles face inwards"), std::string::npos) << edge;
  }
  EXPECT_EQ(error_of(with_box(cube, {3, 0, 0}, {4, 1, 1}, false), {1, 8}), "");
  const TriangleMesh hollow = with_box(cube, {0.4, 0.4, 0.4}, {0.6, 0.6, 0.6}, true);
  EXPECT_EQ(error_of(hollow, {1, 8}), "");
  // A body within the hollow, and a hollow in that body.
  const TriangleMesh nested = with_box(hollow, {0.45, 0.45, 0.45}, {0.55, 0.55, 0.55}, false);
  EXPECT_EQ(error_of(nested, {1, 8}), "");
  EXPECT_EQ(error_of(with_box(nested, {0.48, 0.48, 0.48}, {0.52, 0.52, 0.52}, true), {1, 8}), "");
}

TEST(FitSpheres, RefusesASheetOfTwoSides) {
  TriangleMesh sheet;  // two triangles back to back, turned so that its box has a volume
  sheet.vertices = {{0, 0, 0}, {1, 0, 0.3}, {0.2, 1, 0.7}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 1}};
  EXPECT_NE(error_of(sheet, {}).find("a.stl: encloses no volume"), std::string::npos);
}

std::pair<int, std::string> command(const std::vector<const char*>& words) {
  std::vector<const char*> argv = {"scree", "clump"};
  argv.insert(argv.end(), words.begin(), words.end());
  std::ostringstream out;
  const int code = run_command_line(static_cast<int>(argv.size()), argv.data(), out, out, 0);
  return {code, out.str()};
}

TEST(ClumpCommand, FitsAndWritesATemplate) {
  test::ScratchFolder folder;
  const auto mesh = (folder / "box.stl").string(), out = (folder / "box.csv").string();
  test::write_stl(mesh, test::sample_box({0, 0, 0}, {1, 1, 2}));
  const auto [code, text] =
      command({mesh.c_str(), "--spheres", "5", "--scale", "0.001", "--resolution", "24", "--out", out.c_str()});
  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("5 spheres inside box.stl"), std::string::npos) << text;
  EXPECT_NE(text.find("clump against mesh: volume -"), std::string::npos) << text;
  EXPECT_NE(text.find("principal moments -"), std::string::npos) << text;
  EXPECT_NE(text.find("wrote " + out), std::string::npos) << text;
  const auto spheres = read_clump(out);
  ASSERT_EQ(spheres.size(), 5u);
  EXPECT_NEAR(spheres[0].radius, 5e-4, 1e-5);
  const auto [again, template_text] = command({mesh.c_str(), "--spheres", "1", "--resolution", "24"});
  EXPECT_EQ(again, 0);
  EXPECT_NE(template_text.find("\nx,y,z,r\n0."), std::string::npos) << template_text;
  EXPECT_EQ(command({(folder / "none.stl").c_str()}).first, 2);
  EXPECT_EQ(command({mesh.c_str(), "--spheres", "0"}).first, 2);
}

}  // namespace scree::clumps::clump_fit_test
