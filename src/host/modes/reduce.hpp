#pragma once

#include "host/modes/elastic_body.hpp"

namespace scree::modes {

/// The `keep` directions that hold most of the snapshots [unknowns x n]: proper orthogonal decomposition, by the
/// singular values of snapshots that are each scaled to the same kinetic energy. Orthonormal in the mass. Fewer than
/// `keep` where the snapshots have fewer independent ones.
struct ProperModes {
  Matrix mode;      ///< [unknowns x kept]
  Vector singular;  ///< [n] singular values, descending; their squares sum to the number of snapshots
};
[[nodiscard]] ProperModes proper_modes(const ElasticBody& body, const Matrix& snapshots, std::size_t keep);

/// The same space by modes that are orthogonal in mass and stiffness, ascending in frequency: K z = w^2 M z within it.
/// Orthonormal in the mass.
[[nodiscard]] Matrix energy_orthogonal(const ElasticBody& body, const Matrix& modes);

}  // namespace scree::modes
