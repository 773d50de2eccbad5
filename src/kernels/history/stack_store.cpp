#include "kernels/history/stack_store.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/backend/lanes.hpp"
#include "scree/errors.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// The free pages of the old ring to the start of the new one, new pages behind them.
struct RingGrowth {
  Span<std::uint32_t> old, ring;
  std::uint64_t taken, n_free;
  std::uint32_t first_new;
  SCREE_HD void operator()(std::size_t i) const {
    ring[i] = i < n_free ? old[(taken + i) % old.size] : static_cast<std::uint32_t>(first_new + (i - n_free));
  }
};

/// Within how many steps pages are counted.
constexpr std::size_t n_horizons = 4;
SCREE_INLINE std::uint32_t horizon(std::size_t k) {
  return static_cast<std::uint32_t>(StackStore<float>::most_steps_ahead) << k;
}

/// Pages that stacks may come to hold, for each horizon and lane; added to what is there.
template <class R>
struct PagesToTake {
  Span<StackEnd<R>> stacks;
  Span<std::uint64_t> sums;  ///< [n_horizons * n_lanes]

  SCREE_HD void operator()(std::size_t lane) const {
    visit_lane(lane, stacks.size, [&](std::size_t i) {
      for (std::size_t k = 0; k < n_horizons; ++k) { sums[k * n_lanes + lane] += pages_to_take(stacks[i], horizon(k)); }
    });
  }
};

constexpr const char* what = "load histories";

}  // namespace

template <class R>
void StackStore<R>::turn_on() {
  counters_.assign({PoolCounters{}}, what);
}

template <class R>
SegmentPool<R> StackStore<R>::view() {
  if (!any()) { return {}; }
  return {table_.view(), below_.view(), ring_.view(), counters_.data(), waiting_.view()};
}

template <class R>
std::uint64_t StackStore<R>::pages_in_use() const {
  if (!any()) { return 0; }
  const PoolCounters counters = counters_.element(0);
  return n_pages_ - (counters.given - counters.taken);
}

template <class R>
void StackStore<R>::reserve(Exec& exec, std::uint64_t free_pages) {
  if (any()) { reserve(exec, free_pages, pages_in_use()); }
}

template <class R>
void StackStore<R>::reserve(Exec& exec, std::uint64_t free_pages, std::uint64_t in_use) {
  const std::uint64_t n_free = n_pages_ - in_use;
  if (n_free < free_pages) { grow(exec, std::max(free_pages - n_free, n_pages_ / 32)); }
}

template <class R>
void StackStore<R>::reserve_for_steps(Exec& exec, Span<StackEnd<R>> of_pairs, Span<StackEnd<R>> of_boundaries,
                                      std::uint64_t steps, std::uint64_t step, std::uint64_t list) {
  if (any() && Exec::asynchronous()) { waiting_.discard_and_resize(of_pairs.size, what); }
  const std::uint64_t contacts = of_pairs.size + of_boundaries.size;
  if (!any() || contacts == 0 || (list == enough_for_ && step + steps <= enough_until_)) { return; }
  // One page for each is more than enough. It is nearly nothing while histories are short; else it is worth to count.
  static_assert(most_steps_ahead <= segments_per_page);
  const std::uint64_t in_use = pages_in_use();
  most_in_use_ = std::max(most_in_use_, in_use);
  if (n_pages_ - in_use >= contacts) { return; }
  if (in_use < segments_per_page * contacts) { return reserve(exec, contacts, in_use); }
  lanes_.assign(std::vector<std::uint64_t>(n_horizons * n_lanes), what);
  for (const Span<StackEnd<R>>& stacks : {of_pairs, of_boundaries}) {
    exec.for_lanes("count pages", n_lanes, stacks.size, PagesToTake<R>{stacks, lanes_.view()}, stacks.size * 16);
  }
  const auto sums = lanes_.to_vector();
  const auto wanted = [&](std::size_t k) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(k * n_lanes);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(n_lanes), std::uint64_t(0));
  };
  reserve(exec, wanted(0), in_use);
  const std::uint64_t n_free = n_pages_ - in_use;
  for (std::size_t k = 0; k < n_horizons && wanted(k) <= n_free; ++k) { enough_until_ = step + horizon(k); }
  enough_for_ = list;
}

