#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "case_errors.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/packing/clear_region.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/lattice_sites.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/particles.hpp"
#include "packed_spheres.hpp"

namespace scree::packing::packing_cell_test {

using geometry::CellFrame;
using test::error_of;

constexpr std::array<bool, 3> all_axes{true, true, true};
const Matrix3 cube{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
/// Edges of a cell as skewed as cells get before they flip, of a stretched cell skewed the other way, and of a turned
/// cell.
const Matrix3 sheared{{{1, 0, 0}, {0.49, 1, 0}, {0.49, 0.49, 1}}};
const Matrix3 skew{{{1.5, 0, 0}, {-0.49, 0.8, 0}, {0.4, -0.39, 0.9}}};
const Matrix3 turned{{{0.8, 0.6, 0}, {-0.3, 0.9, 0.2}, {0.1, -0.3, 1.1}}};
const Real3 corner{0.3, -7, 2};

Spheres fill(const CellFrame& cell, const Fill& how, const SizeDistribution& sizes, const Spheres& obstacles = {},
             const Region& region = CellRegion{}, std::uint64_t seed = 1) {
  std::vector<std::string> warnings;
  const auto place = make_region(region, ".", warnings, &cell);
  return place_spheres(*place, radii_of_fill(*place, how, sizes, seed, 0), obstacles, seed, 0, &cell);
}

/// Deepest overlap [m] of any two spheres, or of one with its own image, over all pairs and the 27 nearest images.
double deepest_overlap(const Spheres& a, const Spheres& b, bool same, const Matrix3& edges,
                       const std::array<bool, 3>& periodic) {
  double deepest = -1e300;
  for (int c = 0; c < 27; ++c) {
    const std::array<int, 3> n{c % 3 - 1, c / 3 % 3 - 1, c / 9 - 1};
    Real3 shift{};
    bool exists = true;
    for (std::size_t k = 0; k < 3; ++k) {
      exists = exists && (n[k] == 0 || periodic[k]);
      for (std::size_t i = 0; i < 3; ++i) shift[i] += n[k] * edges[k][i];
    }
    if (!exists) continue;
    for (std::size_t i = 0; i < a.radius.size(); ++i) {
      for (std::size_t j = same ? i : 0; j < b.radius.size(); ++j) {
        if (same && i == j && c == 13) continue;
        const double distance =
            geometry::length(geometry::subtract(geometry::add(a.position[i], shift), b.position[j]));
        deepest = std::max(deepest, a.radius[i] + b.radius[j] - distance);
      }
    }
  }
  return deepest;
}

/// All centres lie in the cell: 0 <= s < 1 along periodic edges, up to the rounding of s.
void expect_inside(const Spheres& spheres, const CellFrame& cell) {
  for (const Real3& x : spheres.position) {
    for (const double s : cell.fractional(x)) EXPECT_TRUE(s >= -1e-14 && s < 1 + 1e-14) << s;
  }
}

constexpr double rounding = 4e-15;  // [m] for positions up to 9 m from the origin

class CellFractions : public testing::TestWithParam<double> {};

TEST_P(CellFractions, SpheresAreApartAcrossFacesEdgesAndCorners) {
  const double fraction = GetParam(), r = 0.05;
  for (const Matrix3& edges : {cube, sheared, skew, turned}) {
    const CellFrame cell(edges, corner, all_axes);
    const Spheres spheres = fill(cell, to_fraction(fraction), FixedSize{r});
    EXPECT_NEAR(solid_volume(spheres), fraction * cell.volume(),
                0.5 * 4.0 / 3.0 * std::numbers::pi * r * r * r + 1e-12);
    EXPECT_LE(deepest_overlap(spheres, spheres, true, edges, all_axes), rounding);
    expect_inside(spheres, cell);
  }
}
// Two methods of filling, with fractions on each side of the change.
INSTANTIATE_TEST_SUITE_P(CellFill, CellFractions, testing::Values(0.02, 0.19, 0.21, 0.4, 0.55, 0.58));

TEST(CellFill, OfManySizesIsApart) {
  for (const double fraction : {0.15, 0.5}) {
    const CellFrame cell(sheared, corner, all_axes);
    const Spheres spheres = fill(cell, to_fraction(fraction), UniformSize{0.02, 0.1});
    EXPECT_NEAR(solid_volume(spheres), fraction, 2e-3);
    EXPECT_LE(deepest_overlap(spheres, spheres, true, sheared, all_axes), rounding);
  }
}

TEST(CellFill, LiesWhollyInsideAlongAxesThatDoNotRepeat) {
  const double r = 0.05;
  for (const std::array<bool, 3>& periodic :
       {std::array{true, true, false}, {false, false, true}, {false, true, false}}) {
    for (const double fraction : {0.1, 0.45}) {
      const Matrix3 edges{{{1, 0, 0}, {0, 0.8, 0}, {0, 0, 0.9}}};
      const CellFrame cell(edges, corner, periodic);
      const Spheres spheres = fill(cell, to_fraction(fraction), FixedSize{r});
      EXPECT_NEAR(solid_volume(spheres), fraction * 0.72, 4e-4);
      EXPECT_LE(deepest_overlap(spheres, spheres, true, edges, periodic), rounding);
      double reach = 0;
      for (const Real3& x : spheres.position) {
        for (std::size_t k = 0; k < 3; ++k) {
          const double low = x[k] - corner[k], high = corner[k] + edges[k][k] - x[k], least = periodic[k] ? 0 : r;
          EXPECT_TRUE(low >= least - rounding && high >= least - rounding) << k << ": " << low << " " << high;
          if (periodic[k]) reach = std::max(reach, r - std::min(low, high));
        }
      }
      EXPECT_GT(reach, 0.8 * r);  // and beyond the other faces
    }
  }
}

/// Numbers of centres in ten slabs along an edge; the faces must not show. A slab with n = 400 centres has a deviation
/// of at most sqrt(n) = 20, and less where spheres are crowded.
TEST(CellFill, IsAsDenseNearFacesAsElsewhere) {
  for (const Matrix3& edges : {cube, sheared}) {
    const CellFrame cell(edges, corner, all_axes);
    for (const double fraction : {0.15, 0.5}) {
      const double r = std::cbrt(fraction / 4000 * 0.75 / std::numbers::pi);
      const Spheres spheres = fill(cell, to_count(4000), FixedSize{r});
      for (std::size_t k = 0; k < 3; ++k) {
        std::array<int, 10> slab{};
        for (const Real3& x : spheres.position) {
          ++slab[std::min<std::size_t>(9, static_cast<std::size_t>(10 * cell.fractional(x)[k]))];
        }
        for (const int count : slab) EXPECT_NEAR(count, 400, 80) << "axis " << k << ", solid fraction " << fraction;
        EXPECT_NEAR(slab[0] + slab[9], 800, 100) << "axis " << k << ", solid fraction " << fraction;
      }
    }
  }
}

TEST(CellFill, KeepsClearOfImagesOfObstacles) {
  const CellFrame cell(sheared, corner, all_axes);
  // One obstacle at the corner, that is, at all eight corners; one outside, with an image inside.
  const Spheres obstacles{{corner, cell.at({3.5, -1.5, 0.5})}, {0.2, 0.15}};
  for (const double fraction : {0.1, 0.45}) {
    const Spheres spheres = fill(cell, to_fraction(fraction), FixedSize{0.05}, obstacles);
    EXPECT_LE(deepest_overlap(spheres, spheres, true, sheared, all_axes), rounding);
    Spheres images = obstacles;
    for (Real3& x : images.position) x = cell.folded(x);
    EXPECT_LE(deepest_overlap(spheres, images, false, sheared, all_axes), rounding);
  }
}

TEST(CellFill, OtherRegionsKeepClearOfImagesAsWell) {
  const CellFrame cell(cube, {}, all_axes);
  const Spheres first = fill(cell, to_fraction(0.3), FixedSize{0.05}, {}, BoxRegion{{0.02, 0, 0}, {0.5, 1, 1}});
  // This box overlaps the image of the first in x from 1.02 to 1.06, and in z.
  const BoxRegion beside{{0.5, 0, 0.1}, {1.06, 1, 1.06}};
  const Spheres spheres = fill(cell, to_fraction(0.3), FixedSize{0.05}, first, beside);
  EXPECT_LE(deepest_overlap(spheres, first, false, cube, all_axes), rounding);
  EXPECT_IN("spheres of this box overlap images of others across the faces of the periodic cell", error_of([&] {
              (void)fill(cell, to_fraction(0.3), FixedSize{0.05}, {}, BoxRegion{{0, 0, 0}, {1, 1, 1.3}});
            }));
}

TEST(CellFill, SameSeedSameBytesOtherSeedOtherPlaces) {
  const CellFrame cell(skew, corner, all_axes);
  for (const double fraction : {0.15, 0.45}) {
    const Spheres first = fill(cell, to_fraction(fraction), FixedSize{0.045});
    EXPECT_EQ(first.position, fill(cell, to_fraction(fraction), FixedSize{0.045}).position);
    EXPECT_NE(first.position, fill(cell, to_fraction(fraction), FixedSize{0.045}, {}, CellRegion{}, 2).position);
  }
}

TEST(CellFill, EqualSpheresReachLatticeDensities) {
  for (const std::array<bool, 3>& periodic : {all_axes, {true, true, false}}) {
    const CellFrame cell(cube, corner, periodic);
    const Spheres spheres = fill(cell, to_fraction(0.66), FixedSize{0.039});
    EXPECT_NEAR(solid_volume(spheres), 0.66, 2e-4);
    EXPECT_LE(deepest_overlap(spheres, spheres, true, cube, periodic), rounding);
  }
}

TEST(CellFill, SitesOfALatticeKeepClearOfBoundaries) {
  const CellFrame cell(cube, corner, all_axes);
  SceneBoundary ball;
  ball.shape = SphereBoundary{cell.at({0.5, 0.5, 0.5}), 0.2};
  std::vector<std::string> warnings;
  const ClearRegion region(make_region(CellRegion{}, ".", warnings, &cell), {&ball}, {}, nullptr);
  const double r = 0.05, room = 4 * std::numbers::pi / 3 * (std::pow(0.2 + r, 3) - std::pow(0.2 - r, 3));
  const auto all = lattice_sites(*make_region(CellRegion{}, ".", warnings, &cell), SphereGrid(cell, r, 1), 0.12, r);
  const auto clear = lattice_sites(region, SphereGrid(cell, r, 1), 0.12, r);
  for (const Real3& site : clear) EXPECT_TRUE(region.holds(site, r));
  const auto n = static_cast<double>(all.size());
  EXPECT_NEAR(static_cast<double>(clear.size()), (1 - room) * n, 0.02 * n);
}

TEST(CellFill, WhatCannotFitIsSaid) {
  const CellFrame cell(cube, corner, all_axes);
  EXPECT_IN("(solid fraction 0.55) fit", error_of([&] {
              (void)fill(cell, to_fraction(0.7), UniformSize{0.03, 0.06});
            }));
  EXPECT_IN("no sphere of radius 0.6 finds room in this cell",
            error_of([&] { (void)fill(cell, to_count(1), FixedSize{0.6}); }));
  EXPECT_EQ(fill(cell, to_count(1), FixedSize{0.5}).position.size(), 1u);  // it touches its own images
  std::vector<std::string> warnings;
  EXPECT_IN("cell: needs a periodic cell", error_of([&] { (void)make_region(CellRegion{}, ".", warnings); }));
}

/// Ten spheres of radius 0.05 in a row along x.
std::vector<InputProblem> problems_of_row_in_cell(double length) {
  Case input;
  input.materials = {{"glass", {}}};
  ParticleGroup row;
  row.material = "glass";
  row.radius = FixedSize{0.05};
  row.lattice = Lattice{LatticeKind::simple_cubic, {{0, 0, 0}, {1, 0.1, 0.1}}, 0.1, 0};
  input.particles = {row};
  SceneReport report;
  std::vector<InputProblem> problems;
  Scene scene;
  scene.cell.emplace().edges = {{{length, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  (void)place_particles(input, scene, report, problems);
  return problems;
}

TEST(CellStart, GivenSpheresThatOverlapAcrossAFaceAreAProblem) {
  EXPECT_TRUE(problems_of_row_in_cell(1).empty());
  const auto problems = problems_of_row_in_cell(0.95);  // half a diameter too short
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_IN("sphere 10", problems[0].path + problems[0].message);
  EXPECT_IN("sphere 1", problems[0].path + problems[0].message);
}

TEST(CellStart, BoundariesThatAreOverlappedAcrossAFaceAreTold) {
  Scene scene;
  scene.particles.position = {{0.02, 0.5, 0.5}, {0.5, 0.5, 0.5}};
  scene.particles.radius = {0.05, 0.05};
  SceneBoundary ball;
  ball.name = "ball";
  ball.shape = SphereBoundary{{0.97, 0.5, 0.5}, 0.02};  // 0.03 from the image at 1.02: 40 % overlap
  scene.boundaries = {ball};
  std::vector<std::string> warnings;
  warn_of_bad_starts(scene, warnings);
  EXPECT_TRUE(warnings.empty());
  scene.cell.emplace();
  scene.cell->edges = cube;
  scene.cell->periodic = {true, false, false};
  warn_of_bad_starts(scene, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "boundaries.ball: 1 particle overlaps it at the start, particle 0 by 40 % of its radius");
}

// A bed that a start brings rests on its walls: its contacts are no mistake of the case.
TEST(BadStarts, OfAStartOnlyDeepOverlapsAreTold) {
  Scene scene;
  SceneBoundary floor;
  floor.name = "floor";
  floor.shape = PlaneBoundary{{0, 0, 0}, {0, 0, 1}};
  scene.boundaries = {floor};
  const auto said = [&](double overlap, std::size_t n_started) {
    scene.particles.position = {{0, 0, 0.05 * (1 - overlap)}};
    scene.particles.radius = {0.05};
    std::vector<std::string> warnings;
    warn_of_bad_starts(scene, warnings, n_started);
    return warnings.size();
  };
  EXPECT_EQ(said(0.005, 0), 0U);
  EXPECT_EQ(said(0.03, 0), 1U);
  EXPECT_EQ(said(0.03, 1), 0U);
  EXPECT_EQ(said(0.08, 1), 1U);
}

TEST(CellFrame, FoldsAndFindsImages) {
  const CellFrame cell(turned, corner, {true, false, true});
  const Real3 s{0.25, 7.5, 0.75}, far = cell.at({3.25, 7.5, -0.25});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(cell.fractional(cell.folded(far))[k], s[k], 1e-12);
  EXPECT_NEAR(cell.volume(), 0.8 * (0.9 * 1.1 + 0.06) - 0.6 * (-0.33 - 0.02), 1e-12);
  // Far from periodic faces there is only the shift 0; at a corner there are four.
  int shifts = 0;
  const auto count = [&](const Real3&) { return ++shifts, true; };
  cell.visit_shifts(cell.at({0.5, 0.5, 0.5}), 0.05, count);
  EXPECT_EQ(shifts, 1);
  shifts = 0;
  cell.visit_shifts(corner, 0.05, count);
  EXPECT_EQ(shifts, 4);
  // A place just below a face belongs to this face and not to the opposite one.
  const CellFrame unit(cube, {}, all_axes);
  EXPECT_EQ(unit.folded({-1e-20, 0.5, 1}), (Real3{0, 0.5, 0}));
}

}  // namespace scree::packing::packing_cell_test
