#pragma once

#include <array>

#include "scree/values.hpp"

namespace scree::geometry {

using Matrix = std::array<Real3, 3>;  ///< rows

/// Makes a symmetric matrix diagonal by Jacobi's turns. Its diagonal then has the eigenvalues, and the rows of the
/// result are the eigenvectors. Products below 1e-13 of the sum of the diagonal, without signs, count as zero: rounding
/// must not turn axes that are principal already. The same bits everywhere.
Matrix diagonalise(Matrix& m);

}  // namespace scree::geometry
