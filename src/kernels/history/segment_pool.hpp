#pragma once

#include "kernels/backend/buffer.hpp"
#include "kernels/history/jaeger_segment.hpp"
#include "kernels/state/stack_handle.hpp"

/// Load histories of all contacts of a run in one pool of pages. A contact keeps the upper end of its stack itself (JaegerTop); what lies
/// below is in pages, each of which knows the one below it. Addresses decide no result.
///
/// Free pages stand in a ring. A step takes pages at its head and gives others back at its tail, both by integer atomics. It takes none that
/// were given back in the same step: the driver sees before each batch of steps that there are enough.
namespace scree::inline SCREE_BACKEND {

inline constexpr std::uint32_t segments_per_page = 8;

template <class R>
struct SegmentPage {
  JaegerSegment<R> segment[segments_per_page];
  std::uint32_t below;   ///< page below, unless this is the lowest
  std::uint32_t unused;
};
static_assert(sizeof(SegmentPage<float>) == 136 && sizeof(SegmentPage<double>) == 200);

struct PoolCounters {
  alignas(64) std::uint64_t taken = 0;  ///< pages, ever; place in the ring of the next free one
  alignas(64) std::uint64_t given = 0;  ///< pages, ever, those of the start among them
};

/// View of the pool in kernels; empty in runs without such contacts.
template <class R>
struct SegmentPool {
  static constexpr std::uint32_t chunk_bits = 10;  ///< pages are reached through a table of chunks, so that the pool grows in place

  Span<SegmentPage<R>*> chunk;
  Span<std::uint32_t> ring;  ///< its length is a power of two, at least twice the number of pages
  PoolCounters* counters = nullptr;

  SCREE_INLINE bool any() const { return counters != nullptr; }
  SCREE_INLINE SegmentPage<R>& page(std::uint32_t i) const { return chunk[i >> chunk_bits][i & ((1u << chunk_bits) - 1)]; }
  SCREE_INLINE std::uint32_t take() const { return ring[atomic_add(&counters->taken, std::uint64_t(1)) & (ring.size - 1)]; }
  SCREE_INLINE void give(std::uint32_t i) const { ring[atomic_add(&counters->given, std::uint64_t(1)) & (ring.size - 1)] = i; }

  /// Gives all pages of a stack back.
  SCREE_HD void clear(StackHandle& handle) const {
    for (std::uint32_t n = handle.count; n > 0;) {
      const std::uint32_t below = page(handle.page).below;
      give(handle.page);
      handle.page = below;
      n = n > segments_per_page ? (n - 1) / segments_per_page * segments_per_page : 0;
    }
    handle = {};
  }
};

/// The segments of one contact that are in pages, bottom to top.
template <class R>
class DeepStack {
 public:
  SCREE_INLINE DeepStack(const SegmentPool<R>& pool, StackHandle& handle) : pool_(pool), handle_(handle) {}

  SCREE_INLINE std::uint32_t size() const { return handle_.count; }
  SCREE_INLINE JaegerSegment<R> top() const { return pool_.page(handle_.page).segment[(handle_.count - 1) % segments_per_page]; }
  SCREE_INLINE void push(const JaegerSegment<R>& segment) {
    const std::uint32_t place = handle_.count % segments_per_page;
    if (place == 0) {
      const std::uint32_t fresh = pool_.take();
      pool_.page(fresh).below = handle_.page;
      handle_.page = fresh;
    }
    pool_.page(handle_.page).segment[place] = segment;
    ++handle_.count;
    forget();
  }
  SCREE_INLINE void pop() {
    --handle_.count;
    if (handle_.count % segments_per_page == 0) {
      const std::uint32_t empty = handle_.page;
      handle_.page = handle_.count > 0 ? pool_.page(empty).below : 0;
      pool_.give(empty);
    }
    forget();
  }
  SCREE_INLINE void clear() {
    pool_.clear(handle_);
    forget();
  }
  SCREE_HD JaegerSegment<R> at(std::uint32_t i) const { return place(i); }
  SCREE_HD void replace(std::uint32_t i, const JaegerSegment<R>& segment) { place(i) = segment; }
  SCREE_HD void erase(std::uint32_t i) {
    for (; i + 1 < handle_.count; ++i) {
      const JaegerSegment<R> above = place(i + 1);
      place(i) = above;
    }
    pop();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  SCREE_INLINE void forget() { seen_ = none; }

  /// From the page that was looked at last, when the wanted one is not above it.
  SCREE_HD JaegerSegment<R>& place(std::uint32_t i) const {
    const std::uint32_t wanted = i / segments_per_page;
    if (seen_ == none || wanted > seen_) {
      seen_ = (handle_.count - 1) / segments_per_page;
      seen_page_ = handle_.page;
    }
    for (; seen_ > wanted; --seen_) { seen_page_ = pool_.page(seen_page_).below; }
    return pool_.page(seen_page_).segment[i % segments_per_page];
  }

  const SegmentPool<R>& pool_;
  StackHandle& handle_;
  mutable std::uint32_t seen_ = none;  ///< place of a page among those of the stack, from below
  mutable std::uint32_t seen_page_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
