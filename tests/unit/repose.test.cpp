#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "host/geometry/real3.hpp"
#include "host/measure/meters.hpp"
#include "state_by_hand.hpp"

/// The angle of repose and the segregation by size, of states put together by hand.
namespace scree::test::repose_test {

using namespace geometry;

constexpr double degree = std::numbers::pi / 180;

/// Spheres of diameter 1 on a cubic lattice, moved by up to a quarter of it, that lie below a surface.
class Pile {
 public:
  explicit Pile(const Real3& up = {0, 0, 1}) : up_(up), x_(any_normal_to(up)), y_(cross(up, x_)) {
    state.scene.gravity = scaled(up, -9.81);
  }
  /// `height` is that of the surface at a distance from the axis.
  template <class Height>
  void fill(int half, const Height& height, const Real3& axis = {}) {
    for (int i = -half; i <= half; ++i) {
      for (int j = -half; j <= half; ++j) {
        for (int k = 0; k <= half; ++k) {
          const double a = i + jitter(), b = j + jitter(), c = k + 0.5 + jitter();
          if (c + 0.5 < height(std::hypot(a, b))) { put(a, b, c, axis); }
        }
      }
    }
  }
  void put(double a, double b, double c, const Real3& axis = {}) {
    state.add(add(axis, along(along(scaled(x_, a), b, y_), c, up_)), {}, 1);
  }
  double jitter() { return 0.5 * (static_cast<double>(random_() >> 11U) * 0x1p-53 - 0.5); }
  /// angle [rad], its error [rad], height, radius
  [[nodiscard]] std::vector<double> measured(const AngleOfReposeProbe& keys = {}) const {
    std::vector<double> values;
    make_probe(keys, ProbePlace(state.scene, {}))->measure(state.view(), values);
    return values;
  }
  ByHand state;

