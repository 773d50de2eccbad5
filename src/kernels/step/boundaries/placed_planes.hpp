#pragma once

#include <algorithm>

#include "kernels/shapes/closest.hpp"

#if !SCREE_ON_CUDA

namespace scree::inline SCREE_BACKEND {

/// The planes that were used last, in their present poses. Many spheres touch few planes.
class PlacedPlanes {
 public:
  explicit PlacedPlanes(const BoundaryView& boundaries) : boundaries_(boundaries) {
    std::fill_n(feature_, n_kept, no_index);
  }

  /// The surface of the plane that is feature `number`.
  SCREE_INLINE const Surface& operator()(std::uint32_t number, const Feature& feature) {
    const std::size_t k = number % n_kept;
    if (feature_[k] != number) {
      feature_[k] = number;
      plane_[k] = placed_surface(boundaries_, feature);
    }
    return plane_[k];
  }

 private:
  static constexpr std::size_t n_kept = 16;
  const BoundaryView& boundaries_;
  std::uint32_t feature_[n_kept];
  Surface plane_[n_kept];
};

}  // namespace scree::inline SCREE_BACKEND

#endif
