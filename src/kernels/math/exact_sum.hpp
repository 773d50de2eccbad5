#pragma once

#include <cstdint>

#include "kernels/backend/portability.hpp"
#include "kernels/math/double_bits.hpp"

namespace scree::inline SCREE_BACKEND {

/// Sum of doubles without rounding. The result depends neither on the order of the numbers nor on how partial sums are
/// merged. The sum is one long integer in units of 2^-1074, the smallest double. Its digits have 32 bits, and each lies
/// in a 64-bit integer, so carries can wait: 2^31 numbers can be added before carry() must be called (superaccumulator;
/// Kulisch, "Computer Arithmetic and Validity", 2008). The empty sum has all bytes zero. The size is 544 bytes; an
/// addition changes three or four integers.
struct ExactSum {
  static constexpr int n_digits = 67;  ///< 2098 bits for doubles, 31 for their count
  std::int64_t digit[n_digits] = {};
  std::int64_t not_finite = 0;  ///< number of infinities and nans added; if there are any, value() is nan

  /// Digits of one double: `low` + `middle` 2^32 + `high` 2^64 in units of 2^(32 first - 1074). Each has the sign of
  /// the double.
  struct Parts {
    int first;
    std::int64_t low, middle, high, not_finite;
  };
  SCREE_HD static Parts split(double value) {
    const std::uint64_t bits = bits_of(value);
    const std::uint64_t exponent = (bits >> 52) & 0x7ff;
    std::uint64_t mantissa = bits & ((std::uint64_t(1) << 52) - 1);
    if (exponent == 0x7ff) { return {0, 0, 0, 0, 1}; }
    mantissa |= exponent > 0 ? std::uint64_t(1) << 52 : 0;
    const std::uint64_t place = exponent > 0 ? exponent - 1 : 0;
    const std::uint64_t offset = place % 32;
    const std::uint64_t low = mantissa << offset;
    const std::uint64_t high = offset > 0 ? mantissa >> (64 - offset) : 0;
    const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
    return {static_cast<int>(place / 32), sign * static_cast<std::int64_t>(low & 0xffffffffu),
            sign * static_cast<std::int64_t>(low >> 32), sign * static_cast<std::int64_t>(high), 0};
  }

  SCREE_HD void add(double value) {
    const Parts parts = split(value);
    digit[parts.first] += parts.low;
    digit[parts.first + 1] += parts.middle;
    digit[parts.first + 2] += parts.high;
    not_finite += parts.not_finite;
  }

  /// Same as add(), but safe while other threads add to this sum.
  SCREE_HD void add_atomic(double value) {
    const Parts parts = split(value);
    if (parts.low != 0) { add_integer(&digit[parts.first], parts.low); }
    if (parts.middle != 0) { add_integer(&digit[parts.first + 1], parts.middle); }
    if (parts.high != 0) { add_integer(&digit[parts.first + 2], parts.high); }
    if (parts.not_finite != 0) { add_integer(&not_finite, parts.not_finite); }
  }

  SCREE_HD void add(const ExactSum& other) {
    for (int k = 0; k < n_digits; ++k) { digit[k] += other.digit[k]; }
    not_finite += other.not_finite;
  }

  /// Brings all digits except the highest into [0, 2^32). The value does not change, and the sum then counts as one
  /// number towards the limit of 2^31.
  SCREE_HD void carry() {
    for (int k = 0; k + 1 < n_digits; ++k) {
      const std::int64_t up = digit[k] >> 32;  // rounds down, also below zero
      digit[k] -= up * (std::int64_t(1) << 32);
      digit[k + 1] += up;
    }
  }

  /// The double nearest to the sum, ties to even. Zero is +0; sums beyond the largest double are infinite.
  [[nodiscard]] SCREE_HD double value() const {
    if (not_finite != 0) { return double_of(std::uint64_t(0x7ff8) << 48); }
    ExactSum sum = *this;
    sum.carry();
    const bool negative = sum.digit[n_digits - 1] < 0;
    if (negative) {
      for (std::int64_t& d : sum.digit) { d = -d; }
      sum.carry();
    }
    int top = n_digits - 1;
    while (top > 0 && sum.digit[top] == 0) { --top; }
    int length = 32 * top;  // bits of the sum
    for (std::uint64_t d = static_cast<std::uint64_t>(sum.digit[top]); d != 0; d >>= 1) { ++length; }
    // The highest 53 bits, or all bits if there are fewer, are the mantissa of a double with the exponent `place`.
    const int place = length > 53 ? length - 53 : 0;
    std::uint64_t mantissa = sum.bits_from(place);
    if (place > 0 && sum.bit(place - 1)) {
      const bool more = sum.any_below(place - 1);
      mantissa += more || (mantissa & 1) != 0 ? 1 : 0;
    }
    // The leading bit of the mantissa raises the exponent by one.
    std::uint64_t bits = (static_cast<std::uint64_t>(place) << 52) + mantissa;
    const std::uint64_t infinite = std::uint64_t(0x7ff) << 52;
    if (place > 2046 || bits > infinite) { bits = infinite; }
    return double_of(bits | (negative ? std::uint64_t(1) << 63 : 0));
  }

 private:
  SCREE_HD static void add_integer(std::int64_t* address, std::int64_t value) {
    atomic_add(reinterpret_cast<std::uint64_t*>(address), static_cast<std::uint64_t>(value));  // two's complement
  }

  // bit(), bits_from() and any_below() expect digits without pending carries.
  SCREE_HD bool bit(int place) const {
    return ((static_cast<std::uint64_t>(digit[place / 32]) >> (place % 32)) & 1) != 0;
  }
  /// All bits from `place` upwards. There must be at most 53 of them.
  SCREE_HD std::uint64_t bits_from(int place) const {
    const int first = place / 32, offset = place % 32;
    std::uint64_t bits = static_cast<std::uint64_t>(digit[first]) >> offset;
    if (first + 1 < n_digits) { bits |= static_cast<std::uint64_t>(digit[first + 1]) << (32 - offset); }
    if (first + 2 < n_digits && offset > 0) { bits |= static_cast<std::uint64_t>(digit[first + 2]) << (64 - offset); }
    return bits;
  }
  SCREE_HD bool any_below(int place) const {
    for (int k = 0; k < place / 32; ++k) {
      if (digit[k] != 0) { return true; }
    }
    return (static_cast<std::uint64_t>(digit[place / 32]) & ((std::uint64_t(1) << (place % 32)) - 1)) != 0;
  }
};

}  // namespace scree::inline SCREE_BACKEND
