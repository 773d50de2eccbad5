#pragma once

#include "kernels/backend/exec.hpp"

/// Sort, scan, reduce: CUB on CUDA, Thrust on the host. All are deterministic: integers, minima and maxima only.
namespace scree::inline SCREE_BACKEND {

/// The primitives, and their reusable work space.
class Primitives {
 public:
  explicit Primitives(const Exec& exec) : threads_(exec.threads()) {}

  /// Stable sort of (key, value) by key, ascending. Only the lowest `bits` of the keys are used.
  void sort_by_key(Buffer<std::uint64_t>& keys, Buffer<index_t>& values, std::size_t n, int bits);
  /// Replaces counts[0..n) by its exclusive sum and counts[n] by the total. The host does not wait for it.
  void exclusive_scan(Span<offset_t> counts, std::size_t n);
  /// The same; waits for the total and returns it.
  [[nodiscard]] offset_t exclusive_scan_total(Buffer<offset_t>& counts, std::size_t n) {
    exclusive_scan(counts.view(), n);
    return counts.element(n);
  }
  /// sums[i] = start[i] + counts[0] + ... + counts[i - 1] for i in [0, n]; start[0] is 0. The host does not wait for
  /// it.
  void exclusive_scan_onto(Span<offset_t> start, Span<std::uint32_t> counts, Span<offset_t> sums, std::size_t n);
  template <class R>
  [[nodiscard]] R maximum(Span<R> values, std::size_t n);
  template <class R>
  [[nodiscard]] R minimum(Span<R> values, std::size_t n);
  [[nodiscard]] std::uint64_t sum(Span<std::uint8_t> values, std::size_t n);
  [[nodiscard]] std::size_t bytes() const { return scratch_.bytes() + keys_.bytes() + values_.bytes(); }

 private:
  [[maybe_unused]] int threads_;
  Buffer<std::uint8_t> scratch_;
  Buffer<std::uint64_t> keys_;
  Buffer<index_t> values_;
};

}  // namespace scree::inline SCREE_BACKEND
