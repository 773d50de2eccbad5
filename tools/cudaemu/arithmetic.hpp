// The exact semantics of PTX instructions that compute: integers, shifts, minimum and maximum, conversions.
#pragma once
#include "device.hpp"

#if EMU_CHECK
#define DOUBTFUL(condition, what) \
  if (condition) { emu_doubtful(what); }
#else
#define DOUBTFUL(condition, what)
#endif

template <class T>
inline T emu_div(T a, T b) {
  DOUBTFUL(b == 0, "integer division by 0")
  if (b == 0) { return (T)~T(0); }  // PTX leaves it open; the hardware gives this
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) { return (T)(0 - (std::make_unsigned_t<T>)a); }
  }
  return (T)(a / b);
}
template <class T>
inline T emu_rem(T a, T b) {
  DOUBTFUL(b == 0, "integer remainder by 0")
  if (b == 0) { return a; }
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) { return 0; }
  }
  return (T)(a % b);
}
template <class T>
inline T emu_abs(T a) {
  return (T)(a < 0 ? 0 - (std::make_unsigned_t<T>)a : a);
}
/// Minimum or maximum of two numbers. If one is NaN, the result is the other; -0 is below +0.
template <class T>
inline T emu_min(T a, T b) {
  DOUBTFUL(a != a || b != b, "minimum of a NaN")
  if (a != a) { return b; }
  if (b != b) { return a; }
  if (a == b) { return __builtin_signbit(a) ? a : b; }
  return a < b ? a : b;
}
template <class T>
inline T emu_max(T a, T b) {
  DOUBTFUL(a != a || b != b, "maximum of a NaN")
  if (a != a) { return b; }
  if (b != b) { return a; }
  if (a == b) { return __builtin_signbit(a) ? b : a; }
  return a > b ? a : b;
}
template <class T>
inline T emu_min_nan(T a, T b) {
  return a != a || b != b ? (T)__builtin_nan("") : emu_min(a, b);
}
template <class T>
inline T emu_max_nan(T a, T b) {
  return a != a || b != b ? (T)__builtin_nan("") : emu_max(a, b);
}
template <class T>
inline bool emu_testp_finite(T a) {
  return __builtin_isfinite(a);
}
template <class T>
inline bool emu_testp_infinite(T a) {
  return __builtin_isinf(a);
}
template <class T>
inline bool emu_testp_number(T a) {
  return a == a;
}
template <class T>
inline bool emu_testp_notanumber(T a) {
  return a != a;
}
template <class T>
inline bool emu_testp_normal(T a) {
  return __builtin_isnormal(a);
}
template <class T>
inline bool emu_testp_subnormal(T a) {
  return a == a && a != 0 && !__builtin_isnormal(a) && __builtin_isfinite(a);
}

