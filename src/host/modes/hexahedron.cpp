#include "host/modes/hexahedron.hpp"

#include <array>
#include <cmath>

namespace scree::modes {
namespace {

using Gradients = Eigen::Matrix<double, 3, 8>;  ///< of the shape functions
using StrainMatrix = Eigen::Matrix<double, 6, 24>;

/// The linear shape function of the lower (0) or upper (1) end along one axis; below, its slope.
double along(unsigned end, double at) { return end != 0 ? at : 1 - at; }
double slope(unsigned end) { return end != 0 ? 1 : -1; }

Gradients gradients_at(const std::array<double, 3>& place) {
  Gradients gradients;
  for (unsigned c = 0; c < 8; ++c) {
    for (unsigned axis = 0; axis < 3; ++axis) {
      double value = slope((c >> axis) & 1U);
      for (unsigned other = 0; other < 3; ++other) {
        if (other != axis) value *= along((c >> other) & 1U, place[other]);
      }
      gradients(axis, c) = value;
    }
  }
  return gradients;
}

/// The matrix that gives the strains xx, yy, zz, 2 yz, 2 zx, 2 xy from the displacements of the corners.
StrainMatrix strains(const Gradients& gradients) {
  StrainMatrix all = StrainMatrix::Zero();
  for (int c = 0; c < 8; ++c) {
    for (int axis = 0; axis < 3; ++axis) {
      const int next = (axis + 1) % 3, last = (axis + 2) % 3;
      all(axis, 3 * c + axis) = gradients(axis, c);
      all(3 + axis, 3 * c + next) = gradients(last, c);
      all(3 + axis, 3 * c + last) = gradients(next, c);
    }
  }
  return all;
}

Eigen::Matrix<double, 6, 6> elasticity(double nu) {
  Eigen::Matrix<double, 6, 6> stiffness = Eigen::Matrix<double, 6, 6>::Zero();
  const double shear = 0.5 / (1 + nu), lame = nu / ((1 + nu) * (1 - 2 * nu));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) stiffness(i, j) = lame + (i == j ? 2 * shear : 0);
    stiffness(3 + i, 3 + i) = shear;
  }
  return stiffness;
}

/// Replaces the dilatation at a point by the dilatation in the middle, in three equal parts.
void average_dilatation(StrainMatrix& at_point, const StrainMatrix& in_middle) {
  const Eigen::Matrix<double, 1, 24> change =
      (in_middle.topRows<3>().colwise().sum() - at_point.topRows<3>().colwise().sum()) / 3;
  for (int axis = 0; axis < 3; ++axis) at_point.row(axis) += change;
}

}  // namespace

ElementMatrix cube_stiffness(double poisson_ratio) {
  const auto moduli = elasticity(poisson_ratio);
  const StrainMatrix in_middle = strains(gradients_at({0.5, 0.5, 0.5}));
  const std::array<double, 2> gauss = {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)};
  ElementMatrix stiffness = ElementMatrix::Zero();
  for (const double x : gauss) {
    for (const double y : gauss) {
      for (const double z : gauss) {
        StrainMatrix at_point = strains(gradients_at({x, y, z}));
        if (poisson_ratio > nearly_incompressible) average_dilatation(at_point, in_middle);
        stiffness += at_point.transpose() * moduli * at_point / 8;
      }
    }
  }
  return 0.5 * (stiffness + stiffness.transpose());
}

}  // namespace scree::modes
