#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "case_errors.hpp"
#include "host/packing/exact_math.hpp"
#include "host/packing/random.hpp"
#include "host/packing/sizes.hpp"

namespace scree::packing::packing_random_test {

std::vector<double> draw(const SizeDistribution& distribution, std::size_t count) {
  const SizeSampler sampler(distribution);
  Random random(7, 0);
  std::vector<double> radii(count);
  for (double& radius : radii) radius = sampler.draw(random);
  return radii;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double share_below(const std::vector<double>& values, double limit) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), [&](double v) { return v < limit; })) /
         static_cast<double>(values.size());
}

double mass_share_below(const std::vector<double>& radii, double limit) {
  double all = 0, part = 0;
  for (const double r : radii) {
    all += r * r * r;
    part += r < limit ? r * r * r : 0;
  }
  return part / all;
}

TEST(ExactMath, AgreesWithTheLibraryToRounding) {
  Random random(1, 0);
  for (int k = 0; k < 20000; ++k) {
    const double x = std::ldexp(random.uniform(0.5, 1), static_cast<int>(random.below(600)) - 300);
    EXPECT_NEAR(exact_log(x), std::log(x), 4e-16 * std::max(1.0, std::fabs(std::log(x))));
    EXPECT_NEAR(exact_cbrt(x) / std::cbrt(x), 1, 1e-15);
    const double y = random.uniform(-600, 600);
    EXPECT_NEAR(exact_exp(y) / std::exp(y), 1, 1e-15);
  }
  EXPECT_EQ(exact_log(1), 0);
  EXPECT_EQ(exact_exp(0), 1);
  EXPECT_EQ(exact_cbrt(27e-9) / 3e-3, 1);
}

TEST(Random, KnownBitsForSeedAndStream) {
  // Values from an independent program. The meaning of cases depends on them: a change would alter every random fill.
  Random random(1, 0);
  const std::vector<std::uint64_t> first = {random.bits(), random.bits(), random.bits()};
  EXPECT_EQ(first, (std::vector<std::uint64_t>{5226295891941712017U, 5547022123706608281U, 18144476329041699521U}));
}

TEST(Random, StreamsAndSeedsDiffer) {
  EXPECT_NE(Random(1, 0).bits(), Random(1, 1).bits());
  EXPECT_NE(Random(1, 0).bits(), Random(2, 0).bits());
  EXPECT_NE(Random(0, 1).bits(), Random(1, 0).bits());
}

// Moments of the distributions (closed forms). The bounds are at least four standard deviations.
TEST(Random, MomentsOfUniformNormalAndBall) {
  Random random(5, 0);
  constexpr int n = 200000;
  double uniform = 0, uniform2 = 0, normal = 0, normal2 = 0, normal4 = 0, ball2 = 0;
  std::vector<int> counts(7);
  for (int k = 0; k < n; ++k) {
    const double u = random.uniform(), g = random.normal();
    const Real3 b = random.in_ball();
    ASSERT_TRUE(u >= 0 && u < 1);
    uniform += u, uniform2 += u * u, normal += g, normal2 += g * g, normal4 += g * g * g * g;
    ball2 += b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    ++counts[random.below(7)];
  }
  EXPECT_NEAR(uniform / n, 0.5, 0.003);
  EXPECT_NEAR(uniform2 / n, 1.0 / 3, 0.003);
  EXPECT_NEAR(normal / n, 0, 0.01);
  EXPECT_NEAR(normal2 / n, 1, 0.015);
  EXPECT_NEAR(normal4 / n, 3, 0.15);
  EXPECT_NEAR(ball2 / n, 0.6, 0.003);
  for (const int count : counts) EXPECT_NEAR(count, n / 7.0, 1000);
}

