#pragma once

// Eigen must not use its own vector instructions: they fuse multiplications and additions, so that the bits would
// depend on the instruction set. All translation units must agree, so include Eigen only through this header.
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
using SparseMatrix = Eigen::SparseMatrix<double>;  ///< stored by columns; symmetric matrices have both triangles

}  // namespace scree::modes
