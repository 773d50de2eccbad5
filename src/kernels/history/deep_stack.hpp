#pragma once

#include "kernels/history/jaeger_segment.hpp"
#include "kernels/history/page_pool.hpp"
#include "kernels/state/stack_end.hpp"

/// The load history of a contact is a stack of segments. The record of the contact holds its upper end (JaegerTop),
/// some segments stand beside the contact (StackEnd), and all others are in pages.
namespace scree::inline SCREE_BACKEND {

template <class R>
using SegmentPool = PagePool<JaegerSegment<R>>;
template <class R>
using SegmentPage = Page<JaegerSegment<R>>;
static_assert(sizeof(SegmentPage<float>) == 128 && sizeof(SegmentPage<double>) == 192);

/// Gives back all pages of a stack and empties it.
template <class R>
SCREE_HD void give_back(const SegmentPool<R>& pool, StackEnd<R>& stack) {
  pool.give_list(stack.page, stack.count - stack.held);
  stack = {};
}

/// An upper bound of the number of further pages that a stack needs within `steps` steps, each of which pushes one
/// segment at most. When all places beside the contact are in use, segments_moved segments move to a page, every other
/// time to a new one.
template <class R>
SCREE_INLINE std::uint32_t pages_to_take(const StackEnd<R>& stack, std::uint32_t steps) {
  const std::uint32_t before = segments_held - stack.held;  // steps before segments move for the first time
  const std::uint32_t moves = steps > before ? (steps - before - 1) / segments_moved + 1 : 0;
  const bool page_is_full = (stack.count - stack.held) % rows_per_page == 0;
  static_assert(rows_per_page == 2 * segments_moved);
  return (moves + (page_is_full ? 1u : 0u)) / 2;
}

/// The segments of one contact below its record, bottom to top. When all places beside the contact are in use, some
/// segments move to a page. They come back when no segment is left beside the contact.
template <class R>
class DeepStack {
 public:
  SCREE_INLINE DeepStack(const SegmentPool<R>& pool, StackEnd<R>& stack) : pool_(pool), stack_(stack) {}

  SCREE_INLINE std::uint32_t size() const { return stack_.count; }
  SCREE_INLINE JaegerSegment<R> top() const {
    return stack_.held > 0 ? held(stack_.held - 1) : in_page(stack_.count - 1);
  }
  SCREE_INLINE void push(const JaegerSegment<R>& segment) {
    if (stack_.held == segments_held) { make_room(); }
    hold(stack_.held++, segment);
    ++stack_.count;
  }
  SCREE_INLINE void pop() {
    if (stack_.held == 0) { fetch(); }
    --stack_.held;
    --stack_.count;
  }
  SCREE_INLINE void clear() {
    give_back(pool_, stack_);
    seen_ = none;
  }
  SCREE_HD JaegerSegment<R> at(std::uint32_t i) const { return i >= in_pages() ? held(i - in_pages()) : in_page(i); }
  SCREE_HD void replace(std::uint32_t i, const JaegerSegment<R>& segment) {
    if (i >= in_pages()) {
      hold(i - in_pages(), segment);
    } else {
      in_page(i) = segment;
    }
  }
  SCREE_HD void erase(std::uint32_t i) {
    for (; i + 1 < stack_.count; ++i) { replace(i, at(i + 1)); }
    pop();
  }

#if !SCREE_ON_CUDA
  /// Prefetches the part of a page that the next push or pop may use.
  SCREE_INLINE void prefetch_for_push() const {
    if (stack_.held == segments_held && in_pages() % rows_per_page != 0) { prefetch(in_pages()); }
  }
  SCREE_INLINE void prefetch_for_pop() const {
    if (stack_.held <= 2 && in_pages() > 0) { prefetch(in_pages() - moved); }
  }
#endif

 private:
  static constexpr std::uint32_t none = 0xffffffffu, moved = segments_moved;
  static_assert(rows_per_page % moved == 0 && moved <= segments_held);

  SCREE_INLINE std::uint32_t in_pages() const { return stack_.count - stack_.held; }
  SCREE_INLINE JaegerSegment<R> held(std::uint32_t k) const {
    return {stack_.segment[k].end, {stack_.segment[k].slope[0], stack_.segment[k].slope[1]}};
  }
  SCREE_INLINE void hold(std::uint32_t k, const JaegerSegment<R>& segment) {
    stack_.segment[k] = {segment.signed_end, {segment.kept_slope.x, segment.kept_slope.y}};
  }

#if !SCREE_ON_CUDA
  /// Prefetches `moved` segments from the i-th on, which is in the uppermost page.
  SCREE_INLINE void prefetch(std::uint32_t i) const {
    const JaegerSegment<R>* from = &pool_.page(stack_.page).row[i % rows_per_page];
    __builtin_prefetch(from);
    __builtin_prefetch(from + (moved - 1));
  }
#endif

  SCREE_HD void make_room() {
    const std::uint32_t place = in_pages() % rows_per_page;
    if (place == 0) {
      const std::uint32_t fresh = pool_.take();
      pool_.below[fresh] = stack_.page;
      stack_.page = fresh;
    }
    for (std::uint32_t k = 0; k < moved; ++k) { pool_.page(stack_.page).row[place + k] = held(k); }
    stack_.held -= moved;
    for (std::uint32_t k = 0; k < stack_.held; ++k) { hold(k, held(k + moved)); }
    seen_ = none;
  }
  SCREE_HD void fetch() {
    const std::uint32_t left = stack_.count - moved, place = left % rows_per_page;
    const SegmentPage<R>& page = pool_.page(stack_.page);
    for (std::uint32_t k = 0; k < moved; ++k) { hold(k, page.row[place + k]); }
    if (place == 0) {
      const std::uint32_t empty = stack_.page;
      stack_.page = left > 0 ? pool_.below[empty] : 0;
      pool_.give(empty);
    }
    stack_.held = moved;
    seen_ = none;
  }

  /// Segment i. The search starts at the page that was used last, unless the wanted page is above it.
  SCREE_HD JaegerSegment<R>& in_page(std::uint32_t i) const {
    const std::uint32_t wanted = i / rows_per_page;
    if (seen_ == none || wanted > seen_) {
      seen_ = (in_pages() - 1) / rows_per_page;
      seen_page_ = stack_.page;
    }
    for (; seen_ > wanted; --seen_) { seen_page_ = pool_.below[seen_page_]; }
    return pool_.page(seen_page_).row[i % rows_per_page];
  }

  const SegmentPool<R>& pool_;
  StackEnd<R>& stack_;
  /// index of the page used last among the pages of the stack, counted from the lowest
  mutable std::uint32_t seen_ = none;
  mutable std::uint32_t seen_page_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
