#include "kernels/math/exact_queue.hpp"

#if !SCREE_ON_CUDA

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::exact_queue_test {

using Limits = std::numeric_limits<double>;

/// Both sums have the same digits, not only the same double.
void expect_same(const ExactSum& a, const ExactSum& b) {
  ExactSum one = a, two = b;
  one.carry(), two.carry();
  for (int k = 0; k < ExactSum::n_digits; ++k) { ASSERT_EQ(one.digit[k], two.digit[k]) << k; }
  EXPECT_EQ(one.not_finite, two.not_finite);
}

/// Adds the same numbers to a sum and to a queue, alone and in vectors of all lengths, and compares.
template <class R>
void expect_exact(const std::vector<R>& values, double factor) {
  ExactSum reference, alone, together;
  ExactQueue first{}, second{};
  std::vector<R> padded = values;
  padded.resize(values.size() + ExactQueue::vector, R(1e30));  // is read, but not added
  for (const R v : values) {
    reference.add(factor * double(v));
    first.add(factor * double(v), alone);
  }
  for (std::size_t at = 0, length = 1; at < values.size(); at += length, length = length % 67 + 1) {
    second.add(&padded[at], std::min(length, values.size() - at), factor, together);
  }
  first.finish(alone);
  second.finish(together);
  expect_same(alone, reference);
  expect_same(together, reference);
}

/// Numbers of both signs, spread over `powers` powers of two around 2^centre; a tenth is 0.
std::vector<double> scattered(std::size_t n, double powers, double centre, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(n);
  for (double& v : values) {
    v = random.whole(10) == 0 ? 0 : random(-1, 1) * std::exp2(centre + random(-powers, powers));
  }
  return values;
}

TEST(ExactQueue, AddsWithoutRounding) {
  for (const double powers : {0.0, 5.0, 30.0, 44.0, 60.0, 300.0}) {
    for (const double centre : {0.0, -300.0, 500.0}) {
      SCOPED_TRACE(testing::Message() << powers << " around " << centre);
      expect_exact(scattered(20000, powers, centre, 1), 1);
      expect_exact(scattered(3000, powers, centre, 2), -0.7e-5);
    }
  }
  std::vector<float> single;
  for (const double v : scattered(20000, 40, -20, 3)) { single.push_back(static_cast<float>(v)); }
  expect_exact(single, -7e-6);
}

// The sizes of the numbers drift over hundreds of powers of two: the window must follow, and be left again.
TEST(ExactQueue, FollowsTheSizeOfTheNumbers) {
  for (const double drift : {600.0, -600.0}) {
    std::vector<double> values = scattered(30000, 10, 0, 4);
    for (std::size_t k = 0; k < values.size(); ++k) { values[k] *= std::exp2(drift * double(k) / 30000); }
    expect_exact(values, 1);
  }
}

// Largest possible sums of a window: all numbers just below its limit, of one sign, all bits set.
TEST(ExactQueue, HoldsTheLargestSumsOfAWindow) {
  std::vector<double> values(8, 1.0);
  values.resize(9000, std::nextafter(512.0, 0.0));
  expect_exact(values, 1);
  for (double& v : values) { v = -v; }
  expect_exact(values, 1);
}

// Zeros of both signs stand between the numbers, alone and in whole vectors. They wait like other numbers, or are left
// out, and neither moves a number.
TEST(ExactQueue, LeavesOutZeros) {
  Random random(5);
  for (const std::uint64_t one_in : {2, 10, 300}) {
    std::vector<double> values(40000);
    for (double& v : values) {
      v = random.whole(one_in) == 0 ? random(-1e-9, 1e-9) : (random.whole(2) == 0 ? 0.0 : -0.0);
    }
    expect_exact(values, 1);
    expect_exact(values, -3e-5);
  }
  expect_exact(std::vector<double>(1000, -0.0), 1);
}

TEST(ExactQueue, TakesAnyDouble) {
  std::vector<double> values = {Limits::max(),
                                -Limits::max(),
                                Limits::denorm_min(),
                                1,
                                -1e-300,
                                Limits::min(),
                                -Limits::denorm_min(),
                                1e300,
                                3e-310,
                                -0.0};
  for (int k = 0; k < 8; ++k) { values.insert(values.end(), values.begin(), values.begin() + 10); }
  expect_exact(values, 1);
  values.push_back(Limits::infinity());
  values.push_back(Limits::quiet_NaN());
  expect_exact(values, 1);
}

}  // namespace scree::inline SCREE_BACKEND::exact_queue_test

#endif
