#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "case_errors.hpp"
#include "host/clumps/clump.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/random.hpp"
#include "scree/build_scene.hpp"
#include "scree/case_file.hpp"
#include "scree/errors.hpp"

/// Mass properties of clumps of many spheres, and of clumps on grids.
namespace scree::clumps::large_clumps_test {

using std::numbers::pi;
using test::error_of;

const std::vector<Real3> directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, geometry::unit({1, 1, 1})};

/// Spheres of radius 1 in a row.
std::vector<ClumpSphere> fibre(int count, double spacing, const Real3& direction) {
  std::vector<ClumpSphere> spheres;
  for (int k = 0; k < count; ++k) { spheres.push_back({geometry::scaled(direction, spacing * k), 1}); }
  return spheres;
}

/// Each sphere but the first adds a ball without the lens that it shares with the one before: what it shares with those
/// farther away lies in there.
double fibre_volume(int count, double spacing) {
  const double ball = 4 * pi / 3, lens = pi * (4 + spacing) * (2 - spacing) * (2 - spacing) / 12;
  return count * ball - (count - 1) * lens;
}

// About the axis of a fibre, moments of inertia add up as volumes do. They are less than 1e-5 of the others.
TEST(LargeClump, FibresAreExactInAnyDirection) {
  constexpr double spacing = 1.9;
  const double one = 0.4 * 4 * pi / 3, two = make_clump(fibre(2, spacing, {1, 0, 0})).inertia[0];
  for (const int count : {201, 1000}) {
    const double volume = fibre_volume(count, spacing), about_axis = count * one - (count - 1) * (2 * one - two);
    const double across = make_clump(fibre(count, spacing, {1, 0, 0})).inertia[2];
    for (const Real3& direction : directions) {
      const ClumpBody body = make_clump(fibre(count, spacing, direction));
      EXPECT_EQ(body.method, MassMethod::slices);
      EXPECT_LT(body.error, 1e-8);
      EXPECT_NEAR(body.volume / volume, 1, 1e-11) << count;
      EXPECT_NEAR(body.inertia[0] / about_axis, 1, 1e-8) << count;
      EXPECT_NEAR(body.inertia[2] / across, 1, 1e-11) << count;
    }
  }
}

/// Sphere by sphere and as a whole: the same union, with a sphere apart that makes it large enough for the first way.
TEST(LargeClump, SphereBySphereIsTheWholeUnion) {
  packing::Random random(3, 0);
  std::vector<ClumpSphere> spheres;
  for (int k = 0; k < 30; ++k) {
    spheres.push_back({geometry::scaled(random.in_ball(), 1.5), random.uniform(0.3, 0.6)});
  }
  const ClumpBody body = make_clump(spheres);
  std::vector<ClumpSphere> many = spheres;
  for (int k = 0; k < 200; ++k) { many.push_back({spheres[0].center, 0.5 * spheres[0].radius}); }  // adds nothing
  // Of these all 19,900 pairs overlap, which is too much. Spread over the members only few do.
  EXPECT_EQ(make_clump(many).method, MassMethod::grid);
  for (std::size_t k = 0; k < 200; ++k) { many[30 + k] = {spheres[k % 30].center, 0.01 * spheres[k % 30].radius}; }
  const ClumpBody parts = make_clump(many);
  ASSERT_EQ(parts.method, MassMethod::slices);
  const double tolerance = body.error + parts.error;
  EXPECT_LT(tolerance, 1e-6);
  EXPECT_NEAR(parts.volume / body.volume, 1, tolerance);
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(parts.inertia[k] / body.inertia[k], 1, 2 * tolerance); }
}

// 600 spheres that each overlap forty others: the cells follow the spheres, not the box.
TEST(LargeClump, AGridFollowsTheSpheres) {
  const ClumpBody body = make_clump(fibre(600, 0.1, directions[3]));
  EXPECT_EQ(body.method, MassMethod::grid);
  EXPECT_LT(body.error, poor_grid_error);
  EXPECT_NEAR(body.volume / fibre_volume(600, 0.1), 1, 0.005);
}

TEST(LargeClump, OfSpheresInOneLargeSphere) {
  packing::Random random(1, 0);
  std::vector<ClumpSphere> spheres = {{{0, 0, 0}, 1}};
  for (int k = 0; k < 210; ++k) { spheres.push_back({geometry::scaled(random.in_ball(), 0.5), 0.45}); }
  const ClumpBody body = make_clump(spheres);
  EXPECT_EQ(body.method, MassMethod::grid) << "most of 22,000 pairs overlap";
  EXPECT_LT(body.error, 0.01);
  EXPECT_LE(std::abs(body.volume / (4 * pi / 3) - 1), body.error);
}

TEST(LargeClump, AGridThatIsTooCoarseIsRefused) {
  const std::string error = error_of([] { (void)make_clump(fibre(60, 1.9, directions[3]), {64}); });
  EXPECT_IN("resolution: makes a grid that is too coarse for mass and inertia: their relative error is about ", error);
  EXPECT_IN("give more cells along the shortest edge, or leave it out", error);
}

TEST(LargeClump, APoorGridIsAWarning) {
  const auto warnings = [](const std::string& resolution) {
    SceneReport report;
    (void)build_scene(parse_case(R"({ "time": { "duration": 1, "step": 1e-5 }, "materials": { "glass": {
      "density": 2500, "young_modulus": 1e7, "poisson_ratio": 0.25, "friction": 0.4, "restitution": 0.5 } },
      "shapes": { "blob": { "type": "clump", "spheres": [
        { "center": [0, 0, 0], "radius": 1 }, { "center": [0.7, 0.4, 0], "radius": 0.8 },
        { "center": [0.1, -0.6, 0.5], "radius": 0.7 } ])" +
                                     resolution + R"( } },
      "particles": [ { "material": "glass", "shape": "blob", "positions": [[0, 0, 0]] } ] })",
                                 "/nowhere"),
                      report);
    std::string all;
    for (const auto& warning : report.warnings) { all += warning + "\n"; }
    return all;
  };
  EXPECT_IN("shapes.blob: mass and inertia have a relative error of about ", warnings(R"(, "resolution": 24)"));
  EXPECT_EQ(warnings(R"(, "resolution": 256)").find("relative error"), std::string::npos);
  EXPECT_EQ(warnings("").find("relative error"), std::string::npos);
}

}  // namespace scree::clumps::large_clumps_test
