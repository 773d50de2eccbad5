#include "host/modes/reduce.hpp"

#include <algorithm>
#include <cmath>

namespace scree::modes {
namespace {

using Index = Eigen::Index;

/// Snapshots as a product W R with W orthonormal in the mass and R [rank x n]. A snapshot that is a combination of
/// earlier ones within 1e-7 adds no column to W.
struct Parts {
  Matrix basis, factor;
};

Parts orthogonal_parts(const ElasticBody& body, const Matrix& snapshots) {
  constexpr double least = 1e-7;
  Parts parts{Matrix(snapshots.rows(), snapshots.cols()), Matrix::Zero(snapshots.cols(), snapshots.cols())};
  Index rank = 0;
  for (Index k = 0; k < snapshots.cols(); ++k) {
    Vector rest = snapshots.col(k);
    for (int pass = 0; pass < 2; ++pass) {
      const Vector share = parts.basis.leftCols(rank).transpose() * (body.mass() * rest);
      parts.factor.col(k).head(rank) += share;
      rest -= parts.basis.leftCols(rank) * share;
    }
    const double size = std::sqrt(rest.dot(body.mass() * rest));
    if (!(size > least * std::sqrt(snapshots.col(k).dot(body.mass() * snapshots.col(k))))) continue;
    parts.basis.col(rank) = rest / size;
    parts.factor(rank, k) = size;
    ++rank;
  }
  parts.basis.conservativeResize(Eigen::NoChange, rank);
  parts.factor.conservativeResize(rank, Eigen::NoChange);
  return parts;
}

}  // namespace

ProperModes proper_modes(const ElasticBody& body, const Matrix& snapshots, std::size_t keep) {
  Matrix scaled = snapshots;
  for (Index k = 0; k < scaled.cols(); ++k) {
    const double size = std::sqrt(scaled.col(k).dot(body.mass() * scaled.col(k)));
    if (size > 0) scaled.col(k) /= size;
  }
  const Parts parts = orthogonal_parts(body, scaled);
  if (parts.basis.cols() == 0) return {Matrix(snapshots.rows(), 0), Vector()};
  const Eigen::JacobiSVD<Matrix> values(parts.factor, Eigen::ComputeThinU);
  const Index count = std::min(static_cast<Index>(keep), parts.basis.cols());
  return {parts.basis * values.matrixU().leftCols(count), values.singularValues()};
}

Matrix energy_orthogonal(const ElasticBody& body, const Matrix& modes) {
  const Matrix mass = modes.transpose() * (body.mass() * modes);
  const Matrix stiffness = modes.transpose() * (body.stiffness() * modes);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(0.5 * (stiffness + stiffness.transpose()),
                                                                0.5 * (mass + mass.transpose()));
  return modes * solver.eigenvectors();
}

}  // namespace scree::modes
