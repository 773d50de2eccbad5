#pragma once

#include "kernels/math/exact_sum.hpp"

#if !SCREE_ON_CUDA

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#endif

namespace scree::inline SCREE_BACKEND {

/// Adds many doubles to an ExactSum, eight at a time and without rounding; only on the host. Numbers of similar size
/// are first added in a window of 137 bits: each is cut into three parts, which are multiples of three units, and each
/// of eight lanes sums the parts of a unit in a double of its own. These sums are whole multiples of their unit below
/// 2^53, so they are exact, and so are the cuts (as in Demmel and Nguyen, "Parallel reproducible summation", 2015).
/// After 256 vectors, and when a number does not fit below the window, the sums go to the ExactSum; the window moves up
/// with the numbers. A number that reaches below the window goes there at once. Thus the window decides about the speed
/// only. The empty queue has all bytes zero.
class ExactQueue {
 public:
  static constexpr std::size_t vector = 8;

  SCREE_INLINE void add(double value, ExactSum& sum) {
    if (value == 0) { return; }
    waiting_[n_waiting_++] = value;
    if (n_waiting_ == most_waiting) { add_waiting(sum); }
  }

  /// Adds factor * values[i] for i in [0, n). Up to seven values after them are read.
  template <class R>
  SCREE_INLINE void add(const R* values, std::size_t n, double factor, ExactSum& sum) {
    typedef R Stored __attribute__((vector_size(vector * sizeof(R)), aligned(sizeof(R)), may_alias));
    Bins bins = load_bins();
    for (std::size_t k = 0; k < n; k += vector) {
      Eight eight = __builtin_convertvector(*reinterpret_cast<const Stored*>(values + k), Eight) * factor;
      if (n - k < vector) { eight = first_of(eight, n - k); }
      add_eight(eight, bins, sum);
    }
    store_bins(bins);
  }

  /// Moves everything to `sum`.
  void finish(ExactSum& sum) {
    for (std::uint32_t k = 0; k < n_waiting_; ++k) { sum.add(waiting_[k]); }
    n_waiting_ = 0;
    empty_window(sum);
    sum.carry();
  }

 private:
  typedef double Eight __attribute__((vector_size(vector * sizeof(double))));
  typedef double StoredEight __attribute__((vector_size(vector * sizeof(double)), aligned(8), may_alias));
  typedef std::int64_t Bits __attribute__((vector_size(vector * sizeof(double))));
  struct Bins {
    Eight high, middle, low;
  };
  static constexpr std::uint32_t most_waiting = 64;
  static constexpr std::uint32_t vectors_per_window = 256;

  [[gnu::noinline]] void add_waiting(ExactSum& sum) {
    n_waiting_ = 0;
    add(waiting_, most_waiting, 1, sum);
  }

  /// `bins` are those of the window, in registers.
  SCREE_INLINE void add_eight(const Eight& x, Bins& bins, ExactSum& sum) {
    if (all_equal(x, Eight{})) { return; }
    if (left_ == 0 || !all_below(x, limit_)) {
      store_bins(bins);
      const bool opened = open_window(x, sum);
      bins = load_bins();
      if (!opened) { return; }
    }
    --left_;
    const Eight high = (x + rounder_[0]) - rounder_[0], rest = x - high;
    const Eight middle = (rest + rounder_[1]) - rounder_[1], more = rest - middle;
    const Eight low = (more + rounder_[2]) - rounder_[2];
    if (!all_equal(low, more)) { return add_below_window(x, sum); }
    bins.high += high;
    bins.middle += middle;
    bins.low += low;
  }

  /// Makes a window that holds these numbers. Returns false if there is none, or none is needed, and they were added.
  [[gnu::noinline]] bool open_window(const Eight& x, ExactSum& sum) {
    empty_window(sum);
    double most = 0;
    bool fits = true;
    for (std::size_t i = 0; i < vector; ++i) {
      const double size = x[i] < 0 ? -x[i] : x[i];
      fits = fits && size < 0x1p900;
      most = size > most ? size : most;
    }
    if (!fits) {
      for (std::size_t i = 0; i < vector; ++i) { sum.add(x[i]); }
      return false;
    }
    if (most == 0) { return false; }
    if (reached_below_) { limit_ = 0; }
    reached_below_ = 0;
    // A power of two between 2^8 and 2^9 times the largest number.
    const auto exponent = __builtin_bit_cast(std::uint64_t, most) >> 52;
    const double wanted = __builtin_bit_cast(double, (exponent + 9) << 52);
    limit_ = wanted > limit_ ? wanted : limit_;
    limit_ = limit_ > 0x1p-900 ? limit_ : 0x1p-900;
    double unit = limit_ * 0x1p-45;
    for (double& rounder : rounder_) {
      rounder = 0x1.8p52 * unit;  // added and subtracted, this rounds to a multiple of the unit
      unit *= 0x1p-46;
    }
    left_ = vectors_per_window;
    return true;
  }

  [[gnu::noinline]] void add_below_window(const Eight& x, ExactSum& sum) {
    for (std::size_t i = 0; i < vector; ++i) { sum.add(x[i]); }
    reached_below_ = 1;
  }

  void empty_window(ExactSum& sum) {
    for (auto& bin : bin_) {
      for (double& lane : bin) {
        if (lane != 0) { sum.add(lane); }
        lane = 0;
      }
    }
    sum.carry();
    left_ = 0;
  }

  SCREE_INLINE static Eight load(const double* from) { return *reinterpret_cast<const StoredEight*>(from); }
  SCREE_INLINE static void store(double* to, const Eight& values) { *reinterpret_cast<StoredEight*>(to) = values; }
  SCREE_INLINE Bins load_bins() const { return {load(bin_[0]), load(bin_[1]), load(bin_[2])}; }
  SCREE_INLINE void store_bins(const Bins& bins) {
    store(bin_[0], bins.high);
    store(bin_[1], bins.middle);
    store(bin_[2], bins.low);
  }

  /// The first n numbers, zeros after them.
  SCREE_INLINE static Eight first_of(const Eight& x, std::size_t n) {
    const Bits number = {0, 1, 2, 3, 4, 5, 6, 7};
    return number < static_cast<std::int64_t>(n) ? x : Eight{};
  }

  /// Whether the sizes of all numbers are below a limit.
  SCREE_INLINE static bool all_below(const Eight& x, double limit) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    return _mm512_cmp_pd_mask(_mm512_abs_pd(x), _mm512_set1_pd(limit), _CMP_NLT_UQ) == 0;
#else
    bool below = true;
    for (std::size_t i = 0; i < vector; ++i) { below = (x[i] < limit && x[i] > -limit) && below; }
    return below;
#endif
  }
  SCREE_INLINE static bool all_equal(const Eight& x, const Eight& y) {
#if defined(__AVX512F__) && defined(__AVX512DQ__)
    return _mm512_cmp_pd_mask(x, y, _CMP_NEQ_UQ) == 0;
#else
    bool equal = true;
    for (std::size_t i = 0; i < vector; ++i) { equal = (x[i] == y[i]) && equal; }
    return equal;
#endif
  }

  double bin_[3][vector];
  double rounder_[3];
  double limit_;                 ///< the window holds numbers of a smaller size
  std::uint32_t left_;           ///< vectors that may be added before the window is emptied
  std::uint32_t reached_below_;  ///< 1: a number has reached below the window
  std::uint32_t n_waiting_;
  double waiting_[most_waiting];
};

}  // namespace scree::inline SCREE_BACKEND

#endif
