#pragma once

#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

/// Rigid motions of a body that only weak springs restrain, such as shifts between two planes.
struct LooseMotions {
  Matrix at_contact;      ///< [n_contacts x n_motions] displacement of each contact by each motion
  double compliance = 1;  ///< compliance of the weak springs, above 0
};

/// Solves for contact forces f [n_contacts] that only push, and only where the body touches: f >= 0, A f - b >= 0 and
/// f . (A f - b) = 0. Here A = `matrix` + `skin` 1 + c T T^T with the loose motions T and their compliance c, and b is
/// `right`. `matrix` must be symmetric and positive semidefinite; it is singular if there are more contacts than
/// unknowns of the body. `skin` must be above 0. Throws ContractError if `matrix` has negative eigenvalues.
[[nodiscard]] Vector solve_contact(const Matrix& matrix, double skin, const LooseMotions& motions, const Vector& right);

}  // namespace scree::modes
