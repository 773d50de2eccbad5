#pragma once

#include "host/modes/elastic_body.hpp"

namespace scree::modes {

struct ProperModes {
  Matrix mode;      ///< [unknowns x n_kept] orthonormal in the mass
  Vector singular;  ///< [n] singular values, descending; the sum of their squares is the number of snapshots
};
/// Proper orthogonal decomposition: the `keep` modes that represent snapshots [unknowns x n] best, by a singular value
/// decomposition. All snapshots are first scaled to the same kinetic energy. There are fewer modes if fewer snapshots
/// are independent.
[[nodiscard]] ProperModes proper_modes(const ElasticBody& body, const Matrix& snapshots, std::size_t keep);

/// Modes that span the same space as `modes` and are orthonormal in the mass and orthogonal in the stiffness, in
/// ascending order of frequency: they solve K z = w^2 M z in this space.
[[nodiscard]] Matrix energy_orthogonal(const ElasticBody& body, const Matrix& modes);

}  // namespace scree::modes
