#pragma once

#include <memory>
#include <string>

#include "host/modes/cut_cells.hpp"
#include "host/modes/factor.hpp"
#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

inline constexpr std::size_t most_unknowns = 250'000;  ///< the factor then takes about 4 GiB

/// A grain as a body of linear elastic finite elements: one cube with eight points for each cell of its grid. The
/// stiffness of a cube is multiplied by its fraction in the grain, and its mass is the mass of this part. Units:
/// spacing, density and Young's modulus are 1. Vectors have x, y, z of the first point, then of the second, and so on.
class ElasticBody {
 public:
  /// `poisson_ratio` must be at least 0 and below 0.5. Throws CaseError (path: the name of the grain) if the mesh has
  /// more than most_unknowns, and as cut_cells() does.
  ElasticBody(const GrainShape& shape, double poisson_ratio);

  [[nodiscard]] const CutCells& cells() const { return cells_; }
  [[nodiscard]] Eigen::Index unknowns() const { return mass_.rows(); }
  [[nodiscard]] const SparseMatrix& stiffness() const { return stiffness_; }
  [[nodiscard]] const SparseMatrix& mass() const { return mass_; }
  /// [unknowns x 6] The rigid-body motions, orthonormal in the mass; translations come first.
  [[nodiscard]] const Matrix& rigid() const { return rigid_; }

  /// Removes rigid-body motion from displacements: rigid()^T M displacements becomes 0.
  void remove_rigid(Matrix& displacements) const;

  /// [unknowns x n] Elastic displacements of the free body under n loads, without rigid-body motion. Inertia balances
  /// the part of a load that would accelerate the body: K solve(f) = f - M rigid() rigid()^T f.
  [[nodiscard]] Matrix solve(Matrix loads) const;

 private:
  void make_rigid_motions();
  void factor(const std::string& name);

  CutCells cells_;
  SparseMatrix stiffness_, mass_;
  Matrix rigid_, rigid_momentum_;      ///< M rigid_
  std::vector<std::int32_t> free_of_;  ///< [unknowns] index among the unknowns that are not held; -1: held
  std::unique_ptr<Factor> factor_;     ///< of the stiffness with six unknowns held, which prevents rigid-body motion
};

}  // namespace scree::modes
