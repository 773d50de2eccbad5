#pragma once

#include <vector>

#include "kernels/history/deep_stack.hpp"
#include "kernels/history/page_store.hpp"

/// The pages of load histories as the driver sees them: how many the stacks of a run may need, and stacks that the host
/// reads or builds.
namespace scree::inline SCREE_BACKEND {

template <class R>
class StackStore {
 public:
  /// Whether some law of the run has load histories. If not, nothing is allocated.
  [[nodiscard]] bool any() const { return pages_.any(); }
  void turn_on() { pages_.turn_on(); }

  [[nodiscard]] SegmentPool<R> view() { return pages_.view(); }
  /// Grows the pool until at least `free_pages` are free. Stacks stay where they are. Throws BackendError.
  void reserve(Exec& exec, std::uint64_t free_pages);
  /// Grows the pool so that it suffices for the next steps of these stacks. Returns the number of these steps, which is
  /// at most `steps`. `step` is the index of the next step and `list` identifies the neighbour list; both tell whether
  /// an earlier count is still valid. Throws BackendError.
  [[nodiscard]] std::uint64_t reserve_for_steps(Exec& exec, Span<StackEnd<R>> of_pairs, Span<StackEnd<R>> of_boundaries,
                                                std::uint64_t steps, std::uint64_t step, std::uint64_t list);
  /// The number of free pages below which a batch of these steps must halt, see StepEnd; 0 if no step need check.
  [[nodiscard]] std::uint64_t least_free() const { return least_free_; }
  /// Takes the number of pages that were free after the last step.
  void note_free(std::uint64_t free_pages);
  // A smaller number needs fewer free pages, but checks them more often.
  static constexpr std::uint64_t most_steps_ahead = Exec::asynchronous() ? 8 : 4;
  /// Frees all pages. Every existing StackEnd becomes invalid.
  void forget();

  /// Builds stacks of `counts` segments each. `segments` holds them stack after stack, bottom to top. To be called
  /// between forget() and the first step.
  [[nodiscard]] std::vector<StackEnd<R>> fill(Exec& exec, const std::vector<std::uint32_t>& counts,
                                              const std::vector<JaegerSegment<R>>& segments);

  [[nodiscard]] std::uint64_t pages() const { return pages_.pages(); }
  [[nodiscard]] std::uint64_t pages_in_use() const { return pages_.pages_in_use(); }
  [[nodiscard]] static std::uint64_t bytes_of(std::uint64_t pages) { return Pages::bytes_of(pages); }
  /// Largest number of pages in use at any of the checks, which are some steps apart.
  [[nodiscard]] std::uint64_t most_in_use() const { return most_in_use_; }
  [[nodiscard]] std::uint64_t bytes() const { return pages_.bytes(); }

  /// Copy of all pages, for reading stacks on the host.
  class Reader {
   public:
    explicit Reader(const StackStore& store) : pages_(store.pages_) {}
    /// The segments of a stack, bottom to top.
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
  std::uint64_t free_ = 0;  ///< lower bound of the number of free pages
  std::uint64_t least_free_ = 0;
  /// the free pages suffice up to this step, with this neighbour list
  std::uint64_t enough_until_ = 0, enough_for_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
