#pragma once

#include <vector>

namespace scree::clumps {

/// Places and weights of Gauss' and Legendre's rule on [-1, 1], up to 64 of them: roots by bisection.
struct GaussRule {
  explicit GaussRule(unsigned n);
  std::vector<double> place, weight;
};

}  // namespace scree::clumps
