#include "host/modes/factor.hpp"

#ifdef SCREE_HAS_CHOLMOD
#include <Eigen/CholmodSupport>
#else
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#endif

#include "scree/errors.hpp"

namespace scree::modes {

#ifdef SCREE_HAS_CHOLMOD
struct Factor::Solver : Eigen::CholmodSupernodalLLT<SparseMatrix> {};
std::string solver_name() { return "CHOLMOD"; }
#else
struct Factor::Solver : Eigen::SimplicialLLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int> > {};
std::string solver_name() { return "Eigen"; }
#endif

Factor::Factor(const SparseMatrix& matrix, const std::string& name) : solver_(std::make_unique<Solver>()) {
  solver_->compute(matrix);
  if (solver_->info() != Eigen::Success) {
    throw CaseError(name, "its stiffness cannot be factored by " + solver_name() + ": it is not positive definite");
  }
}
Factor::~Factor() = default;

Matrix Factor::solve(const Matrix& right) const {
#ifdef SCREE_HAS_CHOLMOD
  return solver_->solve(right);  // CHOLMOD solves for all right-hand sides together
#else
  Matrix answer(right.rows(), right.cols());
#pragma omp parallel for schedule(dynamic) if (right.cols() > 1)
  for (Eigen::Index k = 0; k < right.cols(); ++k) answer.col(k) = solver_->solve(right.col(k));
  return answer;
#endif
}

}  // namespace scree::modes
