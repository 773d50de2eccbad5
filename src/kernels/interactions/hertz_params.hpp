#pragma once

#include <cmath>

#include "kernels/laws/hertz_mindlin.hpp"
#include "scree/elasticity.hpp"

namespace scree::inline SCREE_BACKEND {

inline constexpr double pi = 3.14159265358979323846;

/// The parameters that all laws with Hertz's normal force take from two materials and their pair.
template <class R>
[[nodiscard]] HertzParams<R> hertz_params(const Material& a, const Material& b, const MaterialPair& pair) {
  const auto [young, shear] = effective_moduli(a, b, pair);
  const double damping = 2 * pair.damping_ratio;
  const double damping_shear = 2 * pair.damping_ratio_shear.value_or(pair.damping_ratio);
  const auto real = [](double value) { return static_cast<R>(value); };
  return {real(young), real(8 * shear), real(damping), real(damping_shear * std::sqrt(4 * shear / young)),
          real(pair.friction)};
}

}  // namespace scree::inline SCREE_BACKEND
