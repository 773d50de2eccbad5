#pragma once

#include "scree/cell.hpp"

namespace scree::geometry {

/// Diagonalises a symmetric matrix in place by Jacobi rotations. The diagonal becomes the eigenvalues; the rows of the
/// result are the eigenvectors. Elements off the diagonal below 1e-13 of the sum of the absolute diagonal elements
/// count as zero, so that rounding does not rotate axes that are already principal. The bits are the same everywhere.
Matrix3 diagonalise(Matrix3& m);

}  // namespace scree::geometry
