#pragma once

#include <cstdint>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// A vector of `n` zero elements for the host. A long one lies on large pages where the system has them: the first
/// write to fresh memory costs more than the rest of a readout if it is done page by page.
template <class T>
[[nodiscard]] std::vector<T> large_vector(std::size_t n) {
  std::vector<T> values;
  values.reserve(n);
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t page = std::size_t(1) << 21;
  char* const memory = reinterpret_cast<char*>(values.data());
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(memory) % page) % page, all = n * sizeof(T);
  if (all >= before + page) { madvise(memory + before, (all - before) / page * page, MADV_HUGEPAGE); }  // only advice
#endif
  values.resize(n);
  return values;
}

}  // namespace scree::inline SCREE_BACKEND
