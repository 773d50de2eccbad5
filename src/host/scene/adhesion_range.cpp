#include "host/scene/adhesion_range.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/case/laws.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "scree/elasticity.hpp"

namespace scree {

double range_of_bridge(const LiquidBridges& liquid, double volume, double reach) {
  return 1 + 1.001 * (1 + 0.5 * liquid.contact_angle) * std::cbrt(volume) / reach + 1e-6;
}

double adhesion_range(const Scene& scene) {
  if (scene.pairs.empty()) return 1;
  const MeetingMaterials meeting = meeting_materials(scene);
  const double smallest = all_radii(scene).smallest;

  // u of the end over the sum of the radii is largest for the smallest bodies: it falls as r^(-2/3).
  double range = 1;
  const auto raise = [&](double effective_radius, double reach, double energy_over_young) {
    const double length = 4 * std::numbers::pi * energy_over_young;
    const double distance = 0.75 * std::cbrt(0.25 * length * length * effective_radius);
    range = std::max(range, 1 + 1.001 * distance / reach + 1e-6);
  };
  // A bridge of a given volume reaches farthest, as a multiple of the radii, between the smallest bodies; with a
  // fraction the multiple is largest at a wall.
  const auto raise_by_liquid = [&](const LiquidBridges& liquid, double reach) {
    range = std::max(range, range_of_bridge(liquid, bridge_volume(liquid, smallest), reach));
  };
  meeting.for_each_pair([&](std::size_t a, std::size_t b) {
    if (const auto& liquid = scene.pair(a, b).liquid) {
      if (meeting.has_particles(b)) raise_by_liquid(*liquid, 2 * smallest);
      if (meeting.has_boundaries(a) || meeting.has_boundaries(b)) raise_by_liquid(*liquid, smallest);
      return;
    }
    if (!needs_of(scene.law_of(a, b)).holds_apart) return;
    const MaterialPair& pair = scene.pair(a, b);
    const double ratio = pair.surface_energy / effective_moduli(scene.materials[a], scene.materials[b], pair).young;
    if (meeting.has_particles(b)) raise(0.5 * smallest, 2 * smallest, ratio);
    if (meeting.has_boundaries(a) || meeting.has_boundaries(b)) raise(smallest, smallest, ratio);
  });
  return range;
}

}  // namespace scree
