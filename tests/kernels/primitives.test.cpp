#include <algorithm>
#include <limits>
#include <numeric>

#include "support.hpp"

namespace scree::inline SCREE_BACKEND::primitives_test {

/// Each test runs with empty, single, odd and large sizes, with one thread and with two.
class PrimitivesTest : public BackendTest {
 protected:
  template <class Check>
  void for_sizes_and_threads(const Check& check) {
    for (const int threads : {1, 2}) {
      for (const std::size_t n :
           {std::size_t(0), std::size_t(1), std::size_t(2), std::size_t(511), std::size_t(513), std::size_t(100003)}) {
        SCOPED_TRACE(std::to_string(n) + " elements, " + std::to_string(threads) + " threads");
        Exec exec(threads);
        Primitives primitives(exec);
        Random random(n + std::uint64_t(threads));
        check(primitives, n, random);
      }
    }
  }
};

TEST_F(PrimitivesTest, SortKeepsTheOrderOfEqualKeys) {
  for_sizes_and_threads([](Primitives& primitives, std::size_t n, Random& random) {
    std::vector<std::uint64_t> keys(n);
    std::vector<index_t> values(n), order(n);
    for (std::size_t i = 0; i < n; ++i) { keys[i] = random.whole(n / 7 + 1) << 20; }
    std::iota(values.begin(), values.end(), index_t(0));
    order = values;
    std::stable_sort(order.begin(), order.end(), [&](index_t a, index_t b) { return keys[a] < keys[b]; });
    Buffer<std::uint64_t> key_buffer;
    Buffer<index_t> value_buffer;
    key_buffer.assign(keys);
    value_buffer.assign(values);
    primitives.sort_by_key(key_buffer, value_buffer, n, 40);
    std::sort(keys.begin(), keys.end());
    EXPECT_EQ(key_buffer.to_vector(), keys);
    EXPECT_EQ(value_buffer.to_vector(), order);
  });
}

TEST_F(PrimitivesTest, SortUsesAllSixtyFourBits) {
  Exec exec(1);
  Primitives primitives(exec);
  Buffer<std::uint64_t> keys;
  Buffer<index_t> values;
  const std::uint64_t top = std::uint64_t(1) << 63;
  keys.assign({~std::uint64_t(0), top, 5, top - 1, 0});
  values.assign({0, 1, 2, 3, 4});
  primitives.sort_by_key(keys, values, 5, 64);
  EXPECT_EQ(keys.to_vector(), (std::vector<std::uint64_t>{0, 5, top - 1, top, ~std::uint64_t(0)}));
  EXPECT_EQ(values.to_vector(), (std::vector<index_t>{4, 2, 3, 1, 0}));
}

TEST_F(PrimitivesTest, ScanIsExclusiveAndEndsWithTheTotal) {
  for_sizes_and_threads([](Primitives& primitives, std::size_t n, Random& random) {
    std::vector<offset_t> counts(n + 1), expected(n + 1);
    for (std::size_t i = 0; i < n; ++i) { counts[i] = random.whole(1000000000000); }
    counts[n] = 12345;  // this element is not part of the sum
    std::exclusive_scan(counts.begin(), counts.end(), expected.begin(), offset_t(0));
    Buffer<offset_t> buffer;
    buffer.assign(counts);
    primitives.exclusive_scan(buffer.view(), n);
    EXPECT_EQ(buffer.to_vector(), expected);
  });
}

TEST_F(PrimitivesTest, ScanOntoAddsTheStarts) {
  for_sizes_and_threads([](Primitives& primitives, std::size_t n, Random& random) {
    std::vector<offset_t> starts(n + 1), expected(n + 1);
    std::vector<std::uint32_t> counts(n);
    offset_t start = 0, sum = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      starts[i] = start;
      expected[i] = start + sum;
      start += random.whole(1000000000000);
      if (i < n) { sum += counts[i] = static_cast<std::uint32_t>(random.whole(0xffffffff)); }
    }
    Buffer<offset_t> start_buffer, sum_buffer;
    Buffer<std::uint32_t> count_buffer;
    start_buffer.assign(starts);
    count_buffer.assign(counts);
    sum_buffer.resize(n + 1);
    primitives.exclusive_scan_onto(start_buffer.view(), count_buffer.view(), sum_buffer.view(), n);
    EXPECT_EQ(sum_buffer.to_vector(), expected);
  });
}

