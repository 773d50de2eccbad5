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

namespace {

/// [-] The range of one pair of materials; see adhesion_ranges(). Measured in radii, a neck or a bridge reaches
/// farthest between the smallest bodies, and a bridge whose volume is a fraction of the volume of a body reaches
/// farthest at a wall.
double range_of_pair(const Scene& scene, std::size_t a, std::size_t b, const MeetingMaterials& meeting,
                     double smallest) {
  const MaterialPair& pair = scene.pair(a, b);
  const bool among_bodies = meeting.has_particles(a) && meeting.has_particles(b);
  const bool at_walls = meeting.has_boundaries(a) || meeting.has_boundaries(b);
  if (pair.liquid) {
    const auto bridge = [&](double reach) {
      return range_of_bridge(*pair.liquid, bridge_volume(*pair.liquid, smallest), reach);
    };
    return std::max(among_bodies ? bridge(2 * smallest) : 1, at_walls ? bridge(smallest) : 1);
  }
  if (!needs_of(scene.law_of(a, b)).holds_apart) return 1;
  const double energy_over_young =
      pair.surface_energy / effective_moduli(scene.materials[a], scene.materials[b], pair).young;
  // The distance at which a neck ends, over the sum of the radii, decreases with the radius r as r^(-2/3).
  const auto neck = [&](double effective_radius, double reach) {
    const double length = 4 * std::numbers::pi * energy_over_young;
    const double distance = 0.75 * std::cbrt(0.25 * length * length * effective_radius);
    return 1 + 1.001 * distance / reach + 1e-6;
  };
  return std::max(among_bodies ? neck(0.5 * smallest, 2 * smallest) : 1, at_walls ? neck(smallest, smallest) : 1);
}

}  // namespace

std::vector<double> adhesion_ranges(const Scene& scene) {
  const MeetingMaterials meeting = meeting_materials(scene);
  const double smallest = all_radii(scene).smallest;
  const std::size_t n = scene.materials.size();
  std::vector<double> ranges(scene.pairs.size(), 1.0);
  meeting.for_each_pair([&](std::size_t a, std::size_t b) {
    ranges[a * n + b] = ranges[b * n + a] = range_of_pair(scene, a, b, meeting, smallest);
  });
  return ranges;
}

double adhesion_range(const Scene& scene) {
  const std::vector<double> ranges = adhesion_ranges(scene);
  return ranges.empty() ? 1 : *std::max_element(ranges.begin(), ranges.end());
}

}  // namespace scree
