#pragma once

#include <cmath>

#include "kernels/laws/linear_spring_dashpot.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The parameters that all laws with linear springs and dashpots take from two materials and their pair.
template <class R, LinearForm form = LinearForm{}>
[[nodiscard]] typename LinearFamily<R, form>::Params linear_params(const Material& a, const Material& b,
                                                                   const MaterialPair& pair) {
  const auto real = [](double value) { return static_cast<R>(value); };
  const double shear_factor = std::sqrt(2.0 / 7.0);
  const LinearSprings& s = pair.springs;
  const double young1 = s.from_moduli ? 2 * a.young_modulus : 0, young2 = s.from_moduli ? 2 * b.young_modulus : 0;
  return {.young1 = real(young1),
          .young2 = real(young2),
          .shear1 = real(a.poisson_ratio * young1),
          .shear2 = real(b.poisson_ratio * young2),
          .stiffness_per_mass = real(s.stiffness_per_mass),
          .shear_per_mass = real(s.shear_per_mass),
          .stiffness = real(s.stiffness),
          .shear_stiffness = real(s.shear_stiffness),
          .dashpot = real(s.dashpot),
          .shear_dashpot = real(s.shear_dashpot),
          .damping = real(2 * s.damping_ratio),
          .damping_shear = real(2 * shear_factor * s.shear_damping_ratio),
          .friction = real(pair.friction)};
}

}  // namespace scree::inline SCREE_BACKEND
