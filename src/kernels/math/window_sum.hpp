#pragma once

#include "kernels/math/exact_sum.hpp"

namespace scree::inline SCREE_BACKEND {

/// A sum of doubles in units of 2^-114 that does not depend on their order: an ExactSum that keeps only the digits for
/// numbers of physical size. The part of a number below the unit is dropped. Numbers of 2^110 and more, infinities and
/// nans make the sum nan. The empty sum has all bytes zero. carry() must be called before 2^31 numbers have been added.
struct WindowSum {
  static constexpr int first_digit = 30, n_digits = 7;
  std::int64_t digit[n_digits] = {};
  std::int64_t outside = 0;  ///< number of numbers that are too large

  /// Adds a number. Other threads may add to this sum at the same time.
  SCREE_HD void add_atomic(double value) {
    const ExactSum::Parts parts = ExactSum::split(value);
    add_digit(parts.first, parts.low);
    add_digit(parts.first + 1, parts.middle);
    add_digit(parts.first + 2, parts.high);
    if (parts.not_finite != 0) { add_integer(&outside, 1); }
  }
  /// Brings all digits except the highest into [0, 2^32). The value does not change.
  SCREE_HD void carry() {
    for (int k = 0; k + 1 < n_digits; ++k) {
      const std::int64_t up = digit[k] >> 32;  // rounds down, also below zero
      digit[k] -= up * (std::int64_t(1) << 32);
      digit[k + 1] += up;
    }
  }
  /// The double nearest to this sum minus `other`.
  [[nodiscard]] double minus(const WindowSum& other) const {
    ExactSum sum;
    for (int k = 0; k < n_digits; ++k) { sum.digit[first_digit + k] = digit[k] - other.digit[k]; }
    sum.not_finite = outside != 0 || other.outside != 0 ? 1 : 0;
    return sum.value();
  }
  [[nodiscard]] double value() const { return minus({}); }

 private:
  SCREE_HD void add_digit(int place, std::int64_t value) {
    if (value == 0 || place < first_digit) { return; }
    if (place < first_digit + n_digits) {
      add_integer(&digit[place - first_digit], value);
    } else {
      add_integer(&outside, 1);
    }
  }
  SCREE_HD static void add_integer(std::int64_t* address, std::int64_t value) {
    atomic_add(reinterpret_cast<std::uint64_t*>(address), static_cast<std::uint64_t>(value));  // two's complement
  }
};

}  // namespace scree::inline SCREE_BACKEND
