#pragma once

#include <cstdint>

#include "host/packing/random.hpp"
#include "scree/breakage.hpp"

namespace scree::breakage {

/// The random numbers of a particle that breaks. They depend on the seed of the case and its id alone.
enum class Chance : std::uint64_t { strength = 0, orientation = 1 };
[[nodiscard]] packing::Random random_of(std::uint64_t seed, std::uint32_t id, Chance chance);

/// [Pa] The octahedral shear stress at which a sphere breaks. Strengths of spheres of one size have the distribution of
/// Weibull, P(s > x) = exp(-(x / s0)^m), and are drawn as those of bonds: s0 (-ln u)^(1/m) with u uniform in (0, 1).
/// The scale s0 falls with the size as `rule` says: with the exponent 3/m it is the weakest of equal parts of the
/// volume that breaks the sphere.
[[nodiscard]] double strength_of(const SceneBreakageRule& rule, std::uint64_t seed, std::uint32_t id, double radius);

}  // namespace scree::breakage
