#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "host/clumps/orientation.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/trilinear.hpp"
#include "host/packing/random.hpp"
#include "scree/errors.hpp"

namespace scree::grains::grain_shapes_test {

using nlohmann::json;
using std::numbers::pi;

json level_set_data(const std::string& name) {
  return json::parse(std::ifstream(std::string(SCREE_SOURCE_DIR) + "/tests/data/level_set/" + name));
}

SolidPointer solid_of(const std::string& shape, const std::vector<double>& p) {
  if (shape == "sphere") return make_sphere(p[0]);
  if (shape == "box") return make_box({p[0], p[1], p[2]});
  if (shape == "capsule") return make_capsule(p[0], p[1]);
  if (shape == "cylinder") return make_cylinder(p[0], p[1]);
  if (shape == "torus") return make_torus(p[0], p[1]);
  return nullptr;
}

/// The frame of a body turned by a vector [rad] and moved.
clumps::PrincipalFrame turned_frame(const std::vector<double>& rotation, const Real3& center) {
  const double angle = std::sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
  const double s = angle > 0 ? std::sin(angle / 2) / angle : 0;
  const clumps::Orientation q = {std::cos(angle / 2), s * rotation[0], s * rotation[1], s * rotation[2]};
  clumps::PrincipalFrame frame{center, {}, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Real3 unit{};
    unit[axis] = 1;
    frame.axes[axis] = clumps::turned(q, unit);
  }
  return frame;
}

// Exact values of the polynomial and of its gradient from tests/data; 1e-12 is rounding of numbers of size 1 to 10.
TEST(GrainGrid, TrilinearInterpolationIsExactForTrilinearFunctions) {
  const json data = level_set_data("trilinear.json");
  const auto c = data["coef"].get<std::vector<double>>();
  const auto at = [&](const Real3& p) {
    const auto& [x, y, z] = p;
    return c[0] + c[1] * x + c[2] * y + c[3] * z + c[4] * x * y + c[5] * y * z + c[6] * x * z + c[7] * x * y * z;
  };
  const Grid grid{data["grid"]["origin"].get<Real3>(), data["grid"]["n"].get<std::array<std::uint32_t, 3>>(),
                  data["grid"]["h"].get<double>()};
  std::vector<double> values;
  for_each_point(grid, 0, [&](std::size_t, std::size_t i, std::size_t j, std::size_t k) {
    values.push_back(at(grid.place(i, j, k)));
  });
  const auto points = data["points"].get<std::vector<Real3>>();
  ASSERT_GE(points.size(), 20u);
  for (std::size_t n = 0; n < points.size(); ++n) {
    const auto own = trilinear<double>(grid, values, points[n]);
    const auto nodal = trilinear_with_nodal_gradient<double>(grid, values, points[n]);
    ASSERT_TRUE(own && nodal);
    const auto gradient = data["gradient"][n].get<Real3>();
    for (const auto& found : {*own, *nodal}) {
      EXPECT_NEAR(found.value, data["value"][n].get<double>(), 1e-12);
      for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(found.gradient[axis], gradient[axis], 1e-12);
    }
  }
  EXPECT_FALSE(trilinear<double>(grid, values, {-3.001, 0, 0}));
  EXPECT_FALSE(trilinear<double>(grid, values, {0, 1.001, 0}));
  EXPECT_TRUE(trilinear<double>(grid, values, grid.place(7, 6, 8)));
}

// Directions on a sphere of ten spacings: the gradient of the interpolant itself is off by up to 3.9 degrees, that of
// nodal differences by up to 0.14 (an independent prototype).
TEST(GrainGrid, NodalGradientsAreSmooth) {
  const auto grain = make_grain(*make_sphere(10), {1, 0.9}, "sphere").shape;
  double worst_own = 0, worst_nodal = 0;
  for (const Real3& node : grain.node) {
    const Real3 exact = geometry::unit(node);
    const auto angle = [&](const Real3& gradient) {
      return std::acos(std::min(1.0, geometry::dot(geometry::unit(gradient), exact))) * 180 / pi;
    };
    worst_own = std::max(worst_own, angle(trilinear<float>(grid_of(grain), grain.phi, node)->gradient));
    worst_nodal =
        std::max(worst_nodal, angle(trilinear_with_nodal_gradient<float>(grid_of(grain), grain.phi, node)->gradient));
  }
  EXPECT_LT(worst_nodal, 0.2);
  EXPECT_GT(worst_own, 2);
  EXPECT_LT(worst_own, 4.5);
}

// Closed forms and tolerances of tests/data/level_set/mass_inertia.json, on grids with random places.
TEST(GrainGrid, MomentsFromTheGridMatchClosedForms) {
  packing::Random random(5, 0);
  std::size_t checked = 0;
  const json data = level_set_data("mass_inertia.json");
  for (const json& entry : data["cases"]) {
    const SolidPointer solid = solid_of(entry["shape"], entry["params"]);
    if (!solid) continue;
    for (int round = 0; round < 4; ++round, ++checked) {
      const double h = entry["grid_h"];
      const auto rotation = entry.value("rotation_vector_of_shape_in_grid", std::vector<double>{0, 0, 0});
      const Real3 center = {random.uniform(0, h), random.uniform(0, h), random.uniform(0, h)};
      const Placed body{*solid, turned_frame(rotation, center)};
      const double half = std::ceil(solid->farthest({}) / h) + 3;
      const auto n = static_cast<std::uint32_t>(2 * half + 1);
      const Grid grid{{-half * h, -half * h, -half * h}, {n, n, n}, h};
      const auto frame = clumps::principal_frame(moments_of_grid(grid, sample_distance(body, grid)));
      auto expected = entry["inertia_principal_unit_density"].get<std::vector<double>>();
      std::sort(expected.begin(), expected.end());
      const double volume = entry["volume"], volume_tolerance = entry["tol_rel_volume"];
      EXPECT_NEAR(moments_of_grid(grid, sample_distance(body, grid)).volume / volume, 1, volume_tolerance) << entry;
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(frame.inertia[k] / expected[k], 1, entry["tol_rel_inertia"].get<double>()) << entry;
      }
      // 7e-3 spacings are the largest error of the prototype; edges double it.
      EXPECT_LT(geometry::length(geometry::subtract(frame.center, body.in_body({}))), 0.015 * h) << entry;
    }
  }
  EXPECT_GE(checked, 24u);
}

