#include "kernels/history/stack_store.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/backend/lanes.hpp"

namespace scree::inline SCREE_BACKEND {

namespace {

/// Number of horizons, in steps ahead, for which needed pages are counted.
constexpr std::size_t n_horizons = 4;
SCREE_INLINE std::uint32_t horizon(std::size_t k) {
  return static_cast<std::uint32_t>(StackStore<float>::most_steps_ahead) << k;
}

/// Sums, for each horizon and lane, the pages that stacks may need.
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

}  // namespace

template <class R>
void StackStore<R>::reserve(Exec& exec, std::uint64_t free_pages) {
  if (any()) { pages_.reserve(exec, free_pages, pages_in_use()); }
}

template <class R>
void StackStore<R>::note_free(std::uint64_t free_pages) {
  if (!any()) { return; }
  free_ = free_pages;
  most_in_use_ = std::max(most_in_use_, pages() - free_);
}

/// A contact takes at most one page in most_steps_ahead steps, so one free page for each contact is enough. While
/// histories are short, this is little memory, and each step of a batch checks that it still holds. Otherwise it pays
/// to count the pages.
template <class R>
std::uint64_t StackStore<R>::reserve_for_steps(Exec& exec, Span<StackEnd<R>> of_pairs, Span<StackEnd<R>> of_boundaries,
                                               std::uint64_t steps, std::uint64_t step, std::uint64_t list) {
  static_assert(most_steps_ahead <= rows_per_page);
  const std::uint64_t contacts = of_pairs.size + of_boundaries.size;
  least_free_ = 0;
  if (!any()) { return steps; }
  if (Exec::asynchronous()) {
    pages_.make_waiting_room(of_pairs.size);
    if (free_ >= contacts) {
      least_free_ = contacts;
      return steps;
    }
  }
  const std::uint64_t few = std::min(steps, most_steps_ahead);
  if (contacts == 0 || (list == enough_for_ && step + few <= enough_until_)) { return few; }
  const std::uint64_t in_use = pages_in_use();
  note_free(pages() - in_use);
  if (in_use < rows_per_page * contacts) {
    if (free_ < contacts) { pages_.reserve(exec, contacts + (Exec::asynchronous() ? contacts / 8 : 0), in_use); }
    free_ = pages() - in_use;
  }
  if (free_ >= contacts) {
    least_free_ = Exec::asynchronous() ? contacts : 0;
    return Exec::asynchronous() ? steps : few;
  }
  lanes_.assign(std::vector<std::uint64_t>(n_horizons * n_lanes), "load histories");
  for (const Span<StackEnd<R>>& stacks : {of_pairs, of_boundaries}) {
    exec.for_lanes("count pages", n_lanes, stacks.size, PagesToTake<R>{stacks, lanes_.view()}, stacks.size * 16);
  }
  const auto sums = lanes_.to_vector();
  const auto wanted = [&](std::size_t k) {
    const auto begin = sums.begin() + static_cast<std::ptrdiff_t>(k * n_lanes);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(n_lanes), std::uint64_t(0));
  };
  pages_.reserve(exec, wanted(0), in_use);
  free_ = pages() - in_use;
  for (std::size_t k = 0; k < n_horizons && wanted(k) <= free_; ++k) { enough_until_ = step + horizon(k); }
  enough_for_ = list;
  return few;
}

template <class R>
void StackStore<R>::forget() {
  pages_.forget();
  enough_until_ = 0;
  free_ = 0;
}

template <class R>
std::vector<StackEnd<R>> StackStore<R>::fill(Exec& exec, const std::vector<std::uint32_t>& counts,
                                             const std::vector<JaegerSegment<R>>& segments) {
  // Segments go to pages in groups of this size.
  constexpr std::uint32_t some = segments_moved;
  const auto held = [](std::uint32_t count) { return count < some ? count : count % some; };
  std::uint64_t wanted = 0;
  for (const std::uint32_t count : counts) {
    wanted += (std::uint64_t(count) - held(count) + rows_per_page - 1) / rows_per_page;
  }
  reserve(exec, wanted);
  typename Pages::Writer pages(pages_);
  std::vector<StackEnd<R>> stacks(counts.size());
  auto next = segments.begin();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    StackEnd<R>& stack = stacks[k];
    const std::uint32_t in_pages = counts[k] - held(counts[k]);
    while (stack.count < in_pages) {
      SegmentPage<R> page{};
      const std::uint32_t n = std::min(rows_per_page, in_pages - stack.count);
      std::copy_n(next, n, page.row);
      next += n;
      stack.page = pages.add(page, stack.page);
      stack.count += n;
    }
    for (; stack.count < counts[k]; ++stack.count, ++stack.held, ++next) {
      stack.segment[stack.held] = {next->signed_end, {next->kept_slope.x, next->kept_slope.y}};
    }
  }
  pages.finish();
  free_ = 0;
  return stacks;
}

template <class R>
std::vector<JaegerSegment<R>> StackStore<R>::Reader::segments(const StackEnd<R>& stack) const {
  std::vector<JaegerSegment<R>> result(stack.count);
  std::uint32_t n = stack.count;
  for (std::uint32_t k = stack.held; k-- > 0;) {
    result[--n] = {stack.segment[k].end, {stack.segment[k].slope[0], stack.segment[k].slope[1]}};
  }
  for (std::uint32_t at = stack.page; n > 0;) {
    const SegmentPage<R>& page = pages_.page(at);
    const std::uint32_t first = (n - 1) / rows_per_page * rows_per_page;
    std::copy_n(page.row, n - first, result.begin() + first);
    at = pages_.below(at);
    n = first;
  }
  return result;
}

template class StackStore<float>;
template class StackStore<double>;

}  // namespace scree::inline SCREE_BACKEND
