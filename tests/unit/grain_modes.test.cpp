#include "host/grains/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/grains/grain_source.hpp"
#include "host/grains/make_grain.hpp"
#include "scree/errors.hpp"

// Modes with closed forms: masses and stiffnesses against integrals done by hand, and what preparation must keep.
namespace scree::grains::grain_modes_test {

constexpr double poisson_ratio = 0.3;

GrainShape made(const GrainSource& source, double spacing) {
  GrainShape shape;
  make_grains(
      source, {spacing, 0.9}, std::nullopt, [&](const MadeGrain& grain) { shape = grain.grain.shape; },
      [](const std::string&) {});
  return shape;
}

GrainShape ball(double radius, double spacing) {
  GrainSource source;
  source.name = "sphere";
  source.radius = radius;
  return made(source, spacing);
}

GrainShape beam(double length, double thickness, double spacing) {
  GrainSource source;
  source.name = "box";
  source.half_edges = {0.5 * length, 0.5 * thickness, 0.5 * thickness};
  return made(source, spacing);
}

double entry(const std::vector<double>& matrix, std::size_t n, std::size_t i, std::size_t j) {
  return matrix[i * n + j];
}

// With u = (x, 0, 0) / R: M = 4 pi R^5 / 15 / R^2, and K = (lambda + 2 mu) V / R^2; between two normal strains lambda
// V / R^2; with u = (y, x, 0) / R: M = 8 pi R^5 / 15 / R^2, and K = 4 mu V / R^2. Divided by the square of the largest
// displacement at a node, which is a bit below 1. Quadrature is good to a few 1e-4.
TEST(GrainModes, OfHomogeneousStrainsOfABallHaveTheirIntegrals) {
  GrainShape shape = ball(1, 0.1);
  set_modes(shape, closed_modes(shape, {ClosedMode::homogeneous}, true), poisson_ratio);
  const GrainModes& modes = shape.modes;
  ASSERT_EQ(modes.count, 6u);
  const double volume = 4.0 / 3.0 * std::numbers::pi, mu = 0.5 / (1 + poisson_ratio),
               lambda = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
  for (std::size_t a = 0; a < 6; ++a) {
    EXPECT_NEAR(entry(modes.mass, 6, a, a) / (a < 3 ? volume / 5 : 2 * volume / 5), 1, 2e-3) << a;
    EXPECT_NEAR(entry(modes.stiffness, 6, a, a) / (a < 3 ? (lambda + 2 * mu) * volume : 4 * mu * volume), 1, 2e-3) << a;
  }
  EXPECT_NEAR(entry(modes.stiffness, 6, 0, 1) / (lambda * volume), 1, 2e-3);
  EXPECT_NEAR(entry(modes.mass, 6, 0, 1), 0, 1e-9);
}

// With the second moment s = V / 5 of a ball of radius 1, u = (0, 0, z) adds s (2, 2, 0) per amplitude to the moments
// of inertia and s (1, 1, 0) per square. With v = (z, 0, x) the integral of u x v is (0, s, 0), that of the products in
// the tensor of inertia is -s / 2 in zx. Displacements are over the largest one at a node, a bit below 1.
TEST(GrainModes, CoupleToTheRotationByTheirIntegrals) {
  GrainShape shape = ball(1, 0.1);
  set_modes(shape, closed_modes(shape, {ClosedMode::strain_zz, ClosedMode::strain_zx}, true), poisson_ratio);
  add_inertia(shape);
  ASSERT_TRUE(shape.modes.inertia);
  const ModeInertia& inertia = *shape.modes.inertia;
  const double s = 4.0 / 15.0 * std::numbers::pi;
  const auto expect = [&](const std::array<double, 6>& tensor, const std::array<double, 6>& expected) {
    for (std::size_t k = 0; k < 6; ++k) { EXPECT_NEAR(tensor[k], s * expected[k], 2e-3 * s) << k; }
  };
  expect(inertia.slope[0], {2, 2, 0, 0, 0, 0});
  expect(inertia.slope[1], {0, 0, 0, 0, -2, 0});
  expect(inertia.curve[0], {1, 1, 0, 0, 0, 0});
  expect(inertia.curve[3], {1, 2, 1, 0, 0, 0});
  expect(inertia.curve[1], {0, 0, 0, 0, -0.5, 0});
  EXPECT_EQ(inertia.curve[1], inertia.curve[2]);
  EXPECT_NEAR(inertia.swirl[1][0], 0, 1e-9);
  EXPECT_NEAR(inertia.swirl[1][1], s, 2e-3 * s);
  EXPECT_EQ(inertia.swirl[2][1], -inertia.swirl[1][1]);
  EXPECT_EQ(inertia.swirl[0], Real3{});
}

// Orthogonal modes of a ball: five without change of volume, with K / M = 10 mu, and breathing, with 5 (3 lambda + 2
// mu).
TEST(GrainModes, AreMadeOrthogonalWithoutAChangeOfWhatTheyCanDo) {
  GrainShape shape = ball(1, 0.1);
  set_modes(shape, closed_modes(shape, {ClosedMode::homogeneous}, true), poisson_ratio);
  const GrainModes before = shape.modes;
  EXPECT_TRUE(make_orthogonal(shape));
  const GrainModes& modes = shape.modes;
  const double mu = 0.5 / (1 + poisson_ratio), lambda = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
  for (std::size_t a = 0; a < 6; ++a) {
    const double ratio = entry(modes.stiffness, 6, a, a) / entry(modes.mass, 6, a, a);
    EXPECT_NEAR(ratio / (a < 5 ? 10 * mu : 5 * (3 * lambda + 2 * mu)), 1, 3e-3) << a;
    for (std::size_t b = 0; b < 6; ++b) {
      if (a == b) continue;
      EXPECT_EQ(entry(modes.stiffness, 6, a, b), 0);
      EXPECT_EQ(entry(modes.mass, 6, a, b), 0);
    }
    double most = 0;
    for (std::size_t k = 0; k < shape.node.size(); ++k) {
      most = std::max(most, geometry::length(modes.at_node[a * shape.node.size() + k]));
    }
    EXPECT_NEAR(most, 1, 1e-12);
  }
  EXPECT_FALSE(make_orthogonal(shape)) << "they are already";
  // (x, y, z) is the sixth mode.
  for (std::size_t k = 0; k < shape.node.size(); k += 17) {
    const Real3 u = modes.at_node[5 * shape.node.size() + k];
    EXPECT_NEAR(std::fabs(geometry::dot(u, shape.node[k])), 1, 2e-2);
    EXPECT_NEAR(geometry::length(geometry::cross(u, shape.node[k])), 0, 2e-2);
  }
  EXPECT_NE(modes, before);
}

// A beam of the length L and thickness t: K = E I pi^4 / (2 L^3) with beam theory and (lambda + 2 mu) / E times that
// without, M = A L / 2 (1 + (pi t / L)^2 / 12). Without the motion of the beam as a whole, (2 / pi)^2 of its mass less.
// The grid has eight spacings across, so edges cost some per cent.
TEST(GrainModes, OfBendingHaveThoseOfABeam) {
  const double length = 1.6, t = 0.1, inertia = t * t * t * t / 12;
  const double stiffness = inertia * std::pow(std::numbers::pi, 4) / (2 * length * length * length);
  const double mass = t * t * length / 2 * (1 + std::pow(std::numbers::pi * t / length, 2) / 12);
  GrainShape shape = beam(length, t, t / 8);
  for (const ClosedMode form : {ClosedMode::bending_xy, ClosedMode::bending_xz}) {
    set_modes(shape, closed_modes(shape, {form}, true), poisson_ratio);
    EXPECT_NEAR(shape.modes.stiffness[0] / stiffness, 1, 0.04);
    EXPECT_NEAR(shape.modes.mass[0] / mass, 1, 0.01);
    remove_rigid_motion(shape);
    const double moved = t * t * length * 4 / (std::numbers::pi * std::numbers::pi);
    EXPECT_NEAR(shape.modes.mass[0] / (mass - moved), 1, 0.03);
    set_modes(shape, closed_modes(shape, {form}, false), poisson_ratio);
    EXPECT_NEAR(shape.modes.stiffness[0] / stiffness, 1.3462, 0.055) << "strain across is held";
  }
}

// A bar: K = E A pi^2 / (2 L), M = A L / 2 for u = sin(pi x / L).
TEST(GrainModes, OfStretchingHaveThoseOfABar) {
  const double length = 1.6, t = 0.2;
  GrainShape shape = beam(length, t, t / 8);
  set_modes(shape, closed_modes(shape, {ClosedMode::stretching_x}, true), poisson_ratio);
  EXPECT_NEAR(shape.modes.stiffness[0] / (t * t * std::pow(std::numbers::pi, 2) / (2 * length)), 1, 0.01);
  EXPECT_NEAR(shape.modes.mass[0] / (t * t * length / 2), 1, 0.01);
}

// The sum of all displacements, weighted by mass, and that of their moments are 0 afterwards: asked for by doing it
// twice.
TEST(GrainModes, WithoutRigidMotionHaveNoneLeft) {
  GrainShape shape = beam(1.6, 0.2, 0.05);
  set_modes(shape, closed_modes(shape, {ClosedMode::bending_xz, ClosedMode::strain_xy}, true), poisson_ratio);
  remove_rigid_motion(shape);
  const GrainModes once = shape.modes;
  remove_rigid_motion(shape);
  for (std::size_t k = 0; k < once.at_node.size(); k += 13) {
    EXPECT_NEAR(geometry::length(geometry::subtract(once.at_node[k], shape.modes.at_node[k])), 0, 1e-7);
  }
  EXPECT_NEAR(once.mass[0] / shape.modes.mass[0], 1, 1e-7);
}

TEST(GrainModes, ThatAreNotIndependentAreRefused) {
  GrainShape shape = ball(1, 0.2);
  set_modes(shape, closed_modes(shape, {ClosedMode::homogeneous, ClosedMode::strain_xx}, true), poisson_ratio);
  EXPECT_THROW(static_cast<void>(make_orthogonal(shape)), CaseError);
}

}  // namespace scree::grains::grain_modes_test
