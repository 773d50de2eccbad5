#pragma once

#include <cmath>
#include <numbers>

#include "kernels/laws/elasto_plastic.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The parameters of an elasto-plastic law of a pair.
template <class Law, class R>
[[nodiscard]] typename Law::Params plastic_params(const typename Law::Springs& springs, const MaterialPair& pair) {
  const Plasticity& own = pair.plasticity;
  const auto real = [](double value) { return static_cast<R>(value); };
  return {springs,
          real(own.ratio),
          real(1 / (1 - own.ratio)),
          real(own.pull_off),
          real(own.adhesion),
          real(3 * std::sqrt(2.0) * std::numbers::pi * pair.surface_energy)};
}

}  // namespace scree::inline SCREE_BACKEND
