#pragma once

#include <memory>
#include <string>

#include "host/modes/cut_cells.hpp"
#include "host/modes/factor.hpp"
#include "host/modes/linear_algebra.hpp"

namespace scree::modes {

inline constexpr std::size_t most_unknowns = 250'000;  ///< of a mesh: its factor takes some 4 GiB then

/// A grain as a body of linear elastic finite elements: a cube of eight points for each cell of its grid. The stiffness
/// of a cube is multiplied by the part of it that lies in the grain; its mass is that of this part. Length, density and
/// Young's modulus are 1 where one spacing is 1. Vectors have x, y, z of the first point, of the second, and so on.
class ElasticBody {
 public:
  /// Throws CaseError (path: the name of the grain) for a mesh with more than most_unknowns, and as cut_cells() does.
  /// `poisson_ratio` is at least 0 and below 0.5.
  ElasticBody(const GrainShape& shape, double poisson_ratio);

  [[nodiscard]] const CutCells& cells() const { return cells_; }
  [[nodiscard]] Eigen::Index unknowns() const { return mass_.rows(); }
  [[nodiscard]] const SparseMatrix& stiffness() const { return stiffness_; }
  [[nodiscard]] const SparseMatrix& mass() const { return mass_; }
  /// [unknowns x 6] the rigid motions, orthonormal in the mass: translations first.
  [[nodiscard]] const Matrix& rigid() const { return rigid_; }

  /// Takes the part of rigid motion out of displacements: rigid() . M . columns becomes 0.
  void remove_rigid(Matrix& displacements) const;

  /// [unknowns x n] elastic displacements under n loads on the free body, without rigid motion. The part of a load
  /// that would accelerate the body is balanced by its inertia. K solve(f) = f - M rigid() rigid()^T f.
  [[nodiscard]] Matrix solve(Matrix loads) const;

 private:
  void make_rigid_motions();
  void factor(const std::string& name);

  CutCells cells_;
  SparseMatrix stiffness_, mass_;
  Matrix rigid_, rigid_momentum_;      ///< M rigid_
  std::vector<std::int32_t> free_of_;  ///< [unknowns] index among those that are not held; -1: held
  std::unique_ptr<Factor> factor_;     ///< with six unknowns held, such that no rigid motion is left
};

}  // namespace scree::modes