TEST(Sizes, UniformAndFixed) {
  const auto radii = draw(UniformSize{1, 3}, 100000);
  EXPECT_NEAR(mean_of(radii), 2, 0.01);
  EXPECT_GE(*std::min_element(radii.begin(), radii.end()), 1);
  EXPECT_LE(*std::max_element(radii.begin(), radii.end()), 3);
  EXPECT_EQ(draw(FixedSize{0.5}, 3), (std::vector<double>(3, 0.5)));
}

TEST(Sizes, NormalIsTruncatedAndSymmetric) {
  const auto radii = draw(NormalSize{2, 0.5, 1.5, 2.5}, 100000);
  EXPECT_GE(*std::min_element(radii.begin(), radii.end()), 1.5);
  EXPECT_LE(*std::max_element(radii.begin(), radii.end()), 2.5);
  EXPECT_NEAR(mean_of(radii), 2, 0.003);
  // The part of the values within half a deviation, among those within one, is erf(0.5/sqrt 2)/erf(1/sqrt 2).
  const double expected = std::erf(0.5 / std::sqrt(2)) / std::erf(1 / std::sqrt(2));
  EXPECT_NEAR(share_below(radii, 2.25) - share_below(radii, 1.75), expected, 0.006);
}

// The share below the median times exp(deviation) is that of a normal distribution below one deviation, 0.8413.
TEST(Sizes, LogNormalHasItsMedian) {
  const auto radii = draw(LogNormalSize{2e-3, 0.3, 1e-4, 1e-1}, 100000);
  EXPECT_NEAR(share_below(radii, 2e-3), 0.5, 0.006);
  EXPECT_NEAR(share_below(radii, 2e-3 * std::exp(0.3)), 0.8413, 0.006);
}

// The weights 3 and 1 give a share of 3/4.
TEST(Sizes, DiscreteIsByNumber) {
  const auto radii = draw(DiscreteSize{{1, 2, 5}, {3, 0, 1}}, 100000);
  EXPECT_NEAR(share_below(radii, 1.5), 0.75, 0.006);
  EXPECT_EQ(share_below(radii, 2.5), share_below(radii, 1.5));
  EXPECT_EQ(largest_size(DiscreteSize{{1, 2, 5}, {3, 1, 0}}), 2);
}

// The mass fractions of the sieve curve, which is linear between its points.
TEST(Sizes, SieveCurveComesBackByMass) {
  const auto radii = draw(SieveSize{{{1, 0}, {2, 0.3}, {2.5, 0.3}, {4, 1}}}, 400000);
  EXPECT_NEAR(mass_share_below(radii, 1.5), 0.15, 0.005);
  EXPECT_NEAR(mass_share_below(radii, 2), 0.3, 0.005);
  EXPECT_EQ(share_below(radii, 2.5), share_below(radii, 2 + 1e-9));
  EXPECT_NEAR(mass_share_below(radii, 3.25), 0.65, 0.005);
}

// A curve often begins and ends with sieves that all or nothing passes. Those sizes do not occur, so they limit
// nothing.
TEST(Sizes, FlatEndsOfASieveCurveAreNoSizes) {
  const SieveSize plain{{{1, 0}, {2, 0.3}, {2.5, 0.3}, {4, 1}}};
  const SieveSize flat{{{0.01, 0}, {0.5, 0}, {1, 0}, {2, 0.3}, {2.5, 0.3}, {4, 1}, {6, 1}, {8, 1}}};
  for (const SieveSize& size : {plain, flat}) {
    EXPECT_EQ(smallest_size(size), 1);
    EXPECT_EQ(largest_size(size), 4);
  }
  const auto radii = draw(flat, 10000), same = draw(plain, 10000);
  for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_NEAR(radii[i] / same[i], 1, 1e-13);
  EXPECT_EQ(smallest_size(SieveSize{{{1, 0}, {2, 0}, {2, 1}, {3, 1}}}), 2) << "one size by two points";
  EXPECT_EQ(largest_size(SieveSize{{{1, 0}, {2, 0}, {2, 1}, {3, 1}}}), 2);
}

