#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

/// The kernel source is compiled once per backend, each time in an inline namespace of its own. In a common namespace
/// the inline functions of both compilers would be one weak symbol, and link order would choose whose rounding a result
/// gets.
#if defined(__CUDACC__)
#define SCREE_ON_CUDA 1
#define SCREE_BACKEND on_cuda  // a namespace named `cuda` would hide ::cuda of the toolkit
#define SCREE_HD __host__ __device__
#define SCREE_INLINE __host__ __device__ __forceinline__
#else
#define SCREE_ON_CUDA 0
#define SCREE_BACKEND on_host
#define SCREE_HD
#define SCREE_INLINE inline __attribute__((always_inline))
#endif

#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
// g++ warns that the convention of calls of wide vectors depends on the instruction set. Functions that take or return
// such vectors are always inlined.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

/// Whether steps are launched in batches, without waiting for each. Kernels must then check whether an earlier step has
/// halted the batch. This is so on a GPU; a host build with SCREE_EMULATE_BATCHES does the same, for tests
/// (CONTRIBUTING.md).
#ifndef SCREE_EMULATE_BATCHES
#define SCREE_EMULATE_BATCHES 0
#endif
#define SCREE_IN_BATCHES (SCREE_ON_CUDA || SCREE_EMULATE_BATCHES)

/// SCREE_ASSERT(condition) states what must hold for any input if this code is right. It is checked in debug and
/// sanitizer builds (SCREE_CHECKS of CMake) and costs nothing in others. A broken rule for input throws CaseError
/// instead.
#ifndef SCREE_CHECKS
#define SCREE_CHECKS 0
#endif
#if SCREE_CHECKS
#define SCREE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::scree::SCREE_BACKEND::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define SCREE_ASSERT(condition) static_cast<void>(0)
#endif

namespace scree::inline SCREE_BACKEND {

#if SCREE_CHECKS
/// Prints the broken condition and ends the program, or the kernel.
[[noreturn]] SCREE_HD inline void assertion_failed(const char* condition, const char* file, int line) {
#if defined(__CUDA_ARCH__)
  printf("%s:%d: SCREE_ASSERT(%s) does not hold\n", file, line, condition);
  __trap();
#else
  std::fprintf(stderr, "%s:%d: SCREE_ASSERT(%s) does not hold\n", file, line, condition);
  std::abort();
#endif
}
#endif

using index_t = std::uint32_t;   ///< position of a body in memory
using offset_t = std::uint64_t;  ///< position in a list that can pass 2^32

inline constexpr index_t no_index = 0xffffffffu;

/// Integer atomics. Lists that are filled by them must be sorted afterwards. There are no floating-point atomics.
template <class T>
SCREE_INLINE T atomic_add(T* address, T value) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(
        atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
  } else {
    return static_cast<T>(atomicAdd(reinterpret_cast<unsigned*>(address), static_cast<unsigned>(value)));
  }
#else
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
#endif
}

SCREE_INLINE void atomic_min(std::uint64_t* address, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
#else
  std::uint64_t seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (value < seen &&
         !__atomic_compare_exchange_n(address, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
#endif
}

/// Puts a value where 0 stands, and returns what stood there before. A value never changes once it is not 0.
SCREE_INLINE std::uint64_t put_if_free(std::uint64_t* address, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(reinterpret_cast<unsigned long long*>(address), 0ULL, static_cast<unsigned long long>(value));
#else
  std::uint64_t seen = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (seen == 0 && !__atomic_compare_exchange_n(address, &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
  return seen;
#endif
}

/// Sets a flag that other threads may also set. It must not be read before the launch ends.
SCREE_INLINE void raise_flag(std::uint32_t* flag) {
#if defined(__CUDA_ARCH__)
  *reinterpret_cast<volatile std::uint32_t*>(flag) = 1u;
#else
  __atomic_store_n(flag, 1u, __ATOMIC_RELAXED);
#endif
}

}  // namespace scree::inline SCREE_BACKEND
