#include "host/modes/elastic_body.hpp"

#include <vector>

#include "host/modes/dissection.hpp"
#include "host/modes/hexahedron.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::modes {
namespace {

using Index = Eigen::Index;

using Entries = std::vector<Eigen::Triplet<double, std::int32_t>>;

SparseMatrix sum_of(const Entries& entries, Index rows) {
  SparseMatrix sum(rows, rows);
  sum.setFromTriplets(entries.begin(), entries.end());
  return sum;
}

std::array<std::int32_t, 8> points_of(const CutCells& cells, std::size_t cell) {
  std::array<std::int32_t, 8> point{};
  for (std::size_t c = 0; c < 8; ++c) point[c] = cells.point_at[cells.corner[cell] + cells.corner_step[c]];
  return point;
}

SparseMatrix stiffness_of(const CutCells& cells, double poisson_ratio) {
  const ElementMatrix of_cube = cube_stiffness(poisson_ratio);
  Entries entries;
  entries.reserve(24 * 24 * cells.corner.size());
  for (std::size_t cell = 0; cell < cells.corner.size(); ++cell) {
    const auto point = points_of(cells, cell);
    for (int a = 0; a < 24; ++a) {
      for (int b = 0; b < 24; ++b) {
        entries.emplace_back(3 * point[static_cast<std::size_t>(a) / 3] + a % 3,
                             3 * point[static_cast<std::size_t>(b) / 3] + b % 3, cells.fraction[cell] * of_cube(a, b));
      }
    }
  }
  return sum_of(entries, static_cast<Index>(3 * cells.points()));
}

SparseMatrix mass_matrix(const GrainShape& shape, const CutCells& cells) {
  Entries entries;
  entries.reserve(3 * 8 * 8 * cells.corner.size());
  for (std::size_t cell = 0; cell < cells.corner.size(); ++cell) {
    const auto point = points_of(cells, cell);
    const auto mass = mass_of_cell(shape, cells, cell);
    for (std::size_t a = 0; a < 8; ++a) {
      for (std::size_t b = 0; b < 8; ++b) {
        for (std::int32_t axis = 0; axis < 3; ++axis) {
          entries.emplace_back(3 * point[a] + axis, 3 * point[b] + axis, mass[a][b]);
        }
      }
    }
  }
  return sum_of(entries, static_cast<Index>(3 * cells.points()));
}

}  // namespace

ElasticBody::ElasticBody(const GrainShape& shape, double poisson_ratio) : cells_(cut_cells(shape)) {
  if (3 * cells_.points() > most_unknowns) {
    throw CaseError(shape.name, "the mesh is too large: its " + count_text(cells_.points()) +
                                    " points have more than " + count_text(most_unknowns) +
                                    " unknowns; give the grid a larger spacing");
  }
  stiffness_ = stiffness_of(cells_, poisson_ratio);
  mass_ = mass_matrix(shape, cells_);
  make_rigid_motions();
  factor(shape.name);
}

void ElasticBody::make_rigid_motions() {
  rigid_ = Matrix::Zero(unknowns(), 6);
  const Real3 middle = cells_.place(cells_.point[cells_.points() / 2]);
  for (std::size_t point = 0; point < cells_.points(); ++point) {
    const Real3 place = cells_.place(cells_.point[point]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
      const auto row = static_cast<Index>(3 * point), turn = static_cast<Index>(3 + axis);
      rigid_(row + static_cast<Index>(axis), static_cast<Index>(axis)) = 1;
      rigid_(row + static_cast<Index>(last), turn) = place[next] - middle[next];
      rigid_(row + static_cast<Index>(next), turn) = middle[last] - place[last];
    }
  }
  for (int pass = 0; pass < 2; ++pass) {  // the second pass corrects rounding
    const Matrix masses = rigid_.transpose() * (mass_ * rigid_);
    masses.llt().matrixU().solveInPlace<Eigen::OnTheRight>(rigid_);
  }
  rigid_momentum_ = mass_ * rigid_;
}

void ElasticBody::remove_rigid(Matrix& displacements) const {
  for (int pass = 0; pass < 2; ++pass) displacements -= rigid_ * (rigid_momentum_.transpose() * displacements);
}

void ElasticBody::factor(const std::string& name) {
  // Hold the six unknowns that determine rigid-body motion best, at points with much of the grain around them.
  const Vector weight = mass_.diagonal();
  std::vector<Index> candidate;
  for (Index row = 0; row < unknowns(); ++row) {
    if (weight[row] >= 0.5 * weight.maxCoeff()) candidate.push_back(row);
  }
  const Matrix motions = rigid_(candidate, Eigen::all).transpose();
  const Eigen::ColPivHouseholderQR<Matrix> order(motions);
  free_of_.assign(static_cast<std::size_t>(unknowns()), 0);
  for (int k = 0; k < 6; ++k) {
    free_of_[static_cast<std::size_t>(candidate[static_cast<std::size_t>(order.colsPermutation().indices()[k])])] = -1;
  }
  std::int32_t count = 0;
  for (const std::int32_t point : dissection_order(cells_)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto& index = free_of_[3 * static_cast<std::size_t>(point) + axis];
      if (index >= 0) index = count++;
    }
  }
  Entries entries;
  entries.reserve(static_cast<std::size_t>(stiffness_.nonZeros()));
  for (Index column = 0; column < unknowns(); ++column) {
    const std::int32_t to = free_of_[static_cast<std::size_t>(column)];
    for (SparseMatrix::InnerIterator entry(stiffness_, column); entry && to >= 0; ++entry) {
      const std::int32_t row = free_of_[static_cast<std::size_t>(entry.row())];
      if (row >= 0) entries.emplace_back(row, to, entry.value());
    }
  }
  factor_ = std::make_unique<Factor>(sum_of(entries, count), name);
}

Matrix ElasticBody::solve(Matrix loads) const {
  loads -= rigid_momentum_ * (rigid_.transpose() * loads);
  Matrix right(unknowns() - 6, loads.cols());
  for (Index row = 0; row < unknowns(); ++row) {
    const std::int32_t to = free_of_[static_cast<std::size_t>(row)];
    if (to >= 0) right.row(to) = loads.row(row);
  }
  const Matrix left = factor_->solve(right);
  for (Index row = 0; row < unknowns(); ++row) {
    const std::int32_t from = free_of_[static_cast<std::size_t>(row)];
    if (from >= 0) {
      loads.row(row) = left.row(from);
    } else {
      loads.row(row).setZero();
    }
  }
  remove_rigid(loads);
  return loads;
}

}  // namespace scree::modes
