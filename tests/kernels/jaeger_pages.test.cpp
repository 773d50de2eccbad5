#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "kernels/history/deep_stack.hpp"

/// The number of pages reserved for the next steps of a stack, against stacks that are really pushed and popped.
namespace scree::inline SCREE_BACKEND::jaeger_pages_test {

constexpr std::uint32_t n_pages = 1000;

/// The segments of one contact below its record.
struct OneStack {
  std::vector<SegmentPage<float>> pages = std::vector<SegmentPage<float>>(n_pages);
  std::vector<SegmentPage<float>*> table{pages.data()};
  std::vector<std::uint32_t> below = std::vector<std::uint32_t>(n_pages),
                             ring = std::vector<std::uint32_t>(n_pages + 1);
  PoolCounters counters{0, n_pages};
  SegmentPool<float> pool{{table.data(), 1}, {below.data(), below.size()}, {ring.data(), ring.size()}, &counters, {}};
  StackEnd<float> end{};
  OneStack() { std::iota(ring.begin(), ring.end(), 0u); }
  std::uint64_t in_use() const { return n_pages - (counters.given - counters.taken); }
  void push() { DeepStack<float>(pool, end).push({1.0 + end.count, {0, 0}}); }
  void pop() {
    if (end.count > 0) { DeepStack<float>(pool, end).pop(); }
  }
};

TEST(JaegerPages, AsManyAsPushesTake) {
  for (std::uint32_t start = 0; start < 60; ++start) {
    for (std::uint32_t steps = 1; steps <= 40; ++steps) {
      OneStack stack;
      for (std::uint32_t k = 0; k < start; ++k) { stack.push(); }
      const std::uint32_t expected = pages_to_take(stack.end, steps);
      const std::uint64_t before = stack.in_use();
      for (std::uint32_t k = 0; k < steps; ++k) { stack.push(); }
      EXPECT_EQ(stack.in_use() - before, expected) << start << " segments, " << steps << " steps";
    }
  }
}

// In each step a random number of segments is popped and one is pushed. A page given back within a step cannot be taken
// again in that step.
TEST(JaegerPages, NeverMoreWhateverHappens) {
  std::mt19937 generator(5);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(generator() % n); };
  for (int run = 0; run < 2000; ++run) {
    OneStack stack;
    for (std::uint32_t k = below(60); k > 0; --k) { stack.push(); }
    for (std::uint32_t k = below(20); k > 0; --k) { stack.pop(); }
    const std::uint32_t steps = 1 + below(32), expected = pages_to_take(stack.end, steps), bold = 1 + below(6);
    const std::uint64_t before = stack.in_use();
    for (std::uint32_t step = 0; step < steps; ++step) {
      const std::uint64_t at_start = stack.in_use(), taken = stack.counters.taken;
      for (std::uint32_t gone = below(bold) == 0 ? below(12) : 0; gone > 0; --gone) { stack.pop(); }
      stack.push();
      EXPECT_LE(at_start + (stack.counters.taken - taken), before + expected);
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::jaeger_pages_test
