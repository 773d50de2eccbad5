#pragma once

#include <Eigen/Dense>
#include <cstddef>

#include "modes_kit.hpp"

namespace scree::inline SCREE_BACKEND {

/// The same matrix as a matrix of Eigen.
inline Eigen::Matrix3d matrix(const Matrix& m) {
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) { result(i, j) = m[std::size_t(i)][std::size_t(j)]; }
  }
  return result;
}

}  // namespace scree::inline SCREE_BACKEND
