#pragma once

#include <memory>
#include <string>

#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

/// The Cholesky factor of a sparse symmetric positive definite matrix: by CHOLMOD if scree was built with it, otherwise
/// by Eigen. Their solutions agree to about 1e-10.
class Factor {
 public:
  /// `matrix` must have both triangles. Its order should keep the factor sparse: Eigen uses this order, CHOLMOD finds
  /// its own. Throws CaseError (path: `name`) if the matrix is not positive definite, and std::bad_alloc if memory is
  /// short.
  Factor(const SparseMatrix& matrix, const std::string& name);
  ~Factor();
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;

  /// [rows x n] The solutions for n right-hand sides.
  [[nodiscard]] Matrix solve(const Matrix& right) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

/// "CHOLMOD" or "Eigen".
[[nodiscard]] std::string solver_name();

}  // namespace scree::modes
