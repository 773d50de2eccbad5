#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "case_errors.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/packing/fill.hpp"
#include "packed_spheres.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

namespace scree::packing::packing_fill_test {

using test::error_of;

/// Deepest overlap [m] of any two spheres, by comparing every pair.
double deepest_overlap(const Spheres& a, const Spheres& b, bool same) {
  double deepest = -1e300;
  for (std::size_t i = 0; i < a.radius.size(); ++i) {
    for (std::size_t j = same ? i + 1 : 0; j < b.radius.size(); ++j) {
      const double distance = geometry::length(geometry::subtract(a.position[i], b.position[j]));
      deepest = std::max(deepest, a.radius[i] + b.radius[j] - distance);
    }
  }
  return deepest;
}

Spheres fill(const Region& region, const Fill& how, const SizeDistribution& sizes, std::uint64_t seed = 1,
             const Spheres& obstacles = {}) {
  std::vector<std::string> warnings;
  const auto place = make_region(region, ".", warnings);
  return place_spheres(*place, radii_of_fill(*place, how, sizes, seed, 0), obstacles, seed, 0);
}

const BoxRegion unit_box{{0, 0, 0}, {1, 1, 1}};

class FillFractions : public testing::TestWithParam<double> {};

TEST_P(FillFractions, EqualSpheresReachTheFractionWithoutOverlapInsideTheBox) {
  const double fraction = GetParam(), r = 0.04;
  const Spheres spheres = fill(unit_box, to_fraction(fraction), FixedSize{r});
  EXPECT_NEAR(solid_volume(spheres), fraction, 0.5 * 4.0 / 3.0 * std::numbers::pi * r * r * r + 1e-12);
  EXPECT_LE(deepest_overlap(spheres, spheres, true), 1e-15);
  for (const Real3& p : spheres.position) {
    for (const double x : p) EXPECT_TRUE(x >= r - 1e-15 && x <= 1 - r + 1e-15) << x;
  }
}
// Fractions on each side of every change of method.
INSTANTIATE_TEST_SUITE_P(Fill, FillFractions, testing::Values(0.01, 0.19, 0.21, 0.35, 0.5, 0.55, 0.65));

TEST(Fill, PolydisperseSpheresAreDenseAndApart) {
  for (const double fraction : {0.15, 0.4, 0.5}) {
    const Spheres spheres = fill(unit_box, to_fraction(fraction), UniformSize{0.015, 0.06});
    EXPECT_NEAR(solid_volume(spheres), fraction, 1e-3);
    EXPECT_LE(deepest_overlap(spheres, spheres, true), 1e-15);
  }
}

/// Strongest order along x, over the number of spheres n: |sum exp(i k x)|^2 / n^2 is about 1/n for random places and 1
/// for the planes of a lattice. `reach` is the length over which the planes would be spread.
double order_along_x(const Spheres& spheres, double reach) {
  const auto n = static_cast<double>(spheres.radius.size());
  double strongest = 0;
  for (int planes = 10; planes < 40; ++planes) {
    const double k = 2 * std::numbers::pi * planes / reach;
    double cosine = 0, sine = 0;
    for (const Real3& p : spheres.position) {
      cosine += std::cos(k * p[0]);
      sine += std::sin(k * p[0]);
    }
    strongest = std::max(strongest, (cosine * cosine + sine * sine) / (n * n));
  }
  return strongest;
}

// Walls cause some layers near them, but far fewer than a lattice has.
TEST(Fill, DenseFillsShowNoTraceOfALattice) {
  const double r = 0.025;
  EXPECT_LT(order_along_x(fill(unit_box, to_fraction(0.45), FixedSize{r}), 1 - 2 * r), 0.03);
}

/// Spheres in a box or a cell of edge 1, and how they were placed.
std::pair<Spheres, FillMethod> placed(bool in_cell, double fraction, double r) {
  const geometry::CellFrame cell({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {}, {true, true, true});
  std::vector<std::string> warnings;
  const auto region = make_region(in_cell ? Region(CellRegion{}) : Region(unit_box), ".", warnings, &cell);
  FillMethod method{};
  Spheres spheres = place_spheres(*region, radii_of_fill(*region, to_fraction(fraction), FixedSize{r}, 1, 0), {}, 1, 0,
                                  in_cell ? &cell : nullptr, &method);
  return {std::move(spheres), method};
}

// Pushing apart what was scattered reaches 0.57 between walls so near, and 0.6 in a cell. Beside each wall some two
// layers of fourteen are in order, the square of which is 0.08.
TEST(Fill, WhatCannotBePushedApartGrowsToARandomPacking) {
  const auto [in_box, box_method] = placed(false, 0.58, 0.035);
  EXPECT_EQ(box_method, FillMethod::growth);
  EXPECT_NEAR(solid_volume(in_box), 0.58, 1e-4);
  EXPECT_LT(order_along_x(in_box, 1 - 2 * 0.035), 0.1);
  const auto [in_cell, cell_method] = placed(true, 0.61, 0.05);
  EXPECT_EQ(cell_method, FillMethod::growth);
  EXPECT_LT(order_along_x(in_cell, 1), 0.03);
}

TEST(Fill, SaysHowPlacesWereFound) {
  EXPECT_EQ(placed(false, 0.1, 0.05).second, FillMethod::insertion);
  EXPECT_EQ(placed(true, 0.4, 0.05).second, FillMethod::relaxation);
  const auto [spheres, method] = placed(false, 0.65, 0.04);  // more than any random packing of equal spheres has
  EXPECT_EQ(method, FillMethod::lattice);
  EXPECT_GT(order_along_x(spheres, 1 - 2 * 0.04), 0.3);
}

TEST(Fill, IdsAreRandomInSpaceAndSize) {
  const Spheres spheres = fill(unit_box, to_fraction(0.4), UniformSize{0.02, 0.04});
  const std::size_t half = spheres.radius.size() / 2;
  double first = 0, second = 0, low = 0, high = 0;
  for (std::size_t i = 0; i < half; ++i) {
    first += spheres.radius[i], second += spheres.radius[half + i];
    low += spheres.position[i][2], high += spheres.position[half + i][2];
  }
  EXPECT_NEAR(first / second, 1, 0.05);
  EXPECT_NEAR(low / high, 1, 0.15);
}

TEST(Fill, SameSeedSameBytesOtherSeedOtherPlaces) {
  for (const double fraction : {0.15, 0.4, 0.65}) {
    const Spheres first = fill(unit_box, to_fraction(fraction), FixedSize{0.04});
    const Spheres again = fill(unit_box, to_fraction(fraction), FixedSize{0.04});
    const Spheres other = fill(unit_box, to_fraction(fraction), FixedSize{0.04}, 2);
    EXPECT_EQ(first.position, again.position);
    EXPECT_NE(first.position, other.position);
  }
}

TEST(Fill, CylinderAndSphereHoldTheirSpheresWholly) {
  const CylinderRegion cylinder{{1, 0, 0}, {1.6, 0.8, 0}, 0.3};  // tilted, of length 1
  const double r = 0.03;
  for (const double fraction : {0.1, 0.45}) {
    const Spheres in_cylinder = fill(cylinder, to_fraction(fraction), FixedSize{r});
    EXPECT_NEAR(solid_volume(in_cylinder), fraction * std::numbers::pi * 0.09, 1e-4);
    EXPECT_LE(deepest_overlap(in_cylinder, in_cylinder, true), 1e-15);
    for (const Real3& p : in_cylinder.position) {
      const double height = (p[0] - 1) * 0.6 + p[1] * 0.8;
      const double x = p[0] - 1 - height * 0.6, y = p[1] - height * 0.8;
      EXPECT_TRUE(height >= r - 1e-12 && height <= 1 - r + 1e-12);
      EXPECT_LE(std::sqrt(x * x + y * y + p[2] * p[2]), 0.3 - r + 1e-12);
    }
    const Spheres in_sphere = fill(SphereRegion{{0, 0, 2}, 0.4}, to_fraction(fraction), FixedSize{r});
    EXPECT_LE(deepest_overlap(in_sphere, in_sphere, true), 1e-15);
    for (const Real3& p : in_sphere.position) {
      EXPECT_LE(geometry::length(geometry::subtract(p, {0, 0, 2})), 0.4 - r + 1e-12);
    }
  }
}

TEST(Fill, AHollowCylinderHoldsItsSpheresWholly) {
  const CylinderRegion ring{{0, 0, 1}, {0, 0, 1.5}, 0.5, 0.35};
  const double r = 0.02, volume = std::numbers::pi * (0.25 - 0.1225) * 0.5;
  for (const double fraction : {0.1, 0.45}) {
    const Spheres spheres = fill(ring, to_fraction(fraction), FixedSize{r});
    EXPECT_NEAR(solid_volume(spheres), fraction * volume, 5e-5);
    EXPECT_LE(deepest_overlap(spheres, spheres, true), 1e-15);
    double x_mean = 0, inner_half = 0;
    for (const Real3& p : spheres.position) {
      const double away = std::hypot(p[0], p[1]);
      EXPECT_TRUE(p[2] >= 1 + r - 1e-12 && p[2] <= 1.5 - r + 1e-12);
      EXPECT_TRUE(away >= 0.35 + r - 1e-12 && away <= 0.5 - r + 1e-12) << away;
      x_mean += p[0], inner_half += away * away < 0.5 * (0.37 * 0.37 + 0.48 * 0.48) ? 1 : 0;
    }
    const auto n = static_cast<double>(spheres.position.size());
    EXPECT_NEAR(x_mean / n, 0, 4 * 0.3 / std::sqrt(n)) << "even all round; the deviation of x is 0.3";
    if (fraction < 0.2) { EXPECT_NEAR(inner_half / n, 0.5, 4 * 0.5 / std::sqrt(n)) << "even by area"; }
  }
}

TEST(Fill, ClosedMeshHoldsItsSpheresWholly) {
  const test::ScratchFolder folder;
  test::write_stl(folder / "corner.stl", test::sample_corner());
  const MeshRegion region{(folder / "corner.stl").string(), 0.5};
  const double r = 0.03;
  for (const double fraction : {0.1, 0.4}) {
    const Spheres spheres = fill(region, to_fraction(fraction), FixedSize{r});
    EXPECT_NEAR(solid_volume(spheres), fraction * 3 / 8, 1e-4);
    EXPECT_LE(deepest_overlap(spheres, spheres, true), 1e-15);
    for (const auto& [x, y, z] : spheres.position) {
      const double least = (1 - 2e-9) * r;  // rounding of what was pushed off the surface
      EXPECT_TRUE(x >= least && y >= least && z >= least && z <= 0.5 - least && x <= 1 - least && y <= 1 - least);
      if (x > 0.5 - r && y > 0.5 - r) {
        // Near the inner edge at (0.5, 0.5), centres stay at least a radius away from it, outside of the missing
        // quarter.
        EXPECT_TRUE(x <= 0.5 || y <= 0.5);
        if (x <= 0.5 && y <= 0.5) { EXPECT_GE((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5), r * r - 1e-12); }
      }
    }
  }
}

TEST(Fill, OpenMeshIsRefusedWithItsOpenEdges) {
  const test::ScratchFolder folder;
  TriangleMesh open = test::sample_box({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  test::write_stl(folder / "open.stl", open);
  std::vector<std::string> warnings;
  const auto error = error_of([&] { (void)make_region(MeshRegion{"open.stl", 1}, folder.path(), warnings); });
  EXPECT_IN("mesh.file: ", error);
  EXPECT_IN("it has 3 open edges", error);
}

TEST(Fill, KeepsClearOfObstacles) {
  for (const double fraction : {0.1, 0.4}) {
    const Spheres obstacles = fill(unit_box, to_count(30), FixedSize{0.08}, 5);
    const Spheres spheres = fill(unit_box, to_fraction(fraction), FixedSize{0.03}, 1, obstacles);
    EXPECT_NEAR(solid_volume(spheres), fraction, 1e-3);
    EXPECT_LE(deepest_overlap(spheres, spheres, true), 1e-15);
    EXPECT_LE(deepest_overlap(spheres, obstacles, false), 1e-15);
  }
}

TEST(Fill, WhatCannotFitSaysWhatDoes) {
  EXPECT_IN("cannot place 2 000 particles (solid fraction 0.905) in this box: about ",
            error_of([] { (void)fill(unit_box, to_count(2000), FixedSize{0.04762}); }));
  EXPECT_IN("(solid fraction 0.55) fit", error_of([] {
              (void)fill(unit_box, to_fraction(0.7), UniformSize{0.02, 0.06});
            }));
  EXPECT_IN("no sphere of radius 0.6 finds room in this box",
            error_of([] { (void)fill(unit_box, to_count(1), FixedSize{0.6}); }));
  EXPECT_IN("more than the 2 147 483 647 particles",
            error_of([] { (void)fill(unit_box, to_fraction(0.5), FixedSize{1e-5}); }));
  EXPECT_IN("more than the 2 147 483 647 particles",
            error_of([] { (void)fill(unit_box, to_count(3'000'000'000), FixedSize{1e-5}); }));
}

// By mass these sizes are even, but by number nearly all are the smallest: [1/a2 - 1/b2] / (2 [b - a]) per volume.
TEST(Fill, OfTooManySmallSpheresIsRefusedBeforeTheyAreDrawn) {
  EXPECT_IN("needs about 4.8e+10 particles, more than the 2 147 483 647 particles that ids can tell apart",
            error_of([] {
              (void)fill(unit_box, to_fraction(0.4), SieveSize{{{1e-5, 0}, {1e-2, 1}}});
            }));
}

TEST(Fill, ASingleSphereFitsExactly) {
  const Spheres spheres = fill(unit_box, to_count(1), FixedSize{0.5});
  ASSERT_EQ(spheres.position.size(), 1u);
  EXPECT_EQ(spheres.position[0], (Real3{0.5, 0.5, 0.5}));
}

TEST(Regions, VolumesAndFaultyRegions) {
  std::vector<std::string> warnings;
  const auto make = [&](const Region& region) { return make_region(region, ".", warnings); };
  EXPECT_NEAR(make(CylinderRegion{{0, 0, 1}, {0, 3, 5}, 2})->volume(), 20 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(make(CylinderRegion{{0, 0, 1}, {0, 3, 5}, 2, 1})->volume(), 15 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(make(SphereRegion{{}, 3})->volume(), 36 * std::numbers::pi, 1e-12);
  EXPECT_IN("box.1.2: must be greater than 1", error_of([&] { make(BoxRegion{{0, 0, 1}, {1, 1, 1}}); }));
  EXPECT_IN("cylinder.to", error_of([&] { make(CylinderRegion{{1, 1, 1}, {1, 1, 1}, 2}); }));
  EXPECT_IN("cylinder.inner_radius", error_of([&] { make(CylinderRegion{{}, {1, 1, 1}, 2, 2}); }));
  EXPECT_IN("sphere.radius: must be > 0, got 0", error_of([&] { make(SphereRegion{}); }));
  EXPECT_IN("mesh.file: ./absent.stl: does not exist", error_of([&] { make(MeshRegion{"absent.stl", 1}); }));
}

}  // namespace scree::packing::packing_fill_test
