#pragma once

// Eigen without its own vector instructions: they would fuse multiplications and additions, and its bits would depend
// on the instruction set. All units must agree on this, so Eigen is included here and nowhere else.
#define EIGEN_DONT_VECTORIZE
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <Eigen/SparseCore>

namespace scree::modes {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;  ///< column after column; symmetric ones with both triangles

}  // namespace scree::modes
