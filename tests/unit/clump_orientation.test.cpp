#include <gtest/gtest.h>

#include <cmath>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"

namespace scree::clumps::clump_orientation_test {

TEST(ClumpOrientation, FramesAndBack) {
  packing::Random random(4, 0);
  for (int k = 0; k < 2000; ++k) {
    Orientation q = random_orientation(random);
    if (k % 4 == 1) q = {q[0] * 1e-9, q[1], q[2] * 1e-3, q[3] * 1e-3};  // half turns: w near 0
    const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (double& c : q) c /= size;
    const auto back = orientation_of({turned(q, {1, 0, 0}), turned(q, {0, 1, 0}), turned(q, {0, 0, 1})});
    for (std::size_t c = 0; c < 4; ++c) { ASSERT_NEAR(back[c], q[c], 1e-14) << k; }
  }
  const double half = std::sqrt(0.5);
  const auto quarter = Orientation{half, 0, 0, half};  // about z: x -> y
  EXPECT_NEAR(turned(quarter, {1, 0, 0})[1], 1, 1e-15);
  const auto twice = product(quarter, Orientation{half, half, 0, 0});  // first about x: y -> z, then z stays
  EXPECT_NEAR(turned(twice, {0, 1, 0})[2], 1, 1e-15);
}

/// A uniformly turned vector is uniform on the sphere: its components have mean 0 and mean square 1/3, and are not
/// correlated. The angle of the turn has the density (1 - cos a)/pi, so that w^2 has the mean 1/4. Bounds are five
/// standard deviations.
TEST(ClumpOrientation, RandomOnesAreUniform) {
  packing::Random random(1, 7);
  constexpr int count = 100'000;
  double w2 = 0, xy = 0;
  Real3 mean{}, square{};
  for (int k = 0; k < count; ++k) {
    const auto q = random_orientation(random);
    ASSERT_GE(q[0], 0);
    const Real3 v = turned(q, {2.0 / 3, 1.0 / 3, 2.0 / 3});
    ASSERT_NEAR(geometry::length(v), 1, 1e-14);
    w2 += q[0] * q[0] / count;
    xy += v[0] * v[1] / count;
    for (std::size_t c = 0; c < 3; ++c) {
      mean[c] += v[c] / count;
      square[c] += v[c] * v[c] / count;
    }
  }
  const double root = 5 / std::sqrt(count);
  EXPECT_NEAR(w2, 0.25, 0.25 * root);
  EXPECT_NEAR(xy, 0, 0.26 * root);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(mean[c], 0, 0.58 * root);
    EXPECT_NEAR(square[c], 1.0 / 3, 0.3 * root);
  }
}

}  // namespace scree::clumps::clump_orientation_test