// Of the mass, exp(-(r/c)^n) lies above r before the cut. The error of a share of mass is less than
// sqrt(sum m^2 / (sum m)^2): 5 of them, from the sample itself.
TEST(Sizes, RosinRammlerComesBackByMass) {
  for (const RosinRammlerSize& size : {RosinRammlerSize{1, 3, 0.3, 2}, RosinRammlerSize{1, 0.8, 0.4, 3},
                                       RosinRammlerSize{2e-3, 12, 1e-3, 3e-3}, RosinRammlerSize{1, 1, 0.5, 1}}) {
    const auto radii = draw(size, 400000);
    double mass = 0, squares = 0;
    for (const double r : radii) {
      EXPECT_TRUE(r >= size.min && r <= size.max) << r;
      mass += r * r * r, squares += std::pow(r, 6);
    }
    const double error = 5 * std::sqrt(squares) / mass;
    EXPECT_LT(error, 0.03) << "else the test says little";
    const auto above = [&](double r) { return std::exp(-std::pow(r / size.characteristic, size.exponent)); };
    for (const double part : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      const double r = size.min + part * (size.max - size.min);
      const double expected = (above(size.min) - above(r)) / (above(size.min) - above(size.max));
      EXPECT_NEAR(mass_share_below(radii, r), expected, error) << size.exponent << " at " << r;
    }
  }
  EXPECT_EQ(draw(RosinRammlerSize{1, 2, 1, 1}, 2), (std::vector<double>{1, 1}));
}

TEST(Sizes, MeansOfTheCubeAreThoseOfManyDraws) {
  EXPECT_NEAR(mean_cube(NormalSize{2, 0.1, 1, 3}), 8 + 3 * 2 * 0.01, 1e-9);
  EXPECT_NEAR(mean_cube(LogNormalSize{2, 0.5, 1e-3, 1e3}), 8 * std::exp(4.5 * 0.25), 1e-9);
  EXPECT_NEAR(mean_cube(RosinRammlerSize{1, 4, 1e-6, 10}), 1 / std::tgamma(0.25), 1e-6) << "1 / Gamma(1 - 3/n)";
  EXPECT_EQ(mean_cube(NormalSize{2, 0, 1, 3}), 8);
  for (const SizeDistribution& sizes :
       {SizeDistribution(FixedSize{0.5}), SizeDistribution(UniformSize{1, 3}),
        SizeDistribution(NormalSize{2, 1, 1.8, 4}), SizeDistribution(LogNormalSize{2e-3, 0.4, 1e-3, 3e-3}),
        SizeDistribution(DiscreteSize{{1, 2, 5}, {3, 0, 1}}),
        SizeDistribution(SieveSize{{{1, 0}, {2, 0.3}, {2.5, 0.3}, {4, 1}, {5, 1}}}),
        SizeDistribution(RosinRammlerSize{1, 3, 0.3, 2}), SizeDistribution(RosinRammlerSize{2e-3, 12, 1e-3, 3e-3}),
        SizeDistribution(RosinRammlerSize{1, 2, 1, 1})}) {
    const auto radii = draw(sizes, 20000);
    const auto n = static_cast<double>(radii.size());
    double mean = 0, squares = 0;
    for (const double r : radii) mean += r * r * r / n, squares += std::pow(r, 6) / n;
    const double error = std::sqrt(std::max(squares - mean * mean, 0.0) / n);
    EXPECT_NEAR(mean_cube(sizes), mean, 5 * error + 1e-12 * mean) << sizes.index();
    EXPECT_LT(error, 0.02 * mean) << "else the test says little";
  }
}

TEST(Sizes, UnusableDistributionsSayWhy) {
  EXPECT_IN("practically nothing", test::error_of([] { draw(NormalSize{1, 0.01, 2, 3}, 1); }));
}

}  // namespace scree::packing::packing_random_test
