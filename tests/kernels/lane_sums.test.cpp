#include "kernels/backend/lane_sums.hpp"
#include "kernels/backend/sums_then.hpp"

#include <algorithm>
#include <vector>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::lane_sums_test {

struct FoundSums {
  static constexpr std::size_t n_largest = 2;
  double largest = 0, largest_square = 0;
  std::int64_t sum = 0;
  std::uint64_t odd = 0;
};

struct AddNumber {
  Span<std::int64_t> number;
  SCREE_HD void operator()(std::size_t i, FoundSums& found) const {
    found.largest = math::max(found.largest, double(number[i]));
    found.largest_square = math::max(found.largest_square, double(number[i]) * double(number[i]));
    found.sum += number[i];
    found.odd += static_cast<std::uint64_t>(number[i] & 1);
  }
};

class LaneSumsTest : public BackendTest {};

TEST_F(LaneSumsTest, SumsAndMaximaAreThoseOfALoop) {
  for (const int threads : {1, 2, 3}) {
    for (const std::size_t n : std::vector<std::size_t>{0, 1, 5, 1000, 16384, 100003}) {
      SCOPED_TRACE(std::to_string(n) + " numbers, " + std::to_string(threads) + " threads");
      Exec exec(threads);
      Random random(n + 1);
      std::vector<std::int64_t> numbers(n);
      FoundSums expected;
      for (std::int64_t& x : numbers) {
        x = static_cast<std::int64_t>(random.whole(2000001)) - 1000000;
        expected.largest = std::max(expected.largest, double(x));
        expected.largest_square = std::max(expected.largest_square, double(x) * double(x));
        expected.sum += x;
        expected.odd += static_cast<std::uint64_t>(x & 1);
      }
      Buffer<std::int64_t> number;
      number.assign(numbers);
      const FoundSums found = sum_of_items<FoundSums>(exec, "test", n, AddNumber{number.view()});
      EXPECT_EQ(found.largest, expected.largest);
      EXPECT_EQ(found.largest_square, expected.largest_square);
      EXPECT_EQ(found.sum, expected.sum);
      EXPECT_EQ(found.odd, expected.odd);
    }
  }
}

// As many lanes as a GPU has: several rounds of merging, the last groups incomplete.
TEST_F(LaneSumsTest, EveryLaneIsMergedOnce) {
  Exec exec(2);
  constexpr std::size_t n_words = 3;
  for (const std::size_t lanes : std::vector<std::size_t>{1, 2, 31, 32, 33, 1024, 1025, 8191, 32768}) {
    Random random(lanes);
    std::vector<std::int64_t> words(lanes * n_words);
    std::vector<std::int64_t> expected(n_words);
    double largest = 0;
    for (std::size_t k = 0; k < words.size(); ++k) {
      if (k % n_words == 0) {
        const double value = random(0, 1);
        largest = std::max(largest, value);
        std::memcpy(&words[k], &value, sizeof value);
      } else {
        words[k] = static_cast<std::int64_t>(random.whole(1000)) - 500;
        expected[k % n_words] += words[k];
      }
    }
    std::memcpy(expected.data(), &largest, sizeof largest);
    Buffer<std::int64_t> buffer;
    buffer.assign(words);
    merge_lanes(exec, "test", buffer.view(), lanes, n_words, 1);
    EXPECT_EQ(buffer.to_vector(n_words), expected) << lanes << " lanes";
  }
}

struct AddToTwo {
  Span<double> value;
  SCREE_HD void operator()(std::size_t i, ExactSum* sums) const {
    sums[0].add(value[i]);
    sums[1 + i % 2].add(-value[i]);
  }
};

// Numbers of very different size, whose ordinary sum depends on its order.
TEST_F(LaneSumsTest, ExactSumsAreRoundedOnce) {
  std::vector<double> values(40001);
  Random random(3);
  for (double& x : values) { x = random(-1, 1) * std::exp2(random(-40, 40)); }
  ExactSum all, parts[2];
  for (std::size_t i = 0; i < values.size(); ++i) { all.add(values[i]), parts[i % 2].add(-values[i]); }
  Buffer<double> value;
  value.assign(values);
  for (const int threads : {1, 2, 3}) {
    Exec exec(threads);
    ExactSums sums;
    const auto found = sums.of(exec, "test", values.size(), 3, AddToTwo{value.view()});
    EXPECT_EQ(found, (std::vector<double>{all.value(), parts[0].value(), parts[1].value()})) << threads;
  }
  Exec exec(1);
  ExactSums none;
  EXPECT_EQ(none.of(exec, "test", 0, 3, AddToTwo{value.view()}), std::vector<double>(3));
}

struct VisitTwo {
  Span<double> value;
  template <class Add>
  SCREE_HD void visit(std::size_t i, const Add& add) const {
    add(0, value[i]);
    add(1 + i % 2, -value[i]);
  }
};

/// Takes over the sums.
struct TakeSum {
  Span<ExactSum> sums;
  Span<double> taken;
  SCREE_HD void operator()(std::size_t k) const { taken[k] = sums.size > 0 ? sums[k].value() : -1; }
};

/// Counts the launches, and those before which all sums were not taken yet.
struct CountEnds {
  Span<double> taken;
  Span<std::uint32_t> ends;  ///< [2]
  SCREE_HD void operator()(std::size_t) const {
    ++ends[0];
    for (std::size_t k = 0; k < taken.size; ++k) { ends[1] += taken[k] == 1e300 ? 1u : 0u; }
  }
};

// One space serves launches of any length; the second of two equal launches starts from nothing again.
TEST_F(LaneSumsTest, SumsAreUsedInTheLaunchThatMakesThem) {
  std::vector<double> values(40001);
  Random random(4);
  for (double& x : values) { x = random(-1, 1) * std::exp2(random(-40, 40)); }
  Buffer<double> value, taken;
  Buffer<std::uint32_t> ends, blocks_ended, idle;
  value.assign(values);
  for (const int threads : {1, 3}) {
    Exec exec(threads);
    SumSpace space;
    ends.assign({0, 0}), blocks_ended.assign({0}), idle.assign({0});
    std::uint32_t launches = 0;
    for (const std::size_t n : std::vector<std::size_t>{0, 1, 300, 300, 40001, 40001, 0, 70}) {
      ExactSum all, parts[2];
      for (std::size_t i = 0; i < n; ++i) { all.add(values[i]), parts[i % 2].add(-values[i]); }
      taken.assign({1e300, 1e300, 1e300});
      const Span<ExactSum> sums = space.prepare(exec, n, 3);
      sum_then(exec,
               SumLaunch{.label = "test",
                         .last_label = "end",
                         .n = n,
                         .space = space,
                         .sums = sums,
                         .n_each = 3,
                         .idle = idle.data(),
                         .blocks_ended = blocks_ended.view()},
               VisitTwo{value.view()}, TakeSum{sums, taken.view()}, CountEnds{taken.view(), ends.view()});
      const auto expected =
          n > 0 ? std::vector<double>{all.value(), parts[0].value(), parts[1].value()} : std::vector<double>(3, -1);
      EXPECT_EQ(taken.to_vector(), expected) << n << " numbers, " << threads << " threads";
      EXPECT_EQ(ends.to_vector(), (std::vector<std::uint32_t>{++launches, 0}));
      EXPECT_EQ(blocks_ended.to_vector(), std::vector<std::uint32_t>{0});
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::lane_sums_test