TEST(GrainFormulas, MomentsAreThoseOfTheClosedForms) {
  const json data = level_set_data("mass_inertia.json");
  for (const json& entry : data["cases"]) {
    const SolidPointer solid = solid_of(entry["shape"], entry["params"]);
    if (!solid) continue;
    auto expected = entry["inertia_principal_unit_density"].get<std::vector<double>>();
    std::sort(expected.begin(), expected.end());
    const auto grain = make_grain(*solid, {entry["grid_h"], 0.9}, entry["shape"]).shape;
    EXPECT_NEAR(grain.volume / entry["volume"].get<double>(), 1, 1e-13) << entry;
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(grain.inertia[k] / expected[k], 1, 1e-13) << entry;
  }
  EXPECT_GE(data["cases"].size(), 8u);
}

TEST(GrainFormulas, DistancesAreThoseOfKnownPoints) {
  EXPECT_DOUBLE_EQ(make_sphere(2)->distance({3, 4, 0}), 3);
  const auto box = make_box({3, 2, 1});
  EXPECT_DOUBLE_EQ(box->distance({0, 0, 0}), -1);
  EXPECT_DOUBLE_EQ(box->distance({2.5, 0, 0}), -0.5);
  EXPECT_DOUBLE_EQ(box->distance({-6, 6, 0}), 5);
  EXPECT_DOUBLE_EQ(box->distance({4, 4, -3}), 3);
  const auto capsule = make_capsule(1, 4);
  EXPECT_DOUBLE_EQ(capsule->distance({3, 0, 2}), 2);
  EXPECT_DOUBLE_EQ(capsule->distance({3, 0, -8}), 4);
  const auto cylinder = make_cylinder(2, 5);
  EXPECT_DOUBLE_EQ(cylinder->distance({0, 0, 0}), -2);
  EXPECT_DOUBLE_EQ(cylinder->distance({5, 0, 9}), 5);
  EXPECT_DOUBLE_EQ(cylinder->distance({0, 1, 4.5}), -0.5);
  const auto torus = make_torus(5, 2);
  EXPECT_DOUBLE_EQ(torus->distance({0, 0, 0}), 3);
  EXPECT_DOUBLE_EQ(torus->distance({0, 5, 0}), -2);
  EXPECT_DOUBLE_EQ(torus->distance({8, 0, 4}), 3);
}

