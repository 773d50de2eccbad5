#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

class StateReader;
class StateWriter;

/// Numbers of bodies, members of clumps included.
struct Population {
  std::size_t bodies = 0;       ///< in memory
  std::size_t start = 0;        ///< at the start
  std::uint64_t inserted = 0;   ///< since the start
  std::size_t first_large = 0;  ///< position in memory of the first large body; large bodies come last

  [[nodiscard]] std::uint64_t ids() const { return start + inserted; }

  void save(StateWriter& out) const;
  /// Restores how many bodies there have been. restore_bodies() finds out how many are in memory. Throws StateError.
  void restore(StateReader& in);
};

/// What the case says about the bodies of the start and of inlets. It does not depend on the bodies present at the
/// moment, because it decides the shape of sums and thus their bits.
struct ExpectedBodies {
  double smallest_radius = 0, largest_radius = 0;  ///< [m]
  double large_radius = 0;                         ///< [m] bodies with a larger radius are large
  std::vector<bool> known_material;                ///< [n_materials] whether some body may have the material

  void save(StateWriter& out) const;
  /// The values come from the scene, so this only compares the saved values with them. Throws StateError if they
  /// differ.
  void restore(StateReader& in) const;
};

/// Reads the expectations from a scene. `R` is the type of radii in kernels.
template <class R>
[[nodiscard]] ExpectedBodies expected_bodies(const Scene& scene);

}  // namespace scree::inline SCREE_BACKEND