template <class R>
void expect_extremes(Primitives& primitives, std::size_t n, Random& random) {
  if (n == 0) { return; }
  std::vector<R> values(n);
  for (R& value : values) { value = static_cast<R>(random(-100, 100)); }
  values[n / 2] = R(-250.5);
  values[n / 3] = R(333.25);
  Buffer<R> buffer;
  buffer.assign(values);
  EXPECT_EQ(primitives.minimum(buffer.view(), n), *std::min_element(values.begin(), values.end()));
  EXPECT_EQ(primitives.maximum(buffer.view(), n), *std::max_element(values.begin(), values.end()));
}

TEST_F(PrimitivesTest, MinimumAndMaximum) {
  for_sizes_and_threads([](Primitives& primitives, std::size_t n, Random& random) {
    expect_extremes<float>(primitives, n, random);
    expect_extremes<double>(primitives, n, random);
  });
}

TEST_F(PrimitivesTest, SumOfBytesDoesNotWrapAround) {
  for_sizes_and_threads([](Primitives& primitives, std::size_t n, Random& random) {
    std::vector<std::uint8_t> values(n);
    std::uint64_t expected = 0;
    for (std::uint8_t& value : values) { expected += value = static_cast<std::uint8_t>(200 + random.whole(56)); }
    Buffer<std::uint8_t> buffer;
    buffer.assign(values);
    EXPECT_EQ(primitives.sum(buffer.view(), n), expected);
  });
}

// --- buffers ---------------------------------------------------------------------------------------------------

using BufferTest = BackendTest;

TEST_F(BufferTest, GrowingKeepsTheContentsAndAddsZeros) {
  Buffer<double> buffer;
  buffer.assign({1, 2, 3});
  buffer.resize(2000);
  const std::vector<double> values = buffer.to_vector();
  ASSERT_EQ(values.size(), 2000u);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[2], 3);
  EXPECT_EQ(std::count(values.begin(), values.end(), 0.0), 1997);
}

TEST_F(BufferTest, ShrinkingKeepsTheMemory) {
  Buffer<double> buffer;
  buffer.resize(1000);
  const std::uint64_t bytes = buffer.bytes();
  buffer.resize(10);
  EXPECT_EQ(buffer.size(), 10u);
  EXPECT_EQ(buffer.bytes(), bytes);
}

TEST_F(BufferTest, ElementsCanBeReadAndWrittenOneByOne) {
  Buffer<Vec3d> buffer;
  buffer.resize(5);
  buffer.set_element(3, {1, 2, 3});
  EXPECT_EQ(buffer.element(3).y, 2);
  EXPECT_EQ(buffer.to_vector()[3].z, 3);
  EXPECT_EQ(buffer.element(4).x, 0);
}

TEST_F(BufferTest, AnImpossibleRequestNamesItself) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the address sanitizer ends the program instead";
#endif
  Buffer<double> buffer;
  try {
    buffer.resize(std::size_t(1) << 56, "the moon");
    FAIL() << "memory for 2^56 numbers was granted";
  } catch (const BackendError& error) {
    EXPECT_NE(std::string(error.what()).find("the moon"), std::string::npos) << error.what();
  }
}

// --- launches --------------------------------------------------------------------------------------------------

struct CountVisits {
  Span<std::uint32_t> visits;
  SCREE_HD void operator()(std::size_t i) const { atomic_add(&visits[i], 1u); }
};

TEST_F(PrimitivesTest, EveryIndexIsVisitedOnce) {
  for (const int threads : {1, 2}) {
    Exec exec(threads);
    for (const std::size_t n :
         {std::size_t(0), std::size_t(1), std::size_t(127), std::size_t(129), std::size_t(70001)}) {
      Buffer<std::uint32_t> visits;
      visits.resize(n + 1);
      exec.for_each("visits", n, CountVisits{visits.view()});
      std::vector<std::uint32_t> expected(n + 1, 1u);
      expected[n] = 0;
      EXPECT_EQ(visits.to_vector(), expected) << n << " indices, " << threads << " threads";
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::primitives_test
