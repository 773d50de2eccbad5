#pragma once

#include <cstdint>
#include <optional>

#include "host/geometry/fragment_pattern.hpp"
#include "scree/particle_set.hpp"

namespace scree::breakage {

/// A sphere that breaks.
struct Parent {
  std::uint32_t id = 0, material = 0;
  std::optional<std::uint32_t> group{};  ///< none if the scene has no groups
  std::optional<double> temperature{};   ///< [K] none if the scene has no heat
  double radius = 0;                     ///< [m]
  double depth = 0;                      ///< [m] depth of the deepest contact
  Real3 position{}, velocity{}, angular_velocity{};
};

/// The radius [m] of the sphere that the fragments fill: the radius of the parent minus the depth of its deepest
/// contact. There the surface of another body is inside the parent, and fragments must not touch it.
[[nodiscard]] inline double room_of(const Parent& parent) { return parent.radius - parent.depth; }

/// Appends the fragments of a sphere to a set. The seed and the id determine the random orientation of the pattern.
/// Fragments have the velocity of the sphere at their centres, and its angular velocity.
void append_fragments(const geometry::FragmentPattern& pattern, const Parent& parent, std::uint64_t seed,
                      ParticleSet& set);

}  // namespace scree::breakage
