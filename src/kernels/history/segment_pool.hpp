#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/history/jaeger_segment.hpp"
#include "kernels/state/stack_end.hpp"

/// Load histories of all contacts of a run in one pool of pages. A contact keeps the upper end of its stack itself
/// (JaegerTop); what lies below is in pages, which are linked from top to bottom. Addresses decide no result.
///
/// Free pages stand in a ring. A step takes pages at its head and gives others back at its tail, both by integer
/// atomics. It takes none that were given back in the same step: the driver sees before each batch of steps that there
/// are enough.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t segments_per_page = 8;

template <class R>
struct alignas(64) SegmentPage {
  JaegerSegment<R> segment[segments_per_page];
};
static_assert(sizeof(SegmentPage<float>) == 128 && sizeof(SegmentPage<double>) == 192);

struct PoolCounters {
  alignas(64) std::uint64_t taken = 0;    ///< pages, ever; place in the ring of the next free one
  alignas(64) std::uint64_t given = 0;    ///< pages, ever, those of the start among them
  alignas(64) std::uint64_t waiting = 0;  ///< contacts deferred in this step
};

/// View of the pool in kernels; empty in runs without such contacts.
template <class R>
struct SegmentPool {
  /// Pages are reached through a table of chunks, so that the pool grows in place.
  static constexpr std::uint32_t chunk_bits = 10;

  Span<SegmentPage<R>*> chunk;
  Span<std::uint32_t> below;  ///< [pages] the page below in the same stack, unless it is the lowest
  /// [pages + 1] a page that is taken in a step is not given back in the same: nothing is written over that may be read
  Span<std::uint32_t> ring;
  PoolCounters* counters = nullptr;
  /// [n_pairs] on a GPU: slots of contacts that need more than their record in this step
  Span<std::uint32_t> waiting;

  SCREE_INLINE bool any() const { return counters != nullptr; }
  SCREE_INLINE SegmentPage<R>& page(std::uint32_t i) const {
    return chunk[i >> chunk_bits][i & ((1u << chunk_bits) - 1)];
  }
  SCREE_INLINE std::uint32_t take() const { return ring[atomic_add(&counters->taken, std::uint64_t(1)) % ring.size]; }
  SCREE_INLINE void give(std::uint32_t i) const {
    ring[atomic_add(&counters->given, std::uint64_t(1)) % ring.size] = i;
  }

  SCREE_INLINE void defer(std::size_t slot) const {
    waiting[atomic_add(&counters->waiting, std::uint64_t(1))] = static_cast<std::uint32_t>(slot);
  }

  /// Gives all pages of a stack back.
  SCREE_HD void clear(StackEnd<R>& stack) const {
    for (std::uint32_t n = stack.count - stack.held; n > 0;) {
      const std::uint32_t next = below[stack.page];
      give(stack.page);
      stack.page = next;
      n = n > segments_per_page ? (n - 1) / segments_per_page * segments_per_page : 0;
    }
    stack = {};
  }
};

/// How many more pages a stack may come to hold within so many steps, each of which pushes one segment at most: `moved`
/// segments go to a page when there is no room any more, every other time to a fresh one.
template <class R>
SCREE_INLINE std::uint32_t pages_to_take(const StackEnd<R>& stack, std::uint32_t steps) {
  const std::uint32_t before = segments_held - stack.held;  // steps without a move
  const std::uint32_t moves = steps > before ? (steps - before - 1) / segments_moved + 1 : 0;
  const bool page_is_full = (stack.count - stack.held) % segments_per_page == 0;
  static_assert(segments_per_page == 2 * segments_moved);
  return (moves + (page_is_full ? 1u : 0u)) / 2;
}

/// The segments of one contact below its record, bottom to top. When no more can be held beside the contact, some of
/// them go to a page; and they come back when there are none.
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
    pool_.clear(stack_);
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
  /// Asks for what the next push or pop may find in a page.
  SCREE_INLINE void prefetch_for_push() const {
    if (stack_.held == segments_held && in_pages() % segments_per_page != 0) { prefetch(in_pages()); }
  }
  SCREE_INLINE void prefetch_for_pop() const {
    if (stack_.held <= 2 && in_pages() > 0) { prefetch(in_pages() - moved); }
  }
#endif

 private:
  static constexpr std::uint32_t none = 0xffffffffu, moved = segments_moved;
  static_assert(segments_per_page % moved == 0 && moved <= segments_held);

  SCREE_INLINE std::uint32_t in_pages() const { return stack_.count - stack_.held; }
  SCREE_INLINE JaegerSegment<R> held(std::uint32_t k) const {
    return {stack_.segment[k].end, {stack_.segment[k].slope[0], stack_.segment[k].slope[1]}};
  }
  SCREE_INLINE void hold(std::uint32_t k, const JaegerSegment<R>& segment) {
    stack_.segment[k] = {segment.signed_end, {segment.kept_slope.x, segment.kept_slope.y}};
  }

#if !SCREE_ON_CUDA
  /// So many segments, from the i-th, which is in the uppermost page.
  SCREE_INLINE void prefetch(std::uint32_t i) const {
    const JaegerSegment<R>* from = &pool_.page(stack_.page).segment[i % segments_per_page];
    __builtin_prefetch(from);
    __builtin_prefetch(from + (moved - 1));
  }
#endif

  SCREE_HD void make_room() {
    const std::uint32_t place = in_pages() % segments_per_page;
    if (place == 0) {
      const std::uint32_t fresh = pool_.take();
      pool_.below[fresh] = stack_.page;
      stack_.page = fresh;
    }
    for (std::uint32_t k = 0; k < moved; ++k) { pool_.page(stack_.page).segment[place + k] = held(k); }
    stack_.held -= moved;
    for (std::uint32_t k = 0; k < stack_.held; ++k) { hold(k, held(k + moved)); }
    seen_ = none;
  }
  SCREE_HD void fetch() {
    const std::uint32_t left = stack_.count - moved, place = left % segments_per_page;
    const SegmentPage<R>& page = pool_.page(stack_.page);
    for (std::uint32_t k = 0; k < moved; ++k) { hold(k, page.segment[place + k]); }
    if (place == 0) {
      const std::uint32_t empty = stack_.page;
      stack_.page = left > 0 ? pool_.below[empty] : 0;
      pool_.give(empty);
    }
    stack_.held = moved;
    seen_ = none;
  }

  /// From the page that was looked at last, when the wanted one is not above it.
  SCREE_HD JaegerSegment<R>& in_page(std::uint32_t i) const {
    const std::uint32_t wanted = i / segments_per_page;
    if (seen_ == none || wanted > seen_) {
      seen_ = (in_pages() - 1) / segments_per_page;
      seen_page_ = stack_.page;
    }
    for (; seen_ > wanted; --seen_) { seen_page_ = pool_.below[seen_page_]; }
    return pool_.page(seen_page_).segment[i % segments_per_page];
  }

  const SegmentPool<R>& pool_;
  StackEnd<R>& stack_;
  mutable std::uint32_t seen_ = none;  ///< place of a page among those of the stack, from below
  mutable std::uint32_t seen_page_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
