#pragma once

#include "kernels/contact/motion.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

/// Everything that removes bodies, with the counts of removed bodies.
struct OutletSystem {
  explicit OutletSystem(const Scene& scene);

  Buffer<OutletPlane> planes;
  Buffer<OutletRegion> regions;
  Buffer<OutletCount> counts;  ///< [n_outlet_names]
  double quanta_per_mass = 1;  ///< [1/kg] a power of two, such that all removed mass stays below 2^62 quanta

  /// The view for kernels; BodyMotion::at() sets its `moment`.
  [[nodiscard]] Outlets view() { return {planes.view(), regions.view(), counts.view(), quanta_per_mass, 0}; }

  [[nodiscard]] std::uint64_t bytes() const { return planes.bytes() + regions.bytes() + counts.bytes(); }
};

}  // namespace scree::inline SCREE_BACKEND
