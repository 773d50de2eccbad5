#pragma once

#include "kernels/contact/motion.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

/// What removes bodies, and how many it has removed.
struct OutletSystem {
  explicit OutletSystem(const Scene& scene);

  Buffer<OutletPlane> planes;
  Buffer<OutletRegion> regions;
  Buffer<OutletCount> counts;  ///< [n_outlet_names]
  double quanta_per_mass = 1;  ///< [1/kg] a power of two such that all mass together stays below 2^62 quanta

  /// Without the moment that a motion reaches; see Outlets.
  [[nodiscard]] Outlets view() { return {planes.view(), regions.view(), counts.view(), quanta_per_mass, 0}; }
};

}  // namespace scree::inline SCREE_BACKEND
