#pragma once

#include <vector>

#include "host/modes/linear_algebra.hpp"
#include "scree/grain_modes.hpp"

namespace scree::modes {

/// A state of a deformed grain, for the fit of its energy.
struct EnergySample {
  Vector amplitude;   ///< [n modes]
  double energy = 0;  ///< elastic
  Vector force;       ///< [n modes] conjugate to the amplitudes; empty: not known
};

/// The table of a single mode: the forces at amplitudes, as they were found. The energy between two knots is the work
/// of the force, which is linear there. Samples ascend in amplitude. Where no force is known, the knots have those that
/// give the energies: the mean force between two samples, from one to the next.
[[nodiscard]] std::vector<ModeKnot> fit_table(const std::vector<EnergySample>& samples);

/// Elastic energy of a table at an amplitude: linear forces between knots, beyond the last with its last slope.
[[nodiscard]] double table_energy(const std::vector<ModeKnot>& table, double amplitude);
[[nodiscard]] double table_force(const std::vector<ModeKnot>& table, double amplitude);

/// Quartic terms c_ab e_a^2 e_b^2 of the energy of several modes beside the quadratic part of `stiffness` [n x n]:
/// least squares of energies and forces, each over the largest of its kind. No coefficient is below 0, so the energy is
/// bounded and its least value is that at rest. Terms that do not help are left out.
[[nodiscard]] std::vector<ModeTerm> fit_terms(const Matrix& stiffness, const std::vector<EnergySample>& samples);

/// Energy of the quadratic part and the terms.
[[nodiscard]] double energy_of(const Matrix& stiffness, const std::vector<ModeTerm>& terms, const Vector& amplitude);

/// x >= 0 with the least |A x - b|^2, by the normal equations.
[[nodiscard]] Vector least_squares_above_zero(const Matrix& rows, const Vector& right);

}  // namespace scree::modes
