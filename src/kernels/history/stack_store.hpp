#pragma once

#include <vector>

#include "kernels/history/deep_stack.hpp"
#include "kernels/history/page_store.hpp"

/// The pages of load histories as the driver sees them: how many the stacks of a run may come to need, and stacks that
/// the host reads or makes.
namespace scree::inline SCREE_BACKEND {

template <class R>
class StackStore {
 public:
  /// Whether some law of the run has load histories; without, nothing is allocated.
  [[nodiscard]] bool any() const { return pages_.any(); }
  void turn_on() { pages_.turn_on(); }

  [[nodiscard]] SegmentPool<R> view() { return pages_.view(); }
  /// Makes the pool so large that this many pages are free. Stacks stay where they are. Throws BackendError.
  void reserve(Exec& exec, std::uint64_t free_pages);
  /// Makes it large enough for the next steps of these stacks, at most so many. `step` and `list` tell when it was
  /// asked before and for which neighbour list. Throws BackendError.
  void reserve_for_steps(Exec& exec, Span<StackEnd<R>> of_pairs, Span<StackEnd<R>> of_boundaries, std::uint64_t steps,
                         std::uint64_t step, std::uint64_t list);
  // fewer free pages, but more looks
  static constexpr std::uint64_t most_steps_ahead = Exec::asynchronous() ? 8 : 4;
  /// Frees all pages. Every StackEnd that is still about becomes invalid.
  void reset();

  /// Stacks with these segments, bottom to top, one after another. Between reset() and the first step.
  [[nodiscard]] std::vector<StackEnd<R>> fill(Exec& exec, const std::vector<std::uint32_t>& counts,
                                              const std::vector<JaegerSegment<R>>& segments);

  [[nodiscard]] std::uint64_t pages() const { return pages_.pages(); }
  [[nodiscard]] std::uint64_t pages_in_use() const { return pages_.pages_in_use(); }
  [[nodiscard]] static std::uint64_t bytes_of(std::uint64_t pages) { return Pages::bytes_of(pages); }
  /// The most that were in use when the pool was looked at, every so many steps.
  [[nodiscard]] std::uint64_t most_in_use() const { return most_in_use_; }
  [[nodiscard]] std::uint64_t bytes() const { return pages_.bytes(); }

  /// All pages, copied, to read stacks from.
  class Reader {
   public:
    explicit Reader(const StackStore& store) : pages_(store.pages_) {}
    /// Bottom to top.
    [[nodiscard]] std::vector<JaegerSegment<R>> segments(const StackEnd<R>& stack) const;

   private:
    typename PageStore<JaegerSegment<R>>::Reader pages_;
  };

 private:
  friend struct StateScrambler;
  using Pages = PageStore<JaegerSegment<R>>;

  Pages pages_;
  Buffer<std::uint64_t> lanes_;  ///< work space
  std::uint64_t most_in_use_ = 0;
  /// step up to which the free pages last, with this neighbour list
  std::uint64_t enough_until_ = 0, enough_for_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
