#pragma once

#include "kernels/contact/motion.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;
struct UnorderedHash;

/// Everything that removes bodies, with the counts of removed bodies.
struct OutletSystem {
  explicit OutletSystem(const Scene& scene);

  Buffer<OutletPlane> planes;
  Buffer<OutletRegion> regions;
  Buffer<OutletCount> counts;  ///< [n_outlet_names]
  double quanta_per_mass = 1;  ///< [1/kg] a power of two, such that all removed mass stays below 2^62 quanta

  /// The view for kernels; BodyMotion::at() sets its `moment`.
  [[nodiscard]] Outlets view() { return {planes.view(), regions.view(), counts.view(), quanta_per_mass, 0}; }

  void save(StateWriter& out) const;
  /// Restores the counts. Throws StateError.
  void restore(StateReader& in);
  void hash(UnorderedHash& sum) const;
  [[nodiscard]] std::uint64_t bytes() const { return planes.bytes() + regions.bytes() + counts.bytes(); }
};

}  // namespace scree::inline SCREE_BACKEND
