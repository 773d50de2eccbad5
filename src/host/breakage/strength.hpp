#pragma once

#include <cstdint>

#include "host/packing/random.hpp"
#include "scree/breakage.hpp"

namespace scree::breakage {

/// The purpose of random numbers of a particle that breaks.
enum class Chance : std::uint64_t { strength = 0, orientation = 1 };
/// The random numbers of a particle for a purpose. They depend only on the seed of the case and the id.
[[nodiscard]] packing::Random random_of(std::uint64_t seed, std::uint32_t id, Chance chance);

/// The octahedral shear stress [Pa] at which a sphere breaks. The strengths of spheres of one size have a Weibull
/// distribution, P(s > x) = exp(-(x / s0)^m), and are drawn like strengths of bonds: s0 (-ln u)^(1/m) with u uniform in
/// (0, 1). The scale s0 decreases with the diameter by the exponent of `rule`. With the exponent 3/m the weakest of
/// equal parts of the volume determines the strength (weakest-link theory).
[[nodiscard]] double strength_of(const SceneBreakageRule& rule, std::uint64_t seed, std::uint32_t id, double radius);

}  // namespace scree::breakage
