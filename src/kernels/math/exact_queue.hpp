#pragma once

#include <limits>

#include "kernels/math/exact_sum.hpp"

#if !SCREE_ON_CUDA

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace scree::inline SCREE_BACKEND {

/// Adds many doubles to an ExactSum, eight at a time and without rounding; only on the host. Numbers of similar size
/// are added in a window of 137 bits: each is cut into three parts, which are multiples of three units, and each of
/// eight lanes sums the parts of a unit in a double of its own. These sums are whole multiples of their unit below
/// 2^53, so they are exact, and so are the cuts (as in Demmel and Nguyen, "Parallel reproducible summation", 2015).
/// After 256 vectors, and when a number is too large for the window, the sums go to the ExactSum; the next window fits
/// the numbers of the last one. A number that reaches below the window goes to the ExactSum at once. Thus the window
/// decides about the speed only.
///
/// Nearly all numbers are whole after two parts. So up to 64 numbers are added in one pass, which cuts off two parts
/// and then tests whether all of these numbers are whole and fit into the window. If not, nothing has changed, and they
/// are added again in three parts, as are all others until the next window. Single numbers wait until there are 128 of
/// them. The empty queue has all bytes zero.
class ExactQueue {
 public:
  static constexpr std::size_t vector = 8;

  SCREE_INLINE void add(double value, ExactSum& sum) {
    if (value == 0) { return; }
    waiting_[n_waiting_++] = value;
    if (n_waiting_ == enough) { add_waiting(sum); }
  }

  /// Adds factor * values[i] for i in [0, n). Up to seven values after them are read.
  template <class R>
  SCREE_INLINE void add(const R* values, std::size_t n, double factor, ExactSum& sum) {
    for (std::size_t k = 0; k < n; k += most_at_once) {
      add_some(values + k, n - k < most_at_once ? n - k : most_at_once, factor, sum);
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

  /// Adds up to most_at_once products.
  template <class R>
  [[gnu::noinline]] void add_some(const R* values, std::size_t n, double factor, ExactSum& sum) {
    if (are_zero(values, n) || add_in_two_parts(values, n, factor)) { return; }
    double product[most_at_once];
    std::size_t k = 0;
    for (; k < n; k += vector) { store(product + k, first_of(eight(values + k) * factor, n - k)); }
    add_together(product, k, sum);
  }

  /// Adds up to most_at_once products if all of them fit into the window and are whole after two parts. Otherwise
  /// returns false.
  template <class R>
  SCREE_INLINE bool add_in_two_parts(const R* values, std::size_t n, double factor) {
    const auto vectors = static_cast<std::uint32_t>((n + vector - 1) / vector);
    if (takes_three_ != 0 || left_ < vectors) { return false; }
    const Eight first = all(rounder_[0]), second = all(rounder_[1]);
    Eight high = load(bin_[0]), middle = load(bin_[1]);
    Bits largest = bits_of(load(largest_)), rest{};
    const auto take = [&](const Eight& x) __attribute__((always_inline)) {
      const Bits size = bits_of(x) & all_but_sign;
      largest = size > largest ? size : largest;
      const Eight upper = (x + first) - first, more = x - upper, lower = (more + second) - second;
      high += upper;
      middle += lower;
      rest |= bits_of(more - lower);
    };
    std::size_t k = 0;
    for (; k + vector <= n; k += vector) { take(eight(values + k) * factor); }
    if (k < n) { take(first_of(eight(values + k) * factor, n - k)); }
    if (any_but_sign(largest >= __builtin_bit_cast(std::int64_t, limit_))) { return false; }
    takes_three_ = any_but_sign(rest) ? 1 : 0;
    if (takes_three_ != 0) { return false; }
    left_ -= vectors;
    store(largest_, reinterpret_cast<Eight>(largest));
    store(bin_[0], high);
    store(bin_[1], middle);
    return true;
  }

  [[gnu::noinline]] void add_waiting(ExactSum& sum) {
    add_together(waiting_, n_waiting_, sum);
    n_waiting_ = 0;
  }

  /// Adds n numbers, which are whole vectors, in three parts. Whether they fit into the window is tested once for all
  /// of them.
  [[gnu::noinline]] void add_together(const double* values, std::size_t n, ExactSum& sum) {
    const double size = largest_size(values, n);
    if (size == 0) { return; }
    const auto vectors = static_cast<std::uint32_t>(n / vector);
    if (left_ < vectors || !(size < limit_)) {
      if (!open_window(size, sum)) {
        for (std::size_t i = 0; i < n; ++i) { sum.add(values[i]); }
        return;
      }
    }
    left_ -= vectors;
    largest_[0] = size > largest_[0] ? size : largest_[0];
    const Eight first = all(rounder_[0]), second = all(rounder_[1]), third = all(rounder_[2]);
    Bins bins = load_bins();
    Bits rest{};
    for (std::size_t k = 0; k < n; k += vector) {
      const Parts parts = cut(load(values + k), first, second, third);
      bins.high += parts.high;
      bins.middle += parts.middle;
      bins.low += parts.low;
      rest |= parts.rest;
    }
    if (any_but_sign(rest)) { return add_apart(values, n, sum); }
    store_bins(bins);
  }

  /// The same for numbers of which some reach below the window. Those go to the sum at once.
  [[gnu::noinline]] void add_apart(const double* values, std::size_t n, ExactSum& sum) {
    Bins bins = load_bins();
    for (std::size_t k = 0; k < n; k += vector) {
      const Eight x = load(values + k);
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
  }

  /// Makes a window that holds numbers up to this size, which is not 0, and up to the sizes in the last window. Returns
  /// false if there is none.
  [[gnu::noinline]] bool open_window(double size, ExactSum& sum) {
    empty_window(sum);
    if (!(size < 0x1p900)) { return false; }
    const double before = largest_size(largest_, vector), most = size > before ? size : before;
    // A power of two between 2^8 and 2^9 times the largest number.
    const auto exponent = __builtin_bit_cast(std::uint64_t, most) >> 52;
    const double wanted = __builtin_bit_cast(double, (exponent + 9) << 52);
    limit_ = wanted > 0x1p-900 ? wanted : 0x1p-900;
    double unit = limit_ * 0x1p-45;
    for (double& rounder : rounder_) {
      rounder = 0x1.8p52 * unit;  // added and subtracted, this rounds to a multiple of the unit
      unit *= 0x1p-46;
    }
    left_ = vectors_per_window;
    takes_three_ = 0;
    store(largest_, Eight{});
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

  /// The first n of eight numbers, and zeros.
  SCREE_INLINE static Eight first_of(const Eight& x, std::size_t n) {
    const Bits index{0, 1, 2, 3, 4, 5, 6, 7};
    return index < static_cast<std::int64_t>(n) ? x : Eight{};
  }

  /// Whether the vectors with n numbers have only zeros.
  template <class R>
  SCREE_INLINE static bool are_zero(const R* values, std::size_t n) {
    typedef std::int64_t Words __attribute__((vector_size(32)));
    typedef std::int64_t StoredWords __attribute__((vector_size(32), aligned(4), may_alias));
    constexpr std::size_t step = sizeof(Words) / sizeof(R);
    const std::size_t whole = (n + vector - 1) / vector * vector;
    Words some{};
    for (std::size_t k = 0; k < whole; k += step) { some |= *reinterpret_cast<const StoredWords*>(values + k); }
    const std::int64_t bits = some[0] | some[1] | some[2] | some[3];
    return (bits & (sizeof(R) == 4 ? 0x7fffffff7fffffff : all_but_sign)) == 0;
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
  double limit_;               ///< the window holds numbers of a smaller size
  std::uint32_t left_;         ///< vectors that may be added before the window is emptied
  std::uint32_t takes_three_;  ///< 1: a number in this window was not whole after two parts
  std::size_t n_waiting_;
  double waiting_[enough];
  double largest_[vector];  ///< bounds of the sizes in this window
};

}  // namespace scree::inline SCREE_BACKEND

#endif
