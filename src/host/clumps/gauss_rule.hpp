#pragma once

#include <vector>

namespace scree::clumps {

/// The Gauss-Legendre quadrature rule with 1 to 64 places on [-1, 1]; its roots are found by bisection.
struct GaussRule {
  explicit GaussRule(unsigned n);
  std::vector<double> place, weight;
};

}  // namespace scree::clumps