 private:
  Real3 up_, x_, y_;
  std::mt19937_64 random_{11};
};

/// The roughness of the surface and its layers leave about a degree where a flank is some six diameters high.
TEST(AngleOfRepose, ConesHaveTheirAngle) {
  for (const double angle : {15.0, 20.0, 25.0, 30.0, 38.0}) {
    const double radius = angle < 20 ? 30 : 22;
    Pile pile;
    pile.fill(32, [&](double r) { return (radius - r) * std::tan(angle * degree); }, {5, -3, 2});
    const auto values = pile.measured();
    EXPECT_NEAR(values[0] / degree, angle, 1) << pile.state.mass.size();
    EXPECT_GT(values[1], 0);
    // The shortest flank is some 14 long: 1 / (sqrt 12 * 14) in slope, or 1.1 degrees where the slope is that of 20.
    EXPECT_LT(values[1] / degree, 1.2);
    EXPECT_NEAR(values[2], radius * std::tan(angle * degree), 2);
    EXPECT_NEAR(values[3], radius - 1 / std::tan(angle * degree), 2) << "it ends where one layer does";
  }
}

TEST(AngleOfRepose, UpIsAgainstGravityAndTheAxisCanBeGiven) {
  Pile pile(unit({1, 2, -2}));
  const Real3 axis{1, 2, 3};
  pile.fill(
      26, [&](double r) { return (22 - r) * std::tan(27 * degree); }, axis);
  const double of_middle = pile.measured()[0], of_axis = pile.measured({{}, axis})[0];
  EXPECT_NEAR(of_middle / degree, 27, 1);
  EXPECT_NEAR(of_axis / degree, 27, 1);
  EXPECT_LT(pile.measured({{}, along(axis, 12, any_normal_to(unit({1, 2, -2})))})[0] / degree, 20) << "beside the heap";
}

/// A cone with a flat top, with a foot that runs out, and with single spheres about it.
TEST(AngleOfRepose, TopFootAndStrayParticlesDoNotCount) {
  Pile pile;
  pile.fill(40, [&](double r) {
    const double cone = (25 - r) * std::tan(25 * degree);
    return std::fmin(r < 24 ? cone : r < 28 ? 1.05 : 0, 20 * std::tan(25 * degree));
  });
  for (int i = 0; i < 60; ++i) { pile.put(31 + 20 * (0.5 + pile.jitter()), 80 * pile.jitter(), 0.5); }
  EXPECT_NEAR(pile.measured({{}, Real3{}})[0] / degree, 25, 1.5);
}

TEST(AngleOfRepose, ABedIsFlatAndACraterIsNegative) {
  Pile bed;
  bed.fill(15, [](double) { return 4.9; });
  const auto flat = bed.measured();
  EXPECT_NEAR(flat[0] / degree, 0, 1);
  EXPECT_LT(std::fabs(flat[0]), 3 * flat[1]) << "its own error says so";
  Pile crater;
  crater.fill(20, [](double r) { return 1 + r * std::tan(30 * degree); });
  EXPECT_NEAR(crater.measured({{}, Real3{}})[0] / degree, -30, 1.5);
}

/// A cone of close-packed layers of spheres of diameter 1.
Pile layered_cone(double height, double angle) {
  Pile pile;
  const double slope = std::tan(angle * degree), end = height / slope, rise = std::sqrt(2.0 / 3), row = std::sqrt(0.75);
  const int n = static_cast<int>(end) + 2;
  for (int k = 0; k * rise < height; ++k) {
    const double c = 0.5 + k * rise, a_shift = k % 2 == 0 ? 0 : 0.5, b_shift = k % 2 == 0 ? 0 : row / 3;
    for (int j = -n - n / 4 - 1; j <= n + n / 4; ++j) {
      for (int i = -n - 1; i <= n; ++i) {
        const double a = i + 0.5 * (j & 1) + a_shift, b = j * row + b_shift;
        if (c + 0.5 <= (end - std::hypot(a, b)) * slope + 1e-9) { pile.put(a, b, c); }
      }
    }
  }
  return pile;
}

/// Its terraces are flat, and their heights do not scatter.
TEST(AngleOfRepose, ATerraceIsNoFlank) {
  for (const double angle : {15.0, 25.0, 30.0}) {
    for (const double height : {3.0, 4.0, 5.0, 6.0, 8.0}) {
      const auto values = layered_cone(height, angle).measured({{}, Real3{}});
      if (height <= 3 || (height <= 4 && angle > 20)) { EXPECT_TRUE(std::isnan(values[0])) << angle << ' ' << height; }
      if (height >= 6) { EXPECT_FALSE(std::isnan(values[0])) << angle << ' ' << height; }
      if (std::isnan(values[0])) {
        EXPECT_TRUE(std::isnan(values[1]));
        continue;
      }
      EXPECT_LT(std::fabs(values[0] - angle * degree), 2 * values[1]) << angle << ' ' << height;
      // no flank is longer than the whole cone, and no slope steeper than a right angle
      EXPECT_GT(values[1], std::pow(std::cos(values[0]), 2) * std::tan(angle * degree) / (std::sqrt(12.0) * height));
    }
  }
}

TEST(AngleOfRepose, TooFewParticlesHaveNone) {
  Pile none;
  for (const double value : none.measured()) { EXPECT_TRUE(std::isnan(value)); }
  Pile one;
  one.put(0, 0, 0.5);
  EXPECT_TRUE(std::isnan(one.measured()[0]));
  EXPECT_EQ(one.measured()[2], 1);
  Pile weightless;
  weightless.state.scene.gravity = {};
  EXPECT_THROW(static_cast<void>(weightless.measured()), CaseError);
}

/// A bed of diameter-1 spheres whose surface rises by an angle along a direction, between walls.
TEST(SurfaceSlope, BedsHaveTheirSlope) {
  for (const double angle : {-20.0, 0.0, 10.0, 24.0, 35.0}) {
    Pile pile;
    const double rise = std::tan(angle * degree);
    for (int i = 0; i < 30; ++i) {
      for (int j = 0; j < 12; ++j) {
        for (int k = 0; k < 40; ++k) {
          const double a = i + pile.jitter(), b = j + pile.jitter(), c = k + 0.5 + pile.jitter();
          if (c + 0.5 < 14 + rise * (a - 15)) { pile.put(a, b, c, {7, 8, 9}); }
        }
      }
    }
    const auto slope_along = [&](const Real3& direction) {
      std::vector<double> values;
      make_probe(SurfaceSlopeProbe{{}, direction}, ProbePlace(pile.state.scene, {}))
          ->measure(pile.state.view(), values);
      EXPECT_EQ(values.size(), 2U);
      return values;
    };
    const Real3 ahead = any_normal_to({0, 0, 1}), aside = cross({0, 0, 1}, ahead);
    const auto found = slope_along(ahead);
    EXPECT_NEAR(found[0] / degree, angle, 1);
    EXPECT_LT(found[1] / degree, 1);
    EXPECT_NEAR(slope_along(add(scaled(ahead, -2), {0, 0, 5}))[0] / degree, -angle, 1)
        << "only the part across gravity counts";
    EXPECT_NEAR(slope_along(aside)[0] / degree, 0, 5) << "across the slope, heights scatter by the whole slope";
  }
}

/// The surface of a lattice rises in steps of a layer, of which the longest fills more than half of the bed.
TEST(SurfaceSlope, ATerraceIsNoSlope) {
  const auto measured = [](int length, double rise) {
    Pile pile;
    for (int i = 0; i < length; ++i) {
      for (int j = 0; j < 8; ++j) {
        for (int k = 0; k + 1 < 6 + rise * i; ++k) { pile.put(i + 0.5, j + 0.5, k + 0.5); }
      }
    }
    std::vector<double> values;
    make_probe(SurfaceSlopeProbe{{}, any_normal_to({0, 0, 1})}, ProbePlace(pile.state.scene, {}))
        ->measure(pile.state.view(), values);
    return values;
  };
  const auto values = measured(24, 0.08);  // steps of 12.5 diameters
  EXPECT_NEAR(values[0], std::atan(0.08), 2 * values[1]);
  EXPECT_GT(values[0], 0.5 * std::atan(0.08));
  EXPECT_GT(values[1], 1 / (std::sqrt(12.0) * 24) / 1.01);
  EXPECT_TRUE(std::isnan(measured(5, 0.3)[0])) << "too short";
}

TEST(SurfaceSlope, NeedsGravityAndADirectionAcrossIt) {
  Pile pile;
  pile.put(0, 0, 0.5);
  std::vector<double> values;
  make_probe(SurfaceSlopeProbe{{}, {1, 0, 0}}, ProbePlace(pile.state.scene, {}))->measure(pile.state.view(), values);
  EXPECT_TRUE(std::isnan(values.at(0))) << "one particle has no surface";
  EXPECT_THROW(static_cast<void>(make_probe(SurfaceSlopeProbe{{}, {0, 0, 2}}, ProbePlace(pile.state.scene, {}))),
               CaseError);
  pile.state.scene.gravity = {};
  EXPECT_THROW(static_cast<void>(make_probe(SurfaceSlopeProbe{{}, {1, 0, 0}}, ProbePlace(pile.state.scene, {}))),
               CaseError);
}

TEST(SizeSegregation, RanksOfRadiiAndPlaces) {
  ByHand state;
  // Larger ones lie higher, against x; along y there is no order: radii 1 4 2 3 at 1 2 4 3, ranks' correlation 0.
  const std::array<double, 4> radius{1, 2, 3, 40}, y{2, 4, 1, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    state.add({-std::exp(radius[i] / 10), y[i], static_cast<double>(i * i)}, {}, 1, radius[i]);
  }
  std::vector<double> values;
  make_probe(SizeSegregationProbe{}, ProbePlace(state.scene, {}))->measure(state.view(), values);
  ASSERT_EQ(values.size(), 3U);
  EXPECT_NEAR(values[0], -1, 1e-15);
  EXPECT_NEAR(values[1], 1 - 6 * (1 + 4 + 4 + 1) / (4.0 * 15), 1e-15) << "1 - 6 sum d^2 / (n (n^2 - 1)), Spearman";
  EXPECT_NEAR(values[2], 1, 1e-15);
  // About an axis along y through x = z = 0 the distance grows with z.
  values.clear();
  make_probe(SizeSegregationProbe{{}, ProbeAxis{{0, 7, 0}, {0, -2, 0}}}, ProbePlace(state.scene, {}))
      ->measure(state.view(), values);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_NEAR(values[3], 1, 1e-15);
  for (double& r : state.now.radius) { r = 2; }
  values.clear();
  make_probe(SizeSegregationProbe{}, ProbePlace(state.scene, {}))->measure(state.view(), values);
  EXPECT_TRUE(std::isnan(values[2])) << "all are of one size";
}

}  // namespace scree::test::repose_test