/// Mean and deviation over orientations of the force of the nodes of a sphere, pressed by d onto a plane, over
/// pi R d^2, which is its value for infinitely many nodes.
std::pair<double, double> force_on_plane(const GrainShape& grain, double radius, double d) {
  packing::Random random(11, 0);
  double sum = 0, squares = 0;
  constexpr int rounds = 200;
  for (int round = 0; round < rounds; ++round) {
    const auto orientation = clumps::random_orientation(random);
    double force = 0;
    for (std::size_t n = 0; n < grain.node.size(); ++n) {
      const double depth = d - radius - clumps::turned(orientation, grain.node[n])[2];
      if (depth > 0) force += grain.node_area[n] * depth;
    }
    force /= pi * radius * d * d;
    sum += force / rounds;
    squares += force * force / rounds;
  }
  return {sum, std::sqrt(std::max(0.0, squares - sum * sum))};
}

// 2562 nodes of an icosphere scatter by 2 % at an overlap of 0.2 spacings and 0.6 % at 0.5 (an independent prototype).
TEST(GrainNodes, ForcesOfASphereOnAPlaneScatterLittle) {
  const auto grain = make_grain(*make_sphere(10), {1, 0.9}, "sphere").shape;
  EXPECT_NEAR(static_cast<double>(grain.node.size()), 2300, 300);
  const auto [shallow, shallow_scatter] = force_on_plane(grain, 10, 0.2);
  const auto [deep, deep_scatter] = force_on_plane(grain, 10, 0.5);
  EXPECT_NEAR(shallow, 1, 0.003);
  EXPECT_LT(shallow_scatter, 0.015);
  EXPECT_NEAR(deep, 1, 0.001);
  EXPECT_LT(deep_scatter, 0.006);
}

// Surfaces in closed form. The nodes lie on the surface, so the last digits of the distance are its rounding and the
// limit of the search for them, 1e-10 spacings; at edges the nodes are found by tangential planes.
TEST(GrainNodes, LieOnTheSurfaceAndHaveItsArea) {
  const std::vector<std::pair<std::string, std::vector<double>>> shapes = {{"sphere", {10}},     {"sphere", {3}},
                                                                           {"box", {10, 6, 4}},  {"capsule", {5, 6}},
                                                                           {"cylinder", {6, 9}}, {"torus", {9, 4}}};
  for (const auto& [name, parameters] : shapes) {
    const SolidPointer solid = solid_of(name, parameters);
    for (const double h : {1.0, 0.83}) {
      const auto [shape, report] = make_grain(*solid, {h, 0.9}, name);
      const Placed body{*solid, clumps::principal_frame(solid->moments())};
      double area = 0, square = 0;
      for (std::size_t n = 0; n < shape.node.size(); ++n) {
        EXPECT_LT(std::fabs(body.distance(shape.node[n])), 1e-6 * h) << name;
        area += shape.node_area[n];
        square += shape.node_area[n] * shape.node_area[n];
      }
      const double mean = area / static_cast<double>(shape.node.size());
      EXPECT_NEAR(area / solid->area().value(), 1, 2e-3) << name;
      EXPECT_DOUBLE_EQ(report.node_area, area);
      EXPECT_GT(std::sqrt(mean), 0.65 * h) << name;
      EXPECT_LT(std::sqrt(mean), 1.0 * h) << name;
      EXPECT_LT(std::sqrt(square / static_cast<double>(shape.node.size()) / (mean * mean) - 1), 0.35) << name;
      EXPECT_TRUE(geometry::is_closed({shape.node, shape.triangle})) << name;
      EXPECT_GT(geometry::signed_volume({shape.node, shape.triangle}), 0.95 * shape.volume) << name;
    }
  }
}

TEST(GrainNodes, StandOnTheCornersOfABox) {
  const auto grain = make_grain(*make_box({10, 6, 4}), {0.83, 0.9}, "box").shape;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Real3 place = {corner & 1U ? 10.0 : -10.0, corner & 2U ? 6.0 : -6.0, corner & 4U ? 4.0 : -4.0};
    double nearest = 1e9;
    for (const Real3& node : grain.node) nearest = std::min(nearest, geometry::length(geometry::subtract(node, place)));
    EXPECT_LT(nearest, 0.01);
  }
}

