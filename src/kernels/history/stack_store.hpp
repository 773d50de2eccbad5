#pragma once

#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/history/segment_pool.hpp"

/// The pool of load histories as the driver sees it: it grows between two steps, never within one.
namespace scree::inline SCREE_BACKEND {

template <class R>
class StackStore {
 public:
  /// Whether some law of the run has load histories; without, nothing is allocated.
  [[nodiscard]] bool any() const { return counters_.size() > 0; }
  void turn_on();

  [[nodiscard]] SegmentPool<R> view();
  /// Makes the pool so large that this many pages are free. Stacks stay where they are. Throws BackendError.
  void reserve(Exec& exec, std::uint64_t free_pages);
  /// Makes it large enough for the next steps of these stacks, at most so many. `step` and `list` tell when it was
  /// asked before and for which neighbour list. Throws BackendError.
  void reserve_for_steps(Exec& exec, Span<StackEnd<R>> of_pairs, Span<StackEnd<R>> of_boundaries, std::uint64_t steps,
                         std::uint64_t step, std::uint64_t list);
  // fewer free pages, but more looks
  static constexpr std::uint64_t most_steps_ahead = Exec::asynchronous() ? 8 : 4;
  /// Forgets all stacks; ends that are still about are of no meaning.
  void reset();

  /// Stacks with these segments, bottom to top, one after another. Between reset() and the first step.
  [[nodiscard]] std::vector<StackEnd<R>> fill(Exec& exec, const std::vector<std::uint32_t>& counts,
                                              const std::vector<JaegerSegment<R>>& segments);

  [[nodiscard]] std::uint64_t pages() const { return n_pages_; }
  [[nodiscard]] std::uint64_t pages_in_use() const;
  [[nodiscard]] static std::uint64_t bytes_of(std::uint64_t pages) { return pages * sizeof(SegmentPage<R>); }
  /// The most that were in use when the pool was looked at, every so many steps.
  [[nodiscard]] std::uint64_t most_in_use() const { return most_in_use_; }
  [[nodiscard]] std::uint64_t bytes() const {
    return n_pages_ * sizeof(SegmentPage<R>) + table_.bytes() + below_.bytes() + ring_.bytes() + counters_.bytes() +
           waiting_.bytes();
  }

  /// All pages, copied, to read stacks from.
  class Reader {
   public:
    explicit Reader(const StackStore& store);
    /// Bottom to top.
    [[nodiscard]] std::vector<JaegerSegment<R>> segments(const StackEnd<R>& stack) const;

   private:
    std::vector<std::vector<SegmentPage<R>>> slabs_;
    std::vector<SegmentPage<R>*> table_;
    std::vector<std::uint32_t> below_;
  };

 private:
  friend struct StateScrambler;
  static constexpr std::uint64_t chunk_pages = std::uint64_t(1) << SegmentPool<R>::chunk_bits;

  void reserve(Exec& exec, std::uint64_t free_pages, std::uint64_t in_use);
  void grow(Exec& exec, std::uint64_t more_pages);

  std::vector<Buffer<SegmentPage<R>>> slabs_;  ///< of whole chunks each
  Buffer<SegmentPage<R>*> table_;
  Buffer<std::uint32_t> below_, ring_;
  Buffer<PoolCounters> counters_;
  Buffer<std::uint64_t> lanes_;    ///< work space
  Buffer<std::uint32_t> waiting_;  ///< [n_pairs] on a GPU
  std::uint64_t n_pages_ = 0, most_in_use_ = 0;
  /// step up to which the free pages last, with this neighbour list
  std::uint64_t enough_until_ = 0, enough_for_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
