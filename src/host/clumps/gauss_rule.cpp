#include "host/clumps/gauss_rule.hpp"

#include "scree/errors.hpp"

namespace scree::clumps {

GaussRule::GaussRule(unsigned n) {
  SCREE_EXPECT(n >= 1 && n <= 64, "needs 1 to 64 places");
  struct Value {
    double p, slope;
  };
  const auto legendre = [n](double x) {
    double p = 1, before = 0;
    for (unsigned k = 1; k <= n; ++k) {
      const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
      before = p;
      p = next;
    }
    return Value{p, n * (x * p - before) / (x * x - 1)};
  };
  constexpr int strips = 4001;  // odd, so that no strip ends at 0; far narrower than the gaps between the roots
  for (int i = 0; i < strips; ++i) {
    double low = -1 + 2.0 * i / strips, high = -1 + 2.0 * (i + 1) / strips;
    const bool rising = legendre(low).p < 0;
    if (rising == (legendre(high).p < 0)) continue;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      ((legendre(middle).p < 0) == rising ? low : high) = middle;
    }
    const double root = 0.5 * (low + high), slope = legendre(root).slope;
    place.push_back(root);
    weight.push_back(2 / ((1 - root) * (1 + root) * slope * slope));
  }
}

}  // namespace scree::clumps
