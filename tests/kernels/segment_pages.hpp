#pragma once

#include <algorithm>

#include "support.hpp"

/// The pages of the load histories of a run, one by one.
namespace scree::inline SCREE_BACKEND {

/// A copy of all arrays of a pool.
template <class R>
struct PoolImage {
  std::vector<SegmentPage<R>> pages;
  std::vector<std::uint32_t> below, free_pages;

  explicit PoolImage(StackStore<R>& store) {
    const SegmentPool<R> pool = store.view();
    for (const SegmentPage<R>* chunk : copy_of(pool.chunk)) {
      const std::size_t n = std::size_t(1) << SegmentPool<R>::chunk_bits, before = pages.size();
      pages.resize(before + n);
      copy_from_backend(pages.data() + before, chunk, n * sizeof(SegmentPage<R>));
    }
    const auto ring = copy_of(pool.ring);
    below = copy_of(pool.below);
    PoolCounters counters;
    copy_from_backend(&counters, pool.counters, sizeof(counters));
    for (std::uint64_t k = counters.taken; k < counters.given; ++k) { free_pages.push_back(ring[k % ring.size()]); }
  }
};

struct Use {
  std::uint64_t pages = 0, of_boundaries = 0;
  std::uint32_t longest = 0;
};

/// Checks that each page is in one stack or free, that only touching contacts have stacks, and that each segment ends
/// above the one below it.
template <class R>
Use expect_every_page_accounted_for(System<R>& system, const std::string& where) {
  StackStore<R>& store = SystemProbe::stacks(system);
  const PoolImage<R> pool(store);
  EXPECT_EQ(pool.pages.size(), store.pages()) << where;
  std::vector<int> owners(pool.pages.size());
  for (const std::uint32_t page : pool.free_pages) { ++owners.at(page); }
  Use use;
  const auto add = [&](const StackEnd<R>& stack, bool touching) {
    EXPECT_TRUE(touching || stack.count == 0) << where;
    EXPECT_LE(stack.held, std::min(stack.count, segments_held)) << where;
    use.longest = std::max(use.longest, stack.count);
    double above = 1e300;
    for (std::uint32_t n = stack.held; n > 0; --n) {
      EXPECT_LT(std::abs(stack.segment[n - 1].end), above) << where;
      above = std::abs(stack.segment[n - 1].end);
    }
    std::uint32_t place = stack.page;
    for (std::uint32_t n = stack.count - stack.held; n > 0; ++use.pages) {
      const SegmentPage<R>& page = pool.pages.at(place);
      ++owners.at(place);
      const std::uint32_t first = (n - 1) / rows_per_page * rows_per_page;
      for (; n > first; --n) {
        const double end = page.row[n - 1 - first].end();
        EXPECT_LT(end, above) << where;
        above = end;
      }
      place = pool.below.at(place);
    }
    EXPECT_TRUE(stack.count == 0 || above > 0) << where;
  };
  const auto touching = SystemProbe::pairs(system).touching.to_vector();
  const auto stack = SystemProbe::pairs(system).rows.stack.to_vector();
  for (std::size_t slot = 0; slot < stack.size(); ++slot) { add(stack[slot], touching[slot] != 0); }
  use.of_boundaries = use.pages;
  const auto slots = SystemProbe::near_boundary(system).slot.to_vector();
  const auto of_slots = SystemProbe::near_boundary(system).rows.stack.to_vector();
  for (std::size_t k = 0; k < of_slots.size(); ++k) { add(of_slots[k], slots[k].touching != 0); }
  use.of_boundaries = use.pages - use.of_boundaries;
  EXPECT_EQ(store.pages_in_use(), use.pages) << where;
  EXPECT_TRUE(std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; })) << where;
  return use;
}

}  // namespace scree::inline SCREE_BACKEND
