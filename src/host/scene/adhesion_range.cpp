#include "host/scene/adhesion_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/elasticity.hpp"

namespace scree {

double adhesion_range(const Scene& scene) {
  if (scene.pairs.empty()) return 1;
  const std::size_t n = scene.materials.size();
  std::vector<bool> grains(n), walls(n);
  for (const std::uint32_t m : scene.particles.material) grains[m] = true;
  double smallest = std::numeric_limits<double>::infinity();
  for (const double radius : scene.particles.radius) smallest = std::min(smallest, radius);
  for (const SceneInlet& inlet : scene.inlets) {
    grains[inlet.material] = true;
    smallest = std::min(smallest, inlet.smallest_radius);
  }
  for (const SceneBoundary& boundary : scene.boundaries) walls[boundary.material] = true;

  // u of the end over the sum of the radii is largest for the smallest bodies: it falls as r^(-2/3).
  double range = 1;
  const auto raise = [&](double effective_radius, double reach, double energy_over_young) {
    const double length = 4 * std::numbers::pi * energy_over_young;
    const double distance = 0.75 * std::cbrt(0.25 * length * length * effective_radius);
    range = std::max(range, 1 + 1.001 * distance / reach + 1e-6);
  };
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!grains[a] || scene.law_of(a, b) != LawKind::jkr) continue;
      const MaterialPair& pair = scene.pair(a, b);
      const double ratio = pair.surface_energy / effective_moduli(scene.materials[a], scene.materials[b], pair).young;
      if (grains[b]) raise(0.5 * smallest, 2 * smallest, ratio);
      if (walls[b]) raise(smallest, smallest, ratio);
    }
  }
  return range;
}

}  // namespace scree
