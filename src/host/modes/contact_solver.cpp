#include "host/modes/contact_solver.hpp"

#include <algorithm>
#include <vector>

#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

constexpr double tolerance = 1e-9;  ///< of forces and overlaps, over the largest that can be

/// The state of the pivoting.
struct Pivots {
  std::vector<char> touches;  ///< [n]
  Vector force, overlap;      ///< overlap above 0: more force is needed there

  [[nodiscard]] std::vector<Index> active() const {
    std::vector<Index> all;
    for (std::size_t k = 0; k < touches.size(); ++k) {
      if (touches[k] != 0) all.push_back(static_cast<Index>(k));
    }
    return all;
  }
  void solve(const Matrix& matrix, const Vector& right) {
    const std::vector<Index> rows = active();
    const Matrix among = matrix(rows, rows);
    const Vector found = among.llt().solve(Vector(right(rows)));
    force.setZero(right.size());
    force(rows) = found;
    overlap = right - matrix(Eigen::all, rows) * found;
  }
  [[nodiscard]] std::vector<Index> wrong(double force_unit, double overlap_unit) const {
    std::vector<Index> all;
    for (Index k = 0; k < force.size(); ++k) {
      const bool pulls = force[k]<-tolerance * force_unit, is_behind = overlap[k]> tolerance * overlap_unit;
      if (touches[static_cast<std::size_t>(k)] != 0 ? pulls : is_behind) all.push_back(k);
    }
    return all;
  }
};

}  // namespace

Vector solve_contact(const Matrix& matrix, const Vector& right, const Vector& start) {
  constexpr int most_block_pivots = 10;  // without getting nearer
  const Index n = right.size();
  const double overlap_unit = right.cwiseAbs().maxCoeff();
  const double force_unit = overlap_unit / matrix.diagonal().maxCoeff();
  Pivots pivots;
  pivots.touches.resize(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) pivots.touches[static_cast<std::size_t>(k)] = start[k] > 0 ? 1 : 0;
  Index fewest = n + 1;
  int tries = most_block_pivots;
  for (Index sweep = 0; sweep < 20 * n + 100; ++sweep) {
    pivots.solve(matrix, right);
    std::vector<Index> wrong = pivots.wrong(force_unit, overlap_unit);
    if (wrong.empty()) return pivots.force.cwiseMax(0);
    const auto count = static_cast<Index>(wrong.size());
    tries = count < fewest ? most_block_pivots : tries - 1;
    fewest = std::min(fewest, count);
    if (tries < 0) wrong = {wrong.back()};  // Murty's rule: the last one alone
    for (const Index k : wrong) pivots.touches[static_cast<std::size_t>(k)] ^= 1;
  }
  throw ContractError("solve_contact: no end in sight; the matrix is not positive definite");
}

}  // namespace scree::modes