TEST(GrainTemplates, HaveTheirPrincipalAxesInOrder) {
  const auto grain = make_grain(*make_box({4, 10, 6}), {1, 0.9}, "box").shape;
  EXPECT_LT(grain.inertia[0], grain.inertia[1]);
  EXPECT_LT(grain.inertia[1], grain.inertia[2]);
  double longest = 0;
  for (const Real3& node : grain.node) {
    longest = std::max(longest, node[0]);
    const Real3 in_source = clumps::turned(grain.to_source, node);
    EXPECT_LE(std::fabs(in_source[0]), 4 + 1e-6);
    EXPECT_LE(std::fabs(in_source[1]), 10 + 1e-6);
    EXPECT_LE(std::fabs(in_source[2]), 6 + 1e-6);
  }
  EXPECT_NEAR(longest, 10, 1e-6);
  EXPECT_NEAR(grain.equivalent_radius, std::cbrt(0.75 * 1920 / pi), 1e-12);
  EXPECT_GE(grain.bounding_radius, std::sqrt(16 + 100 + 36));
  EXPECT_LT(grain.bounding_radius, std::sqrt(16 + 100 + 36) + 0.3);
}

// Without the correction the distance on a sphere of radius R is too large by h^2/(6 R) = 0.0167 h on average.
TEST(GrainTemplates, PhiHasNoBias) {
  const auto grain = make_grain(*make_sphere(10), {1, 0.9}, "sphere").shape;
  double mean = 0;
  for (const Real3& node : grain.node) mean += trilinear<float>(grid_of(grain), grain.phi, node)->value;
  mean /= static_cast<double>(grain.node.size());
  EXPECT_LT(std::fabs(mean), 0.0167 / 20);
}

TEST(GrainTemplates, HaveTheSameBitsTwiceAndAHashOfThem) {
  const auto solid = make_torus(9, 4);
  const auto once = make_grain(*solid, {1, 0.9}, "torus").shape, twice = make_grain(*solid, {1, 0.9}, "torus").shape;
  EXPECT_EQ(once, twice);
  EXPECT_EQ(once.hash.size(), 32u);
  auto other = once;
  other.phi[77] = std::nextafter(other.phi[77], 1e9F);
  EXPECT_NE(hash_of(other), once.hash);
  other = once;
  other.node_area[3] *= 1 + 1e-15;
  EXPECT_NE(hash_of(other), once.hash);
}

std::string error_of(const Solid& solid, const GrainChoice& choice) {
  try {
    (void)make_grain(solid, choice, "grain");
  } catch (const CaseError& error) { return error.what(); }
  return "";
}

TEST(GrainTemplates, RefuseGridsThatDoNotFit) {
  const auto sphere = make_sphere(10);
  EXPECT_NE(error_of(*sphere, {1e-3, 0.9}).find("grain: the grid is too fine: a spacing of 0.001 m makes more than"),
            std::string::npos);
  EXPECT_NE(error_of(*sphere, {12, 0.9}).find("grain: the grid is too coarse"), std::string::npos);
  EXPECT_NE(error_of(*make_box({10, 10, 0.5}), {1, 0.9}).find("the grid is too coarse"), std::string::npos);
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(error_of(*sphere, {bad, 0.9}).find("grain: the spacing must be > 0, got "), std::string::npos) << bad;
  }
  EXPECT_NE(error_of(*sphere, {1, 5}).find("grain: the node spacing must be from 0.1 to 2 spacings"),
            std::string::npos);
  EXPECT_NE(error_of(*make_sphere(1e-200), {1e-201, 0.9}).find("grain: has no volume"), std::string::npos);
}

TEST(GrainTemplates, FaultsAreNamed) {
  const auto good = make_grain(*make_sphere(5), {1, 0.9}, "sphere").shape;
  EXPECT_EQ(fault_of(good), std::nullopt);
  auto bad = good;
  bad.phi[5] = NAN;
  EXPECT_EQ(fault_of(bad), "phi must be finite");
  bad = good;
  bad.phi[0] = -1;
  EXPECT_EQ(fault_of(bad), "the surface comes nearer than two layers to a face of the grid");
  bad = good;
  bad.triangle[3][1] = 1'000'000;
  EXPECT_EQ(fault_of(bad), "a triangle has a corner that is not the index of a node");
  bad = good;
  bad.node_area.pop_back();
  EXPECT_EQ(fault_of(bad).value().find("node_area has "), 0u);
  bad = good;
  std::swap(bad.inertia[0], bad.inertia[2] = 2 * bad.inertia[2]);
  EXPECT_EQ(fault_of(bad), "the moments of inertia must be in ascending order");
}

}  // namespace scree::grains::grain_shapes_test
