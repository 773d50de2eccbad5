#pragma once

#include "kernels/backend/portability.hpp"

#if SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// The stream of all work on the present device: what is launched runs in this order.
[[nodiscard]] cudaStream_t backend_stream();

}  // namespace scree::inline SCREE_BACKEND

#endif
