#pragma once

#include <vector>

#include "host/modes/linear_algebra.hpp"
#include "scree/grain_modes.hpp"

namespace scree::modes {

/// A state of a deformed grain, to which its energy is fitted.
struct EnergySample {
  Vector amplitude;   ///< [n_modes]
  double energy = 0;  ///< elastic energy
  Vector force;       ///< [n_modes] forces conjugate to the amplitudes; empty if they are not known
};

/// The table of a single mode: forces at amplitudes, between which the force is linear. `samples` must ascend in
/// amplitude. If forces are not known, they are derived from the energies, as if the energy were a power of the
/// amplitude between neighbouring samples.
[[nodiscard]] std::vector<ModeKnot> fit_table(const std::vector<EnergySample>& samples);

/// The elastic energy of a table at an amplitude: the work of table_force().
[[nodiscard]] double table_energy(const std::vector<ModeKnot>& table, double amplitude);
/// The force of a table at an amplitude: linear between knots, and continued with the last slope beyond the last knot.
[[nodiscard]] double table_force(const std::vector<ModeKnot>& table, double amplitude);
/// Fits quartic terms c_ab e_a^2 e_b^2 of the energy of several modes, in addition to the quadratic energy of
/// `stiffness` [n x n]. The fit is a least-squares fit of energies and forces, each divided by the largest of its kind.
/// No coefficient is negative, so the energy is least at rest. Negligible terms are omitted.
[[nodiscard]] std::vector<ModeTerm> fit_terms(const Matrix& stiffness, const std::vector<EnergySample>& samples);

/// The energy of the quadratic part and the terms.
[[nodiscard]] double energy_of(const Matrix& stiffness, const std::vector<ModeTerm>& terms, const Vector& amplitude);

/// The x >= 0 with the least |A x - b|^2, where A is `rows` and b is `right`.
[[nodiscard]] Vector least_squares_above_zero(const Matrix& rows, const Vector& right);

}  // namespace scree::modes
