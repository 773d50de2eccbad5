#pragma once

#include <memory>

#include "kernels/interactions/run_laws.hpp"
#include "kernels/laws/bonded.hpp"

/// Two forms of the law bonded: the plain one, and one with dashpots and with bonds that are made later. Each is
/// compiled in a unit of its own; the unit of the plain one chooses.
namespace scree::inline SCREE_BACKEND {

template <class R>
[[nodiscard]] std::unique_ptr<RunLaw<R>> make_viscous_bonded(const Scene& scene, const LawPlace& place);

/// Whether any bonds of spheres have dashpots or are made after the start.
[[nodiscard]] inline bool needs_viscous_bonds(const Scene& scene) {
  for (std::size_t a = 0; a < scene.materials.size(); ++a) {
    for (std::size_t b = 0; b < scene.materials.size(); ++b) {
      if (scene.law_of(a, b) != LawKind::bonded || scene.is_of_grains(a) || scene.is_of_grains(b)) { continue; }
      const Bond& bond = scene.pair(a, b).bond;
      if (bond.damping > 0 || bond.form == BondForm::near) { return true; }
    }
  }
  return false;
}

template <class R>
[[nodiscard]] typename Bonded<R>::Params bonded_params(const Material& a, const Material& b, const MaterialPair& pair) {
  const auto real = [](double value) { return static_cast<R>(value); };
  const double young = 0.5 * (a.young_modulus + b.young_modulus);
  const double shear = 0.5 * (a.poisson_ratio * a.young_modulus + b.poisson_ratio * b.young_modulus);
  const Bond& bond = pair.bond;
  return {real(young),
          real(shear),
          real(bond.tensile_strength),
          real(bond.cohesion),
          real(pair.friction),
          real(bond.interaction_range),
          bond.strain == NormalStrain::logarithmic ? R(1) : R(0),
          real(bond.moment_contribution)};
}

}  // namespace scree::inline SCREE_BACKEND
