#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/math/vec3.hpp"
#include "support.hpp"

namespace scree::inline SCREE_BACKEND::math_test {

using MathTest = BackendTest;

struct SineCosineOf {
  Span<double> angle, sine, cosine;
  SCREE_HD void operator()(std::size_t i) const {
    const math::SineCosine both = math::sincos(angle[i]);
    sine[i] = both.sine;
    cosine[i] = both.cosine;
  }
};

struct SineCosineTable {
  std::vector<double> angle, sine, cosine;
};

SineCosineTable sines_of(const std::vector<double>& angles) {
  Exec exec(1);
  Buffer<double> angle, sine, cosine;
  angle.assign(angles);
  sine.resize(angles.size());
  cosine.resize(angles.size());
  exec.for_each("sines", angles.size(), SineCosineOf{angle.view(), sine.view(), cosine.view()});
  return {angles, sine.to_vector(), cosine.to_vector()};
}

/// Largest error against the C library, in units of 2^-53 (the spacing of doubles just below 1).
double largest_error(const SineCosineTable& table) {
  double largest = 0;
  for (std::size_t i = 0; i < table.angle.size(); ++i) {
    largest = std::max({largest, std::abs(table.sine[i] - std::sin(table.angle[i])),
                        std::abs(table.cosine[i] - std::cos(table.angle[i]))});
  }
  return largest * 0x1p53;
}

std::vector<double> angles_up_to(double largest, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> angles;
  for (int i = 0; i < 100000; ++i) { angles.push_back(random(-largest, largest)); }
  return angles;
}

TEST_F(MathTest, SineAndCosineAgreeWithTheLibrary) {
  EXPECT_LT(largest_error(sines_of(angles_up_to(4, 1))), 3);
  EXPECT_LT(largest_error(sines_of(angles_up_to(1e3, 2))), 3);
  EXPECT_LT(largest_error(sines_of(angles_up_to(1e6, 3))), 3);
  // Beyond 2^23 quarter turns, the reduction of the angle is rounded too.
  EXPECT_LT(largest_error(sines_of(angles_up_to(1e8, 4))), 1000);
}

TEST_F(MathTest, SmallSinesKeepTheirRelativeAccuracy) {
  std::vector<double> angles;
  for (double x = 1; x > 1e-300; x *= 0.37) { angles.insert(angles.end(), {x, -x}); }
  const SineCosineTable table = sines_of(angles);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    EXPECT_NEAR(table.sine[i] / std::sin(angles[i]), 1, 4e-16) << angles[i];
  }
}

TEST_F(MathTest, SineAndCosineNearMultiplesOfAQuarterTurn) {
  std::vector<double> angles;
  for (int k = -400; k <= 400; ++k) {
    const double at = k * 1.5707963267948966;
    for (const double offset : {0.0, 1e-15, 1e-9, -1e-9, 1e-3, -1e-3}) { angles.push_back(at + offset); }
  }
  EXPECT_LT(largest_error(sines_of(angles)), 3);
  const SineCosineTable zero = sines_of({0.0});
  EXPECT_EQ(zero.sine[0], 0.0);
  EXPECT_EQ(zero.cosine[0], 1.0);
}

TEST_F(MathTest, SineIsOddAndCosineIsEvenToTheBit) {
  std::vector<double> angles = angles_up_to(1e4, 5);
  const SineCosineTable there = sines_of(angles);
  for (double& angle : angles) { angle = -angle; }
  const SineCosineTable mirrored = sines_of(angles);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    ASSERT_EQ(there.sine[i], -mirrored.sine[i]) << angles[i];
    ASSERT_EQ(there.cosine[i], mirrored.cosine[i]) << angles[i];
  }
}

template <class R>
struct LesserAndGreater {
  Span<R> a, b, lesser, greater, magnitude, root;
  SCREE_HD void operator()(std::size_t i) const {
    lesser[i] = math::min(a[i], b[i]);
    greater[i] = math::max(a[i], b[i]);
    magnitude[i] = math::abs(a[i]);
    root[i] = math::sqrt(b[i]);
  }
};

