#pragma once

#include <cstdint>
#include <optional>

#include "host/geometry/fragment_pattern.hpp"
#include "scree/particle_set.hpp"

namespace scree::breakage {

/// A sphere that breaks.
struct Parent {
  std::uint32_t id = 0, material = 0;
  std::optional<std::uint32_t> group{};  ///< none: the scene has none
  std::optional<double> temperature{};   ///< [K] none: there is no heat
  double radius = 0;                     ///< [m]
  double depth = 0;                      ///< [m] of its deepest contact
  Real3 position{}, velocity{}, angular_velocity{};
};

/// [m] The radius of the sphere that the fragments fill. It is smaller than the parent by the depth of its deepest
/// contact: there the surface of another body is inside the parent, and fragments shall touch nothing.
[[nodiscard]] inline double room_of(const Parent& parent) { return parent.radius - parent.depth; }

/// Appends the fragments of a sphere. The pattern is turned at random, by the seed and the id, and moves on as the
/// sphere did: fragments have the velocity of its rigid motion at their centres, and its angular velocity.
void append_fragments(const FragmentPattern& pattern, const Parent& parent, std::uint64_t seed, ParticleSet& set);

}  // namespace scree::breakage
