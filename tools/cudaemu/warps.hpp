// Instructions that exchange values between the lanes of a warp, and system functions.
#pragma once
#include "device.hpp"

inline void emu_warp_sync(Thread* c, uint32_t mask, const char* site) { emu_exchange(c, mask, 0, site); }
/// Follows the pseudo code of shfl.sync. `packed` has the clamp in the low five bits and the segment mask from bit 8.
inline uint32_t emu_shuffle(Thread* c, uint32_t a, uint32_t source, bool valid, uint32_t mask, bool& ok,
                            const char* site) {
  const uint64_t* v = emu_exchange(c, mask, a, site);
  ok = valid;
  if (!valid) { source = c->lane; }
  return (uint32_t)v[source & 31];
}
inline uint32_t emu_shfl_up(Thread* c, uint32_t a, uint32_t b, uint32_t packed, uint32_t mask, bool& ok,
                            const char* site) {
  const uint32_t segment = packed >> 8 & 31, clamp = packed & 31, low = c->lane & segment;
  const int from = (int)c->lane - (int)(b & 31), limit = (int)(low | (clamp & ~segment));
  return emu_shuffle(c, a, (uint32_t)from, from >= limit, mask, ok, site);
}
inline uint32_t emu_shfl_down(Thread* c, uint32_t a, uint32_t b, uint32_t packed, uint32_t mask, bool& ok,
                              const char* site) {
  const uint32_t segment = packed >> 8 & 31, clamp = packed & 31, limit = (c->lane & segment) | (clamp & ~segment),
                 from = c->lane + (b & 31);
  return emu_shuffle(c, a, from, from <= limit, mask, ok, site);
}
inline uint32_t emu_shfl_bfly(Thread* c, uint32_t a, uint32_t b, uint32_t packed, uint32_t mask, bool& ok,
                              const char* site) {
  const uint32_t segment = packed >> 8 & 31, clamp = packed & 31, limit = (c->lane & segment) | (clamp & ~segment),
                 from = c->lane ^ (b & 31);
  return emu_shuffle(c, a, from, from <= limit, mask, ok, site);
}
inline uint32_t emu_shfl_idx(Thread* c, uint32_t a, uint32_t b, uint32_t packed, uint32_t mask, bool& ok,
                             const char* site) {
  const uint32_t segment = packed >> 8 & 31, clamp = packed & 31, low = c->lane & segment,
                 limit = low | (clamp & ~segment);
  const uint32_t from = low | ((b & 31) & ~segment);
  return emu_shuffle(c, a, from, from <= limit, mask, ok, site);
}
template <class Visit>
inline void emu_lanes(uint32_t mask, Visit visit) {
  for (uint32_t l = 0; l < 32; ++l) {
    if (mask >> l & 1) { visit(l); }
  }
}
inline uint32_t emu_ballot(Thread* c, bool p, uint32_t mask, const char* site) {
  const uint64_t* v = emu_exchange(c, mask, p, site);
  uint32_t out = 0;
  emu_lanes(mask, [&](uint32_t l) { out |= (uint32_t)(v[l] != 0) << l; });
  return out;
}
inline uint32_t emu_match_any(Thread* c, uint64_t a, uint32_t mask, const char* site) {
  const uint64_t* v = emu_exchange(c, mask, a, site);
  uint32_t out = 0;
  emu_lanes(mask, [&](uint32_t l) { out |= (uint32_t)(v[l] == a) << l; });
  return out;
}
inline uint32_t emu_match_all(Thread* c, uint64_t a, uint32_t mask, const char* site) {
  return emu_match_any(c, a, mask, site) == mask ? mask : 0;
}
inline uint32_t emu_elect(Thread* c, uint32_t mask, const char* site) {
  emu_exchange(c, mask, 0, site);
  return (uint32_t)__builtin_ctz(mask);
}
#define EMU_REDUX(name, expression)                                            \
  template <class T>                                                           \
  inline T emu_redux_##name(Thread* c, T x, uint32_t mask, const char* site) { \
    const uint64_t* v = emu_exchange(c, mask, (uint64_t)x, site);              \
    T a = x;                                                                   \
    bool first = true;                                                         \
    emu_lanes(mask, [&](uint32_t l) {                                          \
      const T b = (T)v[l];                                                     \
      a = first ? b : (T)(expression);                                         \
      first = false;                                                           \
    });                                                                        \
    return a;                                                                  \
  }
EMU_REDUX(add, a + b)
EMU_REDUX(min, b < a ? b : a)
EMU_REDUX(max, b > a ? b : a)
EMU_REDUX(and, a& b)
EMU_REDUX(or, a | b)
EMU_REDUX(xor, a ^ b)

// ---- functions of the system ---------------------------------------------------------------------------------------
inline void emu_vprintf(Thread*, uint8_t* result, uint8_t* format, uint8_t* arguments) {
  const int n = emu_vprintf_((const char*)emu_host_view(emu_read<uint64_t>(format)),
                             emu_host_view(emu_read<uint64_t>(arguments)));
  __builtin_memcpy(result, &n, sizeof n);
}
inline void emu_assertfail(Thread* c, uint8_t* message, uint8_t* file, uint8_t* line, uint8_t* function, uint8_t*) {
  auto text = [](uint8_t* p) { return (const char*)emu_host_view(emu_read<uint64_t>(p)); };
  emu_assertfail_(c, text(message), text(file), emu_read<uint32_t>(line), text(function));
}
