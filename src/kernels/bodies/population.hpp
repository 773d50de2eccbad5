#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend/portability.hpp"

namespace scree {
struct Scene;
}

namespace scree::inline SCREE_BACKEND {

/// How many bodies there are, members of clumps included.
struct Population {
  std::size_t bodies = 0;       ///< in memory
  std::size_t start = 0;        ///< at the start
  std::uint64_t inserted = 0;   ///< since the start
  std::size_t first_large = 0;  ///< no large body stands before it

  [[nodiscard]] std::uint64_t ids() const { return start + inserted; }
};

/// What the case says of its bodies: of those of the start and of those that inlets may bring. It does not depend on
/// who is there at the moment: the shape of a sum decides its bits.
struct ExpectedBodies {
  double smallest_radius = 0, largest_radius = 0;  ///< [m]
  double large_radius = 0;                         ///< [m] bodies above are large
  double range = 1;                                ///< [-] farthest distance of a contact, in radii
  std::vector<bool> known_material;                ///< [n_materials] that some of them may have
};

/// `R` is the type of the radii in kernels.
template <class R>
[[nodiscard]] ExpectedBodies expected_bodies(const Scene& scene);

}  // namespace scree::inline SCREE_BACKEND
