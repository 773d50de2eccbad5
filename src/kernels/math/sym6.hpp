#pragma once

#include "kernels/math/functions.hpp"
#include "kernels/math/vec3.hpp"

namespace scree::inline SCREE_BACKEND {

/// Symmetric 6 x 6 matrix: the lower triangle row by row, translations before rotations.
struct Sym6 {
  double entry[21] = {};

  static constexpr int place(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }
  SCREE_HD double at(int i, int j) const { return entry[place(i, j)]; }
  SCREE_HD double trace() const { return at(0, 0) + at(1, 1) + at(2, 2) + at(3, 3) + at(4, 4) + at(5, 5); }
};

SCREE_HD inline Sym6 squared(const Sym6& m) {
  Sym6 result;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; k < 6; ++k) { sum += m.at(i, k) * m.at(j, k); }
      result.entry[Sym6::place(i, j)] = sum;
    }
  }
  return result;
}

/// a m + b n.
SCREE_HD inline Sym6 combined(double a, const Sym6& m, double b, const Sym6& n) {
  Sym6 result;
  for (int k = 0; k < 21; ++k) { result.entry[k] = a * m.entry[k] + b * n.entry[k]; }
  return result;
}

/// Whether all eigenvalues are below `bound`, which is so if the pivots of bound - M are positive.
SCREE_HD inline bool all_below(const Sym6& m, double bound) {
  double factor[6][6], pivot[6];
  bool below = true;
  for (int j = 0; j < 6; ++j) {
    for (int i = j; i < 6; ++i) {
      double rest = (i == j ? bound : 0.0) - m.at(i, j);
      for (int k = 0; k < j; ++k) { rest -= factor[i][k] * factor[j][k] * pivot[k]; }
      if (i == j) {
        pivot[j] = rest;
        below = below && rest > 0;
      } else {
        factor[i][j] = rest / pivot[j];
      }
    }
  }
  return below;
}

/// Upper bound of the largest eigenvalue of a positive semidefinite matrix. X = M / tr M is squared six times. Then
/// tr(X^128)^(1/128) is never too small, and at most 1.4 % too large (if all six eigenvalues are equal). With v the
/// largest column of X^64 and rho = v X v / v v, the value rho + |X v - rho v| is nearly exact. It is returned if no
/// eigenvalue is above it.
SCREE_HD inline double largest_eigenvalue(const Sym6& m) {
  const double trace = m.trace();
  if (!(trace > 0)) { return 0; }
  const Sym6 x = combined(1 / trace, m, 0, m);
  Sym6 power = x;
  for (int k = 0; k < 6; ++k) { power = squared(power); }
  double squares = 0, most = -1;
  double v[6] = {};
  for (int i = 0; i < 6; ++i) {
    const bool larger = power.at(i, i) > most;
    most = larger ? power.at(i, i) : most;
    for (int j = 0; j < 6; ++j) {
      v[j] = larger ? power.at(i, j) : v[j];
      squares += power.at(i, j) * power.at(i, j);
    }
  }
  double root = squares;
  for (int k = 0; k < 7; ++k) { root = math::sqrt(root); }
  double image[6], length = 0, along = 0, rest = 0;
  for (int i = 0; i < 6; ++i) {
    image[i] = 0;
    for (int j = 0; j < 6; ++j) { image[i] += x.at(i, j) * v[j]; }
    length += v[i] * v[i];
    along += v[i] * image[i];
  }
  const double rho = along / length;
  for (int i = 0; i < 6; ++i) { rest += (image[i] - rho * v[i]) * (image[i] - rho * v[i]); }
  // The factor keeps pivots of 0 from becoming negative by rounding.
  const double nearer = (rho + math::sqrt(rest / length)) * (1 + 1e-11);
  return trace * (nearer < root && all_below(x, nearer) ? nearer : root);
}

}  // namespace scree::inline SCREE_BACKEND
