#pragma once

#include <memory>
#include <string>

#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

/// A symmetric, positive definite, sparse matrix as the product of triangular ones, by CHOLMOD where scree was built
/// with it, else by Eigen. The two agree to some 1e-10.
class Factor {
 public:
  /// `matrix` has both triangles, with its unknowns in an order that fills few entries of the factor: Eigen keeps it,
  /// CHOLMOD finds its own. Throws CaseError with `name` as its path when it is not positive definite, and
  /// std::bad_alloc without the memory.
  Factor(const SparseMatrix& matrix, const std::string& name);
  ~Factor();
  Factor(const Factor&) = delete;
  Factor& operator=(const Factor&) = delete;

  /// [rows x n] the solutions for n right sides.
  [[nodiscard]] Matrix solve(const Matrix& right) const;

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

/// "CHOLMOD" or "Eigen".
[[nodiscard]] std::string solver_name();

}  // namespace scree::modes