template <class R>
void StackStore<R>::grow(Exec& exec, std::uint64_t more_pages) {
  // A host has large pages for what fills them: stacks lie about in the pool, and small pages would cost a search for
  // the address at every touch.
  constexpr std::uint64_t large = (std::uint64_t(1) << 21) / sizeof(SegmentPage<float>);
  const std::uint64_t unit = 2 * more_pages > large ? large : chunk_pages;
  more_pages = (more_pages + unit - 1) / unit * unit;
  const std::uint64_t n = n_pages_ + more_pages;
  SCREE_EXPECT(n < (std::uint64_t(1) << 32), "load histories of 2^32 pages at most");
  // All that can fail comes first: a pool that cannot grow is as it was.
  Buffer<SegmentPage<R>> slab;
  slab.discard_and_resize(more_pages, what);
  Buffer<std::uint32_t> ring;
  ring.discard_and_resize(n + 1, what);
  Buffer<std::uint32_t> below;
  below.discard_and_resize(n, what);
  std::vector<SegmentPage<R>*> table = table_.to_vector();
  for (std::uint64_t page = 0; page < more_pages; page += chunk_pages) { table.push_back(slab.data() + page); }
  slabs_.reserve(slabs_.size() + 1);
  Buffer<SegmentPage<R>*> fresh_table;
  fresh_table.assign(table, what);

  copy_within_backend(below.data(), below_.data(), n_pages_ * sizeof(std::uint32_t));
  const PoolCounters counters = counters_.element(0);
  const std::uint64_t n_free = counters.given - counters.taken;
  exec.for_each("grow load histories", n_free + more_pages,
                RingGrowth{ring_.view(), ring.view(), counters.taken, n_free, static_cast<std::uint32_t>(n_pages_)});
  wait_for_backend();  // the old ring goes
  counters_.set_element(0, PoolCounters{.taken = 0, .given = n_free + more_pages});
  slabs_.push_back(std::move(slab));
  ring_ = std::move(ring);
  below_ = std::move(below);
  table_ = std::move(fresh_table);
  n_pages_ = n;
}

template <class R>
void StackStore<R>::reset() {
  if (!any()) { return; }
  if (n_pages_ > 0) {
    std::vector<std::uint32_t> ring(ring_.size());
    std::iota(ring.begin(), ring.begin() + static_cast<std::ptrdiff_t>(n_pages_), std::uint32_t(0));
    ring_.assign(ring, what);
  }
  counters_.set_element(0, PoolCounters{.taken = 0, .given = n_pages_});
  enough_until_ = 0;
}

template <class R>
std::vector<StackEnd<R>> StackStore<R>::fill(Exec& exec, const std::vector<std::uint32_t>& counts,
                                             const std::vector<JaegerSegment<R>>& segments) {
  // Pages are filled by so many segments together.
  constexpr std::uint32_t some = segments_moved;
  const auto held = [](std::uint32_t count) { return count < some ? count : count % some; };
  std::uint64_t wanted = 0;
  for (const std::uint32_t count : counts) {
    wanted += (std::uint64_t(count) - held(count) + segments_per_page - 1) / segments_per_page;
  }
  reserve(exec, wanted);
  PoolCounters counters = counters_.element(0);
  const std::vector<std::uint32_t> ring = ring_.to_vector();
  const std::vector<SegmentPage<R>*> table = table_.to_vector();
  std::vector<std::uint32_t> below = below_.to_vector();
  std::vector<StackEnd<R>> stacks(counts.size());
  auto next = segments.begin();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    StackEnd<R>& stack = stacks[k];
    const std::uint32_t in_pages = counts[k] - held(counts[k]);
    while (stack.count < in_pages) {
      SegmentPage<R> page{};
      const std::uint32_t n = std::min(segments_per_page, in_pages - stack.count);
      std::copy_n(next, n, page.segment);
      next += n;
      const std::uint32_t fresh = ring[counters.taken++ % ring.size()];
      below[fresh] = stack.page;
      stack.page = fresh;
      stack.count += n;
      copy_to_backend(table[stack.page / chunk_pages] + stack.page % chunk_pages, &page, sizeof(page));
    }
    for (; stack.count < counts[k]; ++stack.count, ++stack.held, ++next) {
      stack.segment[stack.held] = {next->signed_end, {next->kept_slope.x, next->kept_slope.y}};
    }
  }
  counters_.set_element(0, counters);
  below_.assign(below, what);
  return stacks;
}

template <class R>
StackStore<R>::Reader::Reader(const StackStore& store) : below_(store.below_.to_vector()) {
  for (const Buffer<SegmentPage<R>>& slab : store.slabs_) { slabs_.push_back(slab.to_vector()); }
  for (auto& slab : slabs_) {
    for (std::size_t page = 0; page < slab.size(); page += chunk_pages) { table_.push_back(slab.data() + page); }
  }
}

template <class R>
std::vector<JaegerSegment<R>> StackStore<R>::Reader::segments(const StackEnd<R>& stack) const {
  std::vector<JaegerSegment<R>> result(stack.count);
  std::uint32_t n = stack.count;
  for (std::uint32_t k = stack.held; k-- > 0;) {
    result[--n] = {stack.segment[k].end, {stack.segment[k].slope[0], stack.segment[k].slope[1]}};
  }
  for (std::uint32_t at = stack.page; n > 0;) {
    const SegmentPage<R>& page = table_[at / chunk_pages][at % chunk_pages];
    const std::uint32_t first = (n - 1) / segments_per_page * segments_per_page;
    std::copy_n(page.segment, n - first, result.begin() + first);
    at = below_[at];
    n = first;
  }
  return result;
}

template class StackStore<float>;
template class StackStore<double>;

}  // namespace scree::inline SCREE_BACKEND
