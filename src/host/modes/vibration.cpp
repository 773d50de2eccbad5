#include "host/modes/vibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Spectra/SymGEigsShiftSolver.h>

#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

/// The inverse of the stiffness as an operator for Spectra, without known modes and rigid-body motion.
class InverseStiffness {
 public:
  using Scalar = double;
  InverseStiffness(const ElasticBody& body, const Matrix& known) : body_(body), known_(known) {
    momentum_ = body.mass() * known;
  }
  [[nodiscard]] Index rows() const { return body_.unknowns(); }
  [[nodiscard]] Index cols() const { return body_.unknowns(); }
  void set_shift(double /*shift*/) const {}  // always 0, because without rigid-body motion the stiffness has an inverse
  void perform_op(const double* from, double* to) const {
    Matrix answer = body_.solve(Eigen::Map<const Vector>(from, rows()));
    for (int pass = 0; pass < 2; ++pass) answer -= known_ * (momentum_.transpose() * answer);
    Eigen::Map<Vector>(to, rows()) = answer;
  }

 private:
  const ElasticBody& body_;
  const Matrix& known_;
  Matrix momentum_;
};

class MassProduct {
 public:
  using Scalar = double;
  explicit MassProduct(const ElasticBody& body) : body_(body) {}
  [[nodiscard]] Index rows() const { return body_.unknowns(); }
  [[nodiscard]] Index cols() const { return body_.unknowns(); }
  void perform_op(const double* from, double* to) const {
    Eigen::Map<Vector>(to, rows()).noalias() = body_.mass() * Eigen::Map<const Vector>(from, rows());
  }

 private:
  const ElasticBody& body_;
};

/// Appends the `count` lowest modes that are not known yet.
void append_lowest(const ElasticBody& body, Index count, const std::string& name, Vector& eigenvalue, Matrix& mode) {
  constexpr Index most_passes = 300;
  constexpr double tolerance = 1e-10;
  const Matrix known = mode;
  InverseStiffness inverse(body, known);
  MassProduct mass(body);
  const Index space = std::min(body.unknowns() - known.cols() - 6, std::max<Index>(2 * count + 2, 20));
  count = std::min(count, space - 1);
  Spectra::SymGEigsShiftSolver<InverseStiffness, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, mass, count, space, 0.0);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, most_passes, tolerance, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful) {
    throw CaseError(name, "its modes of vibration do not converge; give fewer modes or another spacing of the grid");
  }
  const Vector found = solver.eigenvalues();
  const Matrix vectors = solver.eigenvectors();
  eigenvalue.conservativeResize(known.cols() + found.size());
  mode.conservativeResize(Eigen::NoChange, known.cols() + found.size());
  eigenvalue.tail(found.size()) = found;
  mode.rightCols(found.size()) = vectors;
}

void sort_modes(Vector& eigenvalue, Matrix& mode) {
  std::vector<Index> order(static_cast<std::size_t>(eigenvalue.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return eigenvalue[a] < eigenvalue[b]; });
  const Vector values = eigenvalue(order);
  const Matrix modes = mode(Eigen::all, order);
  eigenvalue = values;
  mode = modes;
}

/// Appends modes until all new modes lie above the known ones, because a Krylov space of one vector may miss members of
/// a group. Returns the number of modes that are complete.
Index append_missed(const ElasticBody& body, const std::string& name, Vector& eigenvalue, Matrix& mode) {
  constexpr Index at_once = 3;
  while (true) {
    sort_modes(eigenvalue, mode);
    const Index known = eigenvalue.size();
    append_lowest(body, at_once, name, eigenvalue, mode);
    if (eigenvalue.tail(eigenvalue.size() - known).minCoeff() >= eigenvalue[known - 1]) return known;
  }
}

}  // namespace

std::optional<std::size_t> whole_groups(const Vector& eigenvalue, std::size_t least) {
  for (Index count = static_cast<Index>(least); count < eigenvalue.size(); ++count) {
    if (std::sqrt(eigenvalue[count]) > (1 + same_frequency) * std::sqrt(eigenvalue[count - 1])) {
      return static_cast<std::size_t>(count);
    }
  }
  return std::nullopt;
}

Vibrations find_vibrations(const ElasticBody& body, std::size_t count, std::size_t most, const std::string& name,
                           const Progress& progress) {
  constexpr Index more = 8;  // further modes, to find the end of a group
  Vibrations found;
  found.asked = count;
  found.mode.resize(body.unknowns(), 0);
  const auto limit = static_cast<Index>(most) + 4 * more;
  while (found.mode.cols() < limit) {
    const Index wanted = found.mode.cols() == 0 ? static_cast<Index>(count) + more : more;
    progress("looking for " + std::to_string(wanted) + " modes of vibration");
    append_lowest(body, wanted, name, found.eigenvalue, found.mode);
    const Index complete = append_missed(body, name, found.eigenvalue, found.mode);
    const auto whole = whole_groups(found.eigenvalue.head(complete), count);
    if (whole && *whole > most) break;
    if (!whole) continue;
    const auto n = static_cast<Index>(*whole);
    found.next = found.eigenvalue[n];
    found.eigenvalue.conservativeResize(n);
    found.mode.conservativeResize(Eigen::NoChange, n);
    return found;
  }
  throw CaseError(name, "the modes beyond number " + std::to_string(count) +
                            " form a group of equal frequencies that ends after number " + std::to_string(most) +
                            ", the most a grain can have; ask for fewer");
}

}  // namespace scree::modes
