#pragma once

#include "kernels/interactions/hertz_params.hpp"
#include "kernels/laws/jkr.hpp"

namespace scree::inline SCREE_BACKEND {

template <class R>
[[nodiscard]] typename Jkr<R>::Params jkr_params(const Material& a, const Material& b, const MaterialPair& pair) {
  const HertzParams<R> hertz = hertz_params<R>(a, b, pair);
  const double adhesion = pi * pair.surface_energy;
  return {hertz.young,
          hertz.shear,
          hertz.damping,
          hertz.damping_shear,
          hertz.friction,
          static_cast<R>(adhesion),
          static_cast<R>(4 * adhesion / effective_moduli(a, b, pair).young)};
}

}  // namespace scree::inline SCREE_BACKEND
