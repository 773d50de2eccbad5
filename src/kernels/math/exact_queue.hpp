#pragma once

#include <limits>

#include "kernels/math/exact_sum.hpp"

#if !SCREE_ON_CUDA

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace scree::inline SCREE_BACKEND {

/// Adds many doubles to an ExactSum, eight at a time and without rounding; only on the host. Numbers wait until there
/// are 128 of them. Those of similar size are then added in a window of 137 bits: each is cut into three parts, which
/// are multiples of three units, and each of eight lanes sums the parts of a unit in a double of its own. These sums
/// are whole multiples of their unit below 2^53, so they are exact, and so are the cuts (as in Demmel and Nguyen,
/// "Parallel reproducible summation", 2015). After 256 vectors, and when a number is too large for the window, the sums
/// go to the ExactSum; the window moves up with the numbers. A number that reaches below the window goes there at once.
/// Thus the window decides about the speed only. The empty queue has all bytes zero.
class ExactQueue {
 public:
  static constexpr std::size_t vector = 8;

  SCREE_INLINE void add(double value, ExactSum& sum) {
    if (value == 0) { return; }
    waiting_[n_waiting_++] = value;
    if (n_waiting_ >= enough) { add_waiting(sum); }
  }

  /// Adds factor * values[i] for i in [0, n). Up to seven values after them are read.
  template <class R>
  SCREE_INLINE void add(const R* values, std::size_t n, double factor, ExactSum& sum) {
    for (std::size_t k = 0; k < n; k += most_at_once) {
      wait(values + k, n - k < most_at_once ? n - k : most_at_once, factor);
      if (n_waiting_ >= enough) { add_waiting(sum); }
    }
  }

  /// Moves everything to `sum`.
  void finish(ExactSum& sum) {
    for (std::size_t k = 0; k < n_waiting_; ++k) { sum.add(waiting_[k]); }
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
  struct Parts {
    Eight high, middle, low;
    Bits rest;  ///< those of 0 or -0 where the three parts are the whole number
  };
  static constexpr std::size_t enough = 128, most_at_once = 64;
  static constexpr std::uint32_t vectors_per_window = 256;
  static constexpr std::int64_t all_but_sign = std::numeric_limits<std::int64_t>::max();

  /// Up to most_at_once products, unless all are 0.
  template <class R>
  SCREE_INLINE void wait(const R* values, std::size_t n, double factor) {
    Bits some{};
    double* const to = waiting_ + n_waiting_;
    for (std::size_t k = 0; k < n; k += vector) {
      const Eight x = eight(values + k) * factor;
      some |= bits_of(x);
      store(to + k, x);
    }
    n_waiting_ += any_but_sign(some) ? n : 0;
  }

  /// Adds whole vectors; fewer numbers than one vector has keep waiting.
  [[gnu::noinline]] void add_waiting(ExactSum& sum) {
    const std::size_t n = n_waiting_ / vector * vector;
    add_together(n, sum);
    store(waiting_, load(waiting_ + n));
    n_waiting_ -= n;
  }

  /// Adds the first n waiting numbers, which are whole vectors. Whether they fit into the window is tested once for all
  /// of them.
  void add_together(std::size_t n, ExactSum& sum) {
    const double size = largest_size(waiting_, n);
    if (size == 0) { return; }
    const auto vectors = static_cast<std::uint32_t>(n / vector);
    if (left_ < vectors || !(size < limit_)) {
      if (!open_window(size, sum)) {
        for (std::size_t i = 0; i < n; ++i) { sum.add(waiting_[i]); }
        return;
      }
    }
    left_ -= vectors;
    const Eight first = all(rounder_[0]), second = all(rounder_[1]), third = all(rounder_[2]);
    Bins bins = load_bins();
    Bits rest{};
    for (std::size_t k = 0; k < n; k += vector) {
      const Parts parts = cut(load(waiting_ + k), first, second, third);
      bins.high += parts.high;
      bins.middle += parts.middle;
      bins.low += parts.low;
      rest |= parts.rest;
    }
    if (any_but_sign(rest)) { return add_apart(n, sum); }
    store_bins(bins);
  }

  /// The same for numbers of which some reach below the window. Those go to the sum at once.
  [[gnu::noinline]] void add_apart(std::size_t n, ExactSum& sum) {
    Bins bins = load_bins();
    for (std::size_t k = 0; k < n; k += vector) {
      const Eight x = load(waiting_ + k);
      const Parts parts = cut(x, all(rounder_[0]), all(rounder_[1]), all(rounder_[2]));
      const Bits fits = (parts.rest & all_but_sign) == 0;
      bins.high += fits ? parts.high : Eight{};
      bins.middle += fits ? parts.middle : Eight{};
      bins.low += fits ? parts.low : Eight{};
      for (std::size_t i = 0; i < vector; ++i) {
        if (fits[i] == 0) { sum.add(x[i]); }
      }
    }
    store_bins(bins);
    reached_below_ = 1;
  }

  /// Makes a window that holds numbers up to this size, which is not 0. Returns false if there is none.
  [[gnu::noinline]] bool open_window(double size, ExactSum& sum) {
    empty_window(sum);
    if (!(size < 0x1p900)) { return false; }
    if (reached_below_) { limit_ = 0; }
    reached_below_ = 0;
    // A power of two between 2^8 and 2^9 times the largest number.
    const auto exponent = __builtin_bit_cast(std::uint64_t, size) >> 52;
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

  SCREE_INLINE static Eight all(double value) { return value - Eight{}; }
  SCREE_INLINE static Bits bits_of(const Eight& x) { return reinterpret_cast<Bits>(x); }

  template <class R>
  SCREE_INLINE static Eight eight(const R* values) {
#if defined(__AVX512F__)
    if constexpr (sizeof(R) == 4) { return _mm512_cvtps_pd(_mm256_loadu_ps(values)); }  // g++ takes five instructions
#endif
    typedef R Stored __attribute__((vector_size(vector * sizeof(R)), aligned(sizeof(R)), may_alias));
    return __builtin_convertvector(*reinterpret_cast<const Stored*>(values), Eight);
  }

  /// The parts of eight numbers in the three units, by their rounders.
  SCREE_INLINE static Parts cut(const Eight& x, const Eight& first, const Eight& second, const Eight& third) {
    Parts parts;
    parts.high = (x + first) - first;
    const Eight rest = x - parts.high;
    parts.middle = (rest + second) - second;
    const Eight more = rest - parts.middle;
    parts.low = (more + third) - third;
    parts.rest = bits_of(more - parts.low);
    return parts;
  }

  /// The largest size among n numbers, whole vectors; nan if one of them is nan. The bits of sizes have the order of
  /// the sizes.
  SCREE_INLINE static double largest_size(const double* values, std::size_t n) {
    Bits most{};
    for (std::size_t k = 0; k < n; k += vector) {
      const Bits size = bits_of(load(values + k)) & all_but_sign;
      most = size > most ? size : most;
    }
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < vector; ++i) { largest = most[i] > largest ? most[i] : largest; }
    return __builtin_bit_cast(double, largest);
  }

  /// Whether any of eight numbers with these bits is neither 0 nor -0.
  SCREE_INLINE static bool any_but_sign(const Bits& bits) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(bits), _mm512_set1_epi64(all_but_sign)) != 0;
#else
    std::int64_t some = 0;
    for (std::size_t i = 0; i < vector; ++i) { some |= bits[i]; }
    return (some & all_but_sign) != 0;
#endif
  }

  double bin_[3][vector];
  double rounder_[3];
  double limit_;                 ///< the window holds numbers of a smaller size
  std::uint32_t left_;           ///< vectors that may be added before the window is emptied
  std::uint32_t reached_below_;  ///< 1: a number has reached below the window
  std::size_t n_waiting_;
  double waiting_[enough + most_at_once + vector];
};

}  // namespace scree::inline SCREE_BACKEND

#endif
