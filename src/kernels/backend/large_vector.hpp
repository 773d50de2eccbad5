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
  constexpr std::uintptr_t page = std::uintptr_t(1) << 21;
  const auto start = reinterpret_cast<std::uintptr_t>(values.data());
  const std::uintptr_t first = (start + page - 1) / page * page, last = (start + n * sizeof(T)) / page * page;
  if (first < last) { madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE); }  // only advice
#endif
  values.resize(n);
  return values;
}

}  // namespace scree::inline SCREE_BACKEND
