#pragma once

#include <cstddef>

#include "kernels/backend/portability.hpp"

#if !SCREE_ON_CUDA
#include <omp.h>
#endif

namespace scree::inline SCREE_BACKEND {

/// Number of the calling thread among those that share a launch; 0 on a GPU.
SCREE_INLINE std::size_t thread_rank() {
#if SCREE_ON_CUDA
  return 0;
#else
  return static_cast<std::size_t>(omp_get_thread_num());
#endif
}

}  // namespace scree::inline SCREE_BACKEND
