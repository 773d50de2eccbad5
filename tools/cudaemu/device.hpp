// Included by translated kernels: the state of a thread, its memory, atomics.
#pragma once
#include <cstdint>
#include <type_traits>

struct Block;

/// One thread of a launch, as seen by its kernel.
struct Thread {
  uint32_t tid[3], ntid[3], ctaid[3], nctaid[3];
  uint32_t lane, warp;
  uint8_t* shared;          ///< shared memory of the block; addresses in it are offsets
  uint64_t shared_address;  ///< generic address of its first byte
  uint32_t shared_size, dynamic_shared;
  uint64_t dynamic_offset;
  const uint8_t* params;
  uint64_t local, local_size;  ///< range of its local memory: the stack that the thread runs on
  uint64_t id;                 ///< index in the launch
  Block* block;                ///< null if threads run one after the other
  uint32_t fences;             ///< that it has passed
};

struct EmuGlobal {
  const char* name;
  uint64_t size, align;
  const uint8_t* data;
};
struct EmuParam {
  uint32_t offset, size;
};
struct EmuKernel {
  void (*body)(Thread*);
  uint32_t n_params, params_size;
  const EmuParam* params;
  const EmuGlobal* globals;
  uint32_t shared_size;
  bool fibers;            ///< threads of a block wait for each other
  uint32_t contractible;  ///< number of operations that ptxas may contract to fma; their bits are unknown
};

// Device memory: pointers of the program lie in [arena, arena + arena_size), where nothing is mapped. The bytes of a
// pointer are at its address plus `delta`.
inline constexpr uint64_t emu_arena = 0x200000000000ull, emu_arena_size = 1ull << 36, emu_delta = 0x100000000000ull;

enum EmuAccess : uint32_t { READ = 0, WRITE = 1, ATOMIC = 3, STRONG_READ = 4, STRONG_WRITE = 5 };
enum EmuSpace : uint32_t { GLOBAL, SHARED, LOCAL, GENERIC };

extern "C" {
uint8_t* emu_check(Thread* c, uint64_t address, uint32_t size, uint32_t space, uint32_t access, const char* site,
                   const void* value);
/// Reports an operation for which host and device differ or C++ leaves the result open, once per kernel and place, with
/// the last memory access before it.
void emu_doubtful(const char* what);
[[noreturn]] void emu_trap(Thread* c, const char* site);
[[noreturn]] void emu_assertfail_(Thread* c, const char* message, const char* file, uint32_t line,
                                  const char* function);
int emu_vprintf_(const char* format, const uint8_t* arguments);
uint64_t emu_clock();
void emu_yield(Thread* c);
void emu_fence(Thread* c);
void emu_barrier(Thread* c, uint32_t id, uint32_t count, const char* site);
/// Number of threads with a true predicate; in the upper half, the number of all threads.
uint64_t emu_barrier_count(Thread* c, uint32_t id, uint32_t count, bool p, const char* site);
/// Waits for all lanes of the mask; then values[lane] is the value of each lane.
const uint64_t* emu_exchange(Thread* c, uint32_t mask, uint64_t value, const char* site);
}

template <class To, class From>
inline To emu_cast(From x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}
inline uint32_t bits(float x) { return emu_cast<uint32_t>(x); }
inline uint64_t bits(double x) { return emu_cast<uint64_t>(x); }
inline float as_f32(uint32_t x) { return emu_cast<float>(x); }
inline double as_f64(uint64_t x) { return emu_cast<double>(x); }

// ---- memory --------------------------------------------------------------------------------------------------------
#if EMU_CHECK
#define SITE(text) text
#define EMU_AT(name, space)                                                                                      \
  template <int size>                                                                                            \
  inline uint8_t* name(Thread* c, uint64_t a, EmuAccess access, const char* site, const void* value = nullptr) { \
    return emu_check(c, a, size, space, access, site, value);                                                    \
  }
#else
#define SITE(text) ""
#define EMU_AT(name, space)                                                                       \
  template <int size>                                                                             \
  inline uint8_t* name(Thread* c, uint64_t a, EmuAccess, const char*, const void* = nullptr) {    \
    if (space == GLOBAL) { return (uint8_t*)(a + emu_delta); }                                    \
    if (space == SHARED) { return c->shared + (uint32_t)a; }                                      \
    if (space == GENERIC && a - emu_arena < emu_arena_size) { return (uint8_t*)(a + emu_delta); } \
    return (uint8_t*)a;                                                                           \
  }
#endif
EMU_AT(emu_at_global, GLOBAL)
EMU_AT(emu_at_const, GLOBAL)
EMU_AT(emu_at_shared, SHARED)
EMU_AT(emu_at_local, LOCAL)
EMU_AT(emu_at_generic, GENERIC)
template <int size>
inline uint8_t* emu_at_param(Thread*, uint64_t a, EmuAccess, const char*, const void* = nullptr) {
  return (uint8_t*)a;
}
template <class T>
inline T emu_read(const uint8_t* at) {
  T x;
  __builtin_memcpy(&x, at, sizeof x);
  return x;
}
inline bool emu_is_global(Thread*, uint64_t a) { return a - emu_arena < emu_arena_size; }
inline bool emu_is_shared(Thread* c, uint64_t a) { return a - c->shared_address < c->shared_size; }
inline bool emu_is_local(Thread* c, uint64_t a) { return a - c->local < c->local_size; }

template <class T, class Operation>
inline T emu_update(uint8_t* at, Operation operation) {
  const T old = emu_read<T>(at);
  const T fresh = operation(old);
  __builtin_memcpy(at, &fresh, sizeof fresh);
  return old;
}
// Threads run one at a time, so plain operations are atomic.
template <class T>
inline T emu_atomic_add(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return (T)(a + b); });
}
template <class T>
inline T emu_atomic_min(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return b < a ? b : a; });
}
template <class T>
inline T emu_atomic_max(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return b > a ? b : a; });
}
template <class T>
inline T emu_atomic_and(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return (T)(a & b); });
}
template <class T>
inline T emu_atomic_or(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return (T)(a | b); });
}
template <class T>
inline T emu_atomic_xor(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return (T)(a ^ b); });
}
template <class T>
inline T emu_atomic_exch(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T) { return b; });
}
template <class T>
inline T emu_atomic_inc(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return (T)(a >= b ? 0 : a + 1); });
}
template <class T>
inline T emu_atomic_dec(uint8_t* at, T b) {
  return emu_update<T>(at, [&](T a) { return (T)(a == 0 || a > b ? b : a - 1); });
}
template <class T>
inline T emu_atomic_cas(uint8_t* at, T b, T c) {
  return emu_update<T>(at, [&](T a) { return a == b ? c : a; });
}

/// The host pointer to the bytes of a device pointer.
inline const uint8_t* emu_host_view(uint64_t a) {
  return (const uint8_t*)(a - emu_arena < emu_arena_size ? a + emu_delta : a);
}
