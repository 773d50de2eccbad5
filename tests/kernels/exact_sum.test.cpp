#include "kernels/math/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::exact_sum_test {

using Limits = std::numeric_limits<double>;

ExactSum sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double v : values) { sum.add(v); }
  return sum;
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// Numbers of both signs, spread over `powers` powers of two around 1.
std::vector<double> scattered(std::size_t n, double powers, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(n);
  for (double& v : values) { v = random(-1, 1) * std::exp2(random(-powers, powers)); }
  return values;
}

void shuffle(std::vector<double>& values, Random& random) {
  for (std::size_t k = values.size(); k > 1; --k) { std::swap(values[k - 1], values[random.whole(k)]); }
}

// The sum of one double is this double, for all exponents.
TEST(ExactSum, OneNumberIsItself) {
  Random random(1);
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    for (const double m : {1.0, -1.0, random(1, 2), -random(1, 2)}) {
      const double value = std::ldexp(m, exponent);
      ASSERT_EQ(bits(sum_of({value}).value()), bits(value)) << value;
    }
  }
  EXPECT_EQ(bits(sum_of({Limits::max()}).value()), bits(Limits::max()));
  EXPECT_EQ(bits(sum_of({Limits::denorm_min()}).value()), bits(Limits::denorm_min()));
  EXPECT_EQ(bits(ExactSum{}.value()), bits(0.0));
}

// A sum of two numbers is rounded like IEEE addition (ties to even), also where it becomes subnormal or infinite.
TEST(ExactSum, TwoNumbersAreRoundedAsTheProcessorDoes) {
  Random random(2);
  for (int k = 0; k < 200000; ++k) {
    const double a = random(-1, 1) * std::exp2(double(random.whole(120)) - 60);
    const double b =
        k % 3 == 0 ? -a * (1 + random(-1e-15, 1e-15)) : random(-1, 1) * std::exp2(double(random.whole(120)) - 60);
    ASSERT_EQ(bits(sum_of({a, b}).value()), bits(a + b)) << a << ' ' << b;
    constexpr double small = 0x1p-1000;  // reaches subnormal numbers; an empty sum is +0, never -0
    ASSERT_EQ(bits(sum_of({a * small, b * small}).value()), bits(a * small + b * small + 0.0)) << a << ' ' << b;
  }
  const double ulp = 0x1p-52;
  EXPECT_EQ(sum_of({1, ulp / 2}).value(), 1);                              // tie to even, down
  EXPECT_EQ(sum_of({1 + ulp, ulp / 2}).value(), 1 + 2 * ulp);              // tie to even, up
  EXPECT_EQ(sum_of({1, ulp / 2, Limits::denorm_min()}).value(), 1 + ulp);  // just above the tie
  EXPECT_EQ(sum_of({1, ulp / 2, -Limits::denorm_min()}).value(), 1);       // just below
  EXPECT_EQ(sum_of({2 - ulp, ulp / 2}).value(), 2);                        // the carry reaches the exponent
  EXPECT_EQ(sum_of({Limits::max(), Limits::max()}).value(), Limits::infinity());
  EXPECT_EQ(sum_of({-Limits::max(), -Limits::max()}).value(), -Limits::infinity());
  EXPECT_EQ(sum_of({Limits::max(), Limits::max(), -Limits::max()}).value(), Limits::max());
}

// After cancellation over 600 powers of two, the remainder is exact.
TEST(ExactSum, CancellationIsExact) {
  std::vector<double> values = scattered(20000, 300, 3);
  const std::size_t n = values.size();
  for (std::size_t k = 0; k < n; ++k) { values.push_back(-values[k]); }
  Random random(4);
  shuffle(values, random);
  EXPECT_EQ(bits(sum_of(values).value()), bits(0.0));
  values.insert(values.begin() + 777, 0x1.23456789abcdep-900);
  EXPECT_EQ(sum_of(values).value(), 0x1.23456789abcdep-900);
  EXPECT_EQ(sum_of({1e300, 1, -1e300, 1e-300, -1, -1e-300, -0x1p-1070}).value(), -0x1p-1070);
}

// Any order, any split into partial sums and any carries in between give the same bits.
TEST(ExactSum, OrderAndPartsDoNotMatter) {
  std::vector<double> values = scattered(5000, 40, 5);
  const double reference = sum_of(values).value();
  long double plain = 0;
  for (const double v : values) { plain += v; }
  EXPECT_NEAR(
      reference, double(plain),
      1e-12 * std::accumulate(values.begin(), values.end(), 0.0, [](double s, double v) { return s + std::fabs(v); }));
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    shuffle(values, random);
    EXPECT_EQ(bits(sum_of(values).value()), bits(reference));
    std::vector<ExactSum> parts(1 + random.whole(9));
    for (const double v : values) {
      ExactSum& part = parts[random.whole(parts.size())];
      part.add(v);
      if (random.whole(50) == 0) { part.carry(); }
    }
    ExactSum total;
    for (const ExactSum& part : parts) { total.add(part); }
    EXPECT_EQ(bits(total.value()), bits(reference));
  }
}

// Numbers with few bits, whose exact sum a 64-bit integer holds.
TEST(ExactSum, AgreesWithIntegers) {
  Random random(7);
  ExactSum sum;
  std::int64_t exact = 0;
  for (int k = 0; k < 100000; ++k) {
    const auto number = static_cast<std::int64_t>(random.whole(std::uint64_t(1) << 45)) - (std::int64_t(1) << 44);
    exact += number;
    sum.add(double(number));
    if (k % 1000 == 0) { ASSERT_EQ(sum.value(), double(exact)) << k; }
  }
}

TEST(ExactSum, WhatIsNotFiniteIsSeen) {
  EXPECT_TRUE(std::isnan(sum_of({1, Limits::infinity()}).value()));
  EXPECT_TRUE(std::isnan(sum_of({Limits::quiet_NaN(), 2}).value()));
}

class ExactSumOnBackend : public BackendTest {};

struct AddAll {
  Span<double> values;
  ExactSum* sum;
  SCREE_HD void operator()(std::size_t i) const { sum->add_atomic(values[i]); }
};

// Many threads add to one sum at the same time.
TEST_F(ExactSumOnBackend, AtomicAdds) {
  const std::vector<double> values = scattered(100000, 60, 8);
  Buffer<double> on_backend;
  on_backend.assign(values, "test");
  Buffer<ExactSum> sum;
  sum.assign({ExactSum{}}, "test");
  Exec exec(4);
  exec.for_each("add", values.size(), AddAll{on_backend.view(), sum.data()});
  EXPECT_EQ(bits(sum.element(0).value()), bits(sum_of(values).value()));
}

}  // namespace scree::inline SCREE_BACKEND::exact_sum_test