// A shift by more than the width gives 0 or the sign.
template <class T>
inline T emu_shl(T a, uint32_t n) {
  return n >= 8 * sizeof(T) ? T(0) : (T)((uint64_t)a << n);
}
template <class T>
inline T emu_shr(T a, uint32_t n) {
  if (n >= 8 * sizeof(T)) { return std::is_signed_v<T> && a < 0 ? (T)-1 : T(0); }
  return (T)(a >> n);
}
inline uint32_t emu_clamp32(uint32_t n) { return n > 32 ? 32 : n; }
inline uint32_t emu_shf_l(uint32_t a, uint32_t b, uint32_t n) {
  return (uint32_t)((((uint64_t)b << 32 | a) << n) >> 32);
}
inline uint32_t emu_shf_r(uint32_t a, uint32_t b, uint32_t n) {
  return n == 32 ? b : (uint32_t)(((uint64_t)b << 32 | a) >> n);
}
template <class T>
inline T emu_bfe(T a, uint32_t position, uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t width = 8 * sizeof(T);
  position &= 0xff, length &= 0xff;
  if (length == 0) { return 0; }
  const bool is_signed = std::is_signed_v<T>;
  const uint32_t top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
  const U sign = is_signed && ((U)a >> top & 1) ? ~U(0) : U(0);
  U out = emu_shr<U>((U)a, position);
  if (position + length > width) { length = position >= width ? 0 : width - position; }
  if (length >= width) { return (T)out; }
  const U mask = (U(1) << length) - 1;
  return (T)((out & mask) | (sign & ~mask));
}
template <class T>
inline T emu_bfi(T a, T b, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(T);
  position &= 0xff, length &= 0xff;
  if (length == 0 || position >= width) { return b; }
  const T ones = length >= width ? ~T(0) : (T)((T(1) << length) - 1);
  const T mask = (T)(ones << position);
  return (T)((b & ~mask) | ((a << position) & mask));
}
template <class T>
inline uint32_t emu_bfind(T a, bool shift) {
  using U = std::make_unsigned_t<T>;
  U x = std::is_signed_v<T> && a < 0 ? (U) ~(U)a : (U)a;
  if (x == 0) { return ~0u; }
  const uint32_t top = 63 - (uint32_t)__builtin_clzll((uint64_t)x);
  return shift ? 8 * sizeof(T) - 1 - top : top;
}
inline uint32_t emu_prmt(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t all = (uint64_t)b << 32 | a;
  uint32_t out = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t s = selector >> (4 * i) & 0xf;
    uint8_t byte = (uint8_t)(all >> (8 * (s & 7)));
    if (s & 8) { byte = byte & 0x80 ? 0xff : 0; }
    out |= (uint32_t)byte << (8 * i);
  }
  return out;
}
inline uint32_t emu_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t out = 0;
  for (int k = 0; k < 8; ++k) {
    if (table >> k & 1) { out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c); }
  }
  return out;
}
template <class T>
inline uint32_t emu_clz(T a) {
  return a == 0 ? 8 * sizeof(T) : (uint32_t)__builtin_clzll((uint64_t)a) - (64 - 8 * sizeof(T));
}
template <class T>
inline T emu_brev(T a) {
  T out = 0;
  for (unsigned i = 0; i < 8 * sizeof(T); ++i) { out = (T)(out << 1 | (a >> i & 1)); }
  return out;
}

// ---- conversions ---------------------------------------------------------------------------------------------------
inline float emu_rni(float x) { return __builtin_rintf(x); }
inline double emu_rni(double x) { return __builtin_rint(x); }
inline float emu_rzi(float x) { return __builtin_truncf(x); }
inline double emu_rzi(double x) { return __builtin_trunc(x); }
inline float emu_rmi(float x) { return __builtin_floorf(x); }
inline double emu_rmi(double x) { return __builtin_floor(x); }
inline float emu_rpi(float x) { return __builtin_ceilf(x); }
inline double emu_rpi(double x) { return __builtin_ceil(x); }
/// The integer nearest to a whole number in the range of the type. NaN becomes 0, or the top bit if one side has 64
/// bits.
template <class To, class From>
inline To emu_to_int(From x) {
  DOUBTFUL(x != x, "conversion of NaN to an integer")
  if (x != x) {
    return sizeof(From) == 8 || sizeof(To) == 8 ? (To)((std::make_unsigned_t<To>)1 << (8 * sizeof(To) - 1)) : To(0);
  }
  constexpr To low = std::is_signed_v<To> ? (To)((std::make_unsigned_t<To>)1 << (8 * sizeof(To) - 1)) : To(0);
  constexpr To high = (To)~low;
  const From top = (From)((std::make_unsigned_t<To>)1 << (8 * sizeof(To) - 1)) *
                   (std::is_signed_v<To> ? From(1) : From(2));  // exact
  DOUBTFUL(x >= top || (std::is_signed_v<To> ? x < -top : x <= From(-1)),
           "conversion of a number out of the range of the integer")
  if (x >= top) { return high; }
  if (std::is_signed_v<To> ? x < -top : x <= From(-1)) { return low; }
  if (!std::is_signed_v<To> && x < 0) { return 0; }
  return (To)x;
}
template <class To, class From>
inline To emu_saturate(From x) {
  const __int128 low = std::is_signed_v<To> ? -((__int128)1 << (8 * sizeof(To) - 1)) : (__int128)0;
  const __int128 high = ((__int128)1 << (8 * sizeof(To) - (std::is_signed_v<To> ? 1 : 0))) - 1;
  const __int128 wide = x;
  return (To)(wide < low ? low : wide > high ? high : wide);
}
