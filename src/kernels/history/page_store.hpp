#pragma once

#include <vector>

#include "kernels/backend/exec.hpp"
#include "kernels/history/page_pool.hpp"

/// The pool of pages as the driver sees it. It grows between two steps, never within one.
namespace scree::inline SCREE_BACKEND {

template <class Row>
class PageStore {
 public:
  /// Whether the run has such lists. If not, nothing is allocated.
  [[nodiscard]] bool any() const { return counters_.size() > 0; }
  void turn_on();

  [[nodiscard]] PagePool<Row> view();
  /// Grows the pool until at least `free_pages` are free, when `in_use` pages are taken. Lists stay in place. Throws
  /// BackendError.
  void reserve(Exec& exec, std::uint64_t free_pages, std::uint64_t in_use);
  /// Makes room for the slots of up to `contacts` contacts that a step defers.
  void make_waiting_room(std::size_t contacts);
  /// Frees all pages. Every existing list becomes invalid.
  void forget();

  [[nodiscard]] std::uint64_t pages() const { return n_pages_; }
  /// Waits for the backend.
  [[nodiscard]] std::uint64_t pages_in_use() const;
  [[nodiscard]] static constexpr std::uint64_t bytes_of(std::uint64_t pages) { return pages * sizeof(Page<Row>); }
  [[nodiscard]] std::uint64_t bytes() const {
    return bytes_of(n_pages_) + table_.bytes() + below_.bytes() + ring_.bytes() + counters_.bytes() + waiting_.bytes();
  }

  /// Copy of all pages, for reading lists on the host.
  class Reader {
   public:
    explicit Reader(const PageStore& store);
    [[nodiscard]] const Page<Row>& page(std::uint32_t i) const { return table_[i / chunk_pages][i % chunk_pages]; }
    /// Next lower page of the same list.
    [[nodiscard]] std::uint32_t below(std::uint32_t i) const { return below_[i]; }

   private:
    std::vector<std::vector<Page<Row>>> slabs_;
    std::vector<Page<Row>*> table_;
    std::vector<std::uint32_t> below_;
  };

  /// Fills free pages from the host, one by one; the pool must have enough of them. finish() makes the pages part of
  /// the pool.
  class Writer {
   public:
    explicit Writer(PageStore& store);
    /// Puts a page on top of a list whose uppermost page is `below`. Returns the number of the new page.
    [[nodiscard]] std::uint32_t add(const Page<Row>& page, std::uint32_t below);
    void finish();

   private:
    PageStore& store_;
    PoolCounters counters_;
    std::vector<std::uint32_t> ring_, below_;
    std::vector<Page<Row>*> table_;
  };

 private:
  friend struct StateScrambler;
  static constexpr std::uint64_t chunk_pages = std::uint64_t(1) << PagePool<Row>::chunk_bits;

  void grow(Exec& exec, std::uint64_t more_pages);

  std::vector<Buffer<Page<Row>>> slabs_;  ///< each of whole chunks
  Buffer<Page<Row>*> table_;
  Buffer<std::uint32_t> below_, ring_;
  Buffer<PoolCounters> counters_;
  Buffer<std::uint32_t> waiting_;  ///< [n_pairs] on a GPU
  std::uint64_t n_pages_ = 0;
};

}  // namespace scree::inline SCREE_BACKEND