template <class R>
struct Compared {
  std::vector<R> lesser, greater, magnitude, root;
};

template <class R>
Compared<R> compare(const std::vector<R>& first, const std::vector<R>& second) {
  Exec exec(1);
  Buffer<R> a, b, lesser, greater, magnitude, root;
  a.assign(first);
  b.assign(second);
  for (Buffer<R>* out : {&lesser, &greater, &magnitude, &root}) { out->resize(first.size()); }
  exec.for_each("compare", first.size(),
                LesserAndGreater<R>{a.view(), b.view(), lesser.view(), greater.view(), magnitude.view(), root.view()});
  return {lesser.to_vector(), greater.to_vector(), magnitude.to_vector(), root.to_vector()};
}

template <class R>
void expect_first_wins() {
  constexpr R nan = std::numeric_limits<R>::quiet_NaN();
  const std::vector<R> a{R(0), R(-0.0), nan, R(1), R(3), R(-2)};
  const std::vector<R> b{R(-0.0), R(0), R(1), nan, R(4), R(-5)};
  const Compared<R> result = compare(a, b);
  // If neither argument is smaller (zeros of both signs, NaN), the result is the first argument, on every backend.
  EXPECT_FALSE(std::signbit(result.lesser[0]));
  EXPECT_FALSE(std::signbit(result.greater[0]));
  EXPECT_TRUE(std::signbit(result.lesser[1]));
  EXPECT_TRUE(std::signbit(result.greater[1]));
  EXPECT_TRUE(std::isnan(result.lesser[2]) && std::isnan(result.greater[2]));
  EXPECT_EQ(result.lesser[3], R(1));
  EXPECT_EQ(result.greater[3], R(1));
  EXPECT_EQ(result.lesser[4], R(3));
  EXPECT_EQ(result.greater[4], R(4));
  EXPECT_EQ(result.lesser[5], R(-5));
  EXPECT_EQ(result.greater[5], R(-2));
  EXPECT_EQ(result.magnitude[5], R(2));
}

TEST_F(MathTest, MinAndMaxReturnTheFirstWhereNeitherIsSmaller) {
  expect_first_wins<float>();
  expect_first_wins<double>();
}

template <class R>
void expect_exact_roots() {
  Random random(6);
  std::vector<R> values;
  for (int i = 0; i < 10000; ++i) {
    values.push_back(static_cast<R>(std::ldexp(random(0.5, 1), int(random.whole(60)) - 30)));
  }
  values.push_back(R(0));
  values.push_back(std::numeric_limits<R>::denorm_min());
  values.push_back(std::numeric_limits<R>::max());
  const Compared<R> result = compare(values, values);
  for (std::size_t i = 0; i < values.size(); ++i) { ASSERT_EQ(result.root[i], std::sqrt(values[i])) << values[i]; }
}

TEST_F(MathTest, SquareRootsAreCorrectlyRounded) {
  expect_exact_roots<float>();
  expect_exact_roots<double>();
}

TEST_F(MathTest, VectorAlgebra) {
  const Vec3d a{1, 2, 3}, b{-4, 5, 0.5};
  const Vec3d c = cross(a, b);
  EXPECT_EQ(c.x, 2 * 0.5 - 3 * 5.0);
  EXPECT_EQ(c.y, 3 * -4.0 - 1 * 0.5);
  EXPECT_EQ(c.z, 1 * 5.0 - 2 * -4.0);
  EXPECT_EQ(dot(c, a), 0);
  EXPECT_EQ(dot(a, b), -4 + 10 + 1.5);
  EXPECT_EQ(norm(Vec3d{2, 3, 6}), 7);
}

}  // namespace scree::inline SCREE_BACKEND::math_test
