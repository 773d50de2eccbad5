#pragma once

#include <numbers>

#include "kernels/laws/with_cohesion.hpp"
#include "kernels/laws/with_liquid.hpp"
#include "scree/scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The parameters of a law with the cohesion of a pair. If the pair has none, the pull is 0.
template <class Law, class R>
[[nodiscard]] typename WithCohesion<Law, R>::Params cohesive(const typename Law::Params& law,
                                                             const MaterialPair& pair) {
  const LinearCohesion own = pair.cohesion.value_or(LinearCohesion{});
  const double density = std::numbers::pi * own.energy_density, circles = own.area == CohesionArea::sjkr2 ? 4 : 1;
  const bool intersection = own.area == CohesionArea::intersection;
  return {law, static_cast<R>(intersection ? 0 : circles * density), static_cast<R>(intersection ? density : 0),
          R(own.reduces_friction ? 1 : 0)};
}

/// Cosine of an angle in [0, pi/2], with the same bits for every C library.
[[nodiscard]] inline double exact_cosine(double angle) {
  const double square = angle * angle;
  double sum = 0;
  for (int n = 22; n > 0; n -= 2) { sum = (1 + sum) * (-square / (n * (n - 1))); }
  return 1 + sum;
}

/// The parameters of a law with the liquid of a pair. If the pair has none, the pull is 0.
template <class Law, class R, class Form = WillettBridge<R>>
[[nodiscard]] typename WithLiquid<Law, R, Form>::Params wet(const typename Law::Params& law, const MaterialPair& pair) {
  const LiquidBridges own = pair.liquid.value_or(LiquidBridges{});
  return {law,
          static_cast<R>(2 * std::numbers::pi * own.surface_tension * exact_cosine(own.contact_angle)),
          static_cast<R>(own.volume.value_or(0)),
          static_cast<R>(4.0 / 3.0 * std::numbers::pi * own.volume_fraction.value_or(0)),
          static_cast<R>(1 + 0.5 * own.contact_angle),
          R(own.from_films ? 1 : 0),
          static_cast<R>(6 * std::numbers::pi * own.viscosity.value_or(0)),
          static_cast<R>(own.roughness.value_or(1))};
}

}  // namespace scree::inline SCREE_BACKEND
