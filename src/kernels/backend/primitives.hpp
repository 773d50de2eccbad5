#pragma once

#include "kernels/backend/exec.hpp"
#include "kernels/math/vec3.hpp"

/// Sort, scan, reduce: CUB on CUDA, Thrust on the host. All are deterministic: integers, minima and maxima only.
namespace scree::inline SCREE_BACKEND {

/// Box around positions; where there are none, min is above max.
struct PositionBounds {
  Vec3d min, max;
};

inline constexpr double farthest_place = 1e29;  ///< [m] bounds leave out what lies beyond: removed bodies

/// Reusable scratch memory of the primitives.
class Primitives {
 public:
  explicit Primitives(const Exec& exec) : threads_(exec.threads()) {}

  /// Sorts (key, value) by key, stable, in ascending order; only the lowest `bits` of the keys are used.
  void sort_by_key(Buffer<std::uint64_t>& keys, Buffer<index_t>& values, std::size_t n, int bits);
  /// counts[0..n) becomes its exclusive sum, counts[n] the total, which is returned.
  offset_t exclusive_scan(Buffer<offset_t>& counts, std::size_t n);
  [[nodiscard]] PositionBounds bounds(Span<Vec3d> positions, std::size_t n);
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
