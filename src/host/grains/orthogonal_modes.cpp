#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/geometry/real3.hpp"
#include "host/grains/modes.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

/// A square matrix, row after row.
struct Square {
  std::size_t n = 0;
  std::vector<double> entry;
  double& at(std::size_t i, std::size_t j) { return entry[i * n + j]; }
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return entry[i * n + j]; }
};

bool is_diagonal(const Square& m) {
  for (std::size_t i = 0; i < m.n; ++i) {
    for (std::size_t j = 0; j < m.n; ++j) {
      if (i != j && std::fabs(m.at(i, j)) > 1e-9 * std::sqrt(std::fabs(m.at(i, i) * m.at(j, j)))) return false;
    }
  }
  return true;
}

/// Applies a Jacobi rotation to rows and columns i and j of a symmetric matrix, which makes the entry (i, j) 0, and to
/// the rows of `vectors`.
void turn(Square& m, Square& vectors, std::size_t i, std::size_t j) {
  const double theta = (m.at(j, j) - m.at(i, i)) / (2 * m.at(i, j));
  const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  const auto mix = [&](double& a, double& b) {
    const double first = a, second = b;
    a = c * first - s * second;
    b = s * first + c * second;
  };
  for (std::size_t k = 0; k < m.n; ++k) mix(m.at(k, i), m.at(k, j));
  for (std::size_t k = 0; k < m.n; ++k) {
    mix(m.at(i, k), m.at(j, k));
    mix(vectors.at(i, k), vectors.at(j, k));
  }
}

/// The eigenvectors (rows) of a symmetric matrix by Jacobi rotations; the matrix becomes diagonal. The order of
/// operations is fixed, so that the result has the same bits everywhere.
Square diagonalise(Square& m) {
  Square vectors{m.n, std::vector<double>(m.n * m.n)};
  for (std::size_t k = 0; k < m.n; ++k) vectors.at(k, k) = 1;
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool done = true;
    for (std::size_t i = 0; i < m.n; ++i) {
      for (std::size_t j = i + 1; j < m.n; ++j) {
        if (std::fabs(m.at(i, j)) <= 1e-16 * std::sqrt(std::fabs(m.at(i, i) * m.at(j, j)))) continue;
        turn(m, vectors, i, j);
        done = false;
      }
    }
    if (done) break;
  }
  return vectors;
}

/// The matrix rows m rows^T: a mass or stiffness matrix for new modes, whose components in the old modes are the rows.
Square in_modes(const Square& rows, const Square& m) {
  Square result{m.n, std::vector<double>(m.n * m.n)};
  for (std::size_t a = 0; a < m.n; ++a) {
    for (std::size_t b = 0; b < m.n; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < m.n; ++i) {
        for (std::size_t j = 0; j < m.n; ++j) sum += rows.at(a, i) * m.at(i, j) * rows.at(b, j);
      }
      result.at(a, b) = sum;
    }
  }
  return result;
}

/// The components (rows) of new modes in the old modes. Their mass is the unit matrix, and their stiffness is diagonal
/// and ascends.
Square new_modes(Square mass, const Square& stiffness) {
  const Square axes = diagonalise(mass);
  double most = 0;
  for (std::size_t a = 0; a < mass.n; ++a) most = std::max(most, mass.at(a, a));
  Square unit = axes;
  for (std::size_t a = 0; a < mass.n; ++a) {
    if (!(mass.at(a, a) > 1e-10 * most)) {
      throw CaseError("", "modes are not independent of each other and of the motion of a rigid body");
    }
    for (std::size_t k = 0; k < mass.n; ++k) unit.at(a, k) /= std::sqrt(mass.at(a, a));
  }
  Square k = in_modes(unit, stiffness);
  const Square turned = diagonalise(k);
  std::vector<std::size_t> order(k.n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return k.at(a, a) < k.at(b, b); });
  Square rows{k.n, std::vector<double>(k.n * k.n)};
  for (std::size_t a = 0; a < k.n; ++a) {
    for (std::size_t i = 0; i < k.n; ++i) {
      for (std::size_t j = 0; j < k.n; ++j) rows.at(a, i) += turned.at(order[a], j) * unit.at(j, i);
    }
  }
  return rows;
}

/// Replaces displacements, which are stored mode after mode, by the displacements of the new modes.
template <class Vector>
void combine(const Square& rows, std::vector<Vector>& modes) {
  const std::size_t each = modes.size() / rows.n;
  std::vector<Real3> sum(rows.n);
  for (std::size_t k = 0; k < each; ++k) {
    for (std::size_t a = 0; a < rows.n; ++a) {
      sum[a] = {};
      for (std::size_t b = 0; b < rows.n; ++b) {
        for (std::size_t c = 0; c < 3; ++c) {
          sum[a][c] += rows.at(a, b) * static_cast<double>(modes[b * each + k][c]);
        }
      }
    }
    for (std::size_t a = 0; a < rows.n; ++a) {
      for (std::size_t c = 0; c < 3; ++c) {
        modes[a * each + k][c] = static_cast<typename Vector::value_type>(sum[a][c]);
      }
    }
  }
}

/// Throws CaseError (path: empty) for a negative stiffness, with which a deformation would grow without limit. A
/// stiffness that is negative within rounding becomes 0.
void refuse_negative_stiffness(Square& m) {
  double most = 0;
  for (std::size_t i = 0; i < m.n; ++i) most = std::max(most, std::fabs(m.at(i, i)));
  for (std::size_t i = 0; i < m.n; ++i) {
    double& k = m.at(i, i);
    if (k < -1e-9 * most) throw CaseError("", "the stiffness of the modes is negative: some sum of them gains energy");
    if (k < 0) k = 0;
  }
}

void keep_diagonal(Square m, std::vector<double>& matrix) {
  for (std::size_t i = 0; i < m.n; ++i) {
    for (std::size_t j = 0; j < m.n; ++j) matrix[i * m.n + j] = i == j ? m.at(i, j) : 0;
  }
}

}  // namespace

bool make_orthogonal(GrainShape& shape) {
  GrainModes& all = shape.modes;
  const Square mass{all.count, all.mass};
  Square stiffness{all.count, all.stiffness};
  if (is_diagonal(mass) && is_diagonal(stiffness)) {
    refuse_negative_stiffness(stiffness);
    keep_diagonal(mass, all.mass);
    keep_diagonal(stiffness, all.stiffness);
    return false;
  }
  if (!all.terms.empty()) throw CaseError("", "modes with terms of the energy must be orthogonal already");
  Square rows = new_modes(mass, stiffness);
  Square own = in_modes(rows, stiffness);  // stiffness of modes with the mass 1
  refuse_negative_stiffness(own);
  for (std::size_t a = 0; a < rows.n; ++a) {
    double most = 0;
    for (std::size_t k = 0; k < shape.node.size(); ++k) {
      Real3 u{};
      for (std::size_t b = 0; b < rows.n; ++b) {
        u = geometry::add(u, geometry::scaled(all.at_node[b * shape.node.size() + k], rows.at(a, b)));
      }
      most = std::max(most, geometry::length(u));
    }
    for (std::size_t b = 0; b < rows.n; ++b) rows.at(a, b) /= most;
  }
  combine(rows, all.field);
  combine(rows, all.at_node);
  keep_diagonal(in_modes(rows, mass), all.mass);
  own = in_modes(rows, stiffness);
  refuse_negative_stiffness(own);
  keep_diagonal(own, all.stiffness);
  all.largest.assign(all.count, 0);
  return true;
}

}  // namespace scree::grains
