#pragma once

#include "scree/scene.hpp"

namespace scree {

/// Effective moduli of a contact of two elastic bodies.
struct EffectiveModuli {
  double young = 0;  ///< [Pa] E*
  double shear = 0;  ///< [Pa] G*
};

/// The effective moduli of a contact. A value that the pair states is taken; otherwise
/// 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b and 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b with G = E / (2 (1 + nu)).
[[nodiscard]] inline EffectiveModuli effective_moduli(const Material& a, const Material& b, const MaterialPair& pair) {
  const auto shear_modulus = [](const Material& m) { return m.young_modulus / (2 * (1 + m.poisson_ratio)); };
  const double young = 1 / ((1 - a.poisson_ratio * a.poisson_ratio) / a.young_modulus +
                            (1 - b.poisson_ratio * b.poisson_ratio) / b.young_modulus);
  const double shear = 1 / ((2 - a.poisson_ratio) / shear_modulus(a) + (2 - b.poisson_ratio) / shear_modulus(b));
  return {pair.effective_young.value_or(young), pair.effective_shear.value_or(shear)};
}

}  // namespace scree
