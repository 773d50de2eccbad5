#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// Four numbers that are loaded, scaled and added together: one vector register on the host, one or two 16-byte loads
/// on a GPU. Lanes do the same IEEE operations either way.
template <class R>
struct alignas(sizeof(R) == 4 ? 16 : (SCREE_ON_CUDA ? 16 : 32)) Four {
#if SCREE_ON_CUDA
  R lane[4];
  SCREE_INLINE R operator[](int i) const { return lane[i]; }
  SCREE_INLINE static Four of(R a, R b, R c, R d) { return {{a, b, c, d}}; }
  SCREE_INLINE void add_scaled(R factor, const Four& other) {
    for (int i = 0; i < 4; ++i) { lane[i] += factor * other.lane[i]; }
  }
#else
  typedef R Lanes __attribute__((vector_size(4 * sizeof(R))));
  Lanes lane;
  SCREE_INLINE R operator[](int i) const { return lane[i]; }
  SCREE_INLINE static Four of(R a, R b, R c, R d) { return {Lanes{a, b, c, d}}; }
  SCREE_INLINE void add_scaled(R factor, const Four& other) { lane += factor * other.lane; }
#endif
};

}  // namespace scree::inline SCREE_BACKEND
