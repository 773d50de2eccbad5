#include "host/scene/meetings.hpp"

#include <algorithm>

#include "host/case/laws.hpp"

namespace scree {

RadiusRange inlet_radii(const Scene& scene) {
  RadiusRange range;
  for (const SceneInlet& inlet : scene.inlets) range.note(inlet.smallest_radius), range.note(inlet.largest_radius);
  return range;
}

std::vector<RadiusRange> radii_by_material(const Scene& scene) {
  std::vector<RadiusRange> ranges(scene.materials.size());
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    ranges[scene.particles.material[i]].note(scene.particles.radius[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    ranges[inlet.material].note(inlet.smallest_radius);
    ranges[inlet.material].note(inlet.largest_radius);
  }
  return ranges;
}

RadiusRange all_radii(const Scene& scene) {
  RadiusRange all;
  for (const RadiusRange& range : radii_by_material(scene)) all.note(range);
  return all;
}

std::vector<Meeting> meetings(const Scene& scene) {
  const auto ranges = radii_by_material(scene);
  std::vector<Meeting> all;
  for (std::size_t m = 0; m < ranges.size(); ++m) {
    if (!ranges[m].any()) continue;
    const double radius = ranges[m].smallest;
    const auto meet = [&](std::size_t p, double size, const SceneBoundary* boundary) {
      const Partner partner{scene.materials[p], size, boundary != nullptr};
      all.push_back({m, radius, partner, p, boundary, scene.pairs.empty() ? MaterialPair{} : scene.pair(m, p),
                     scene.law_of(m, p)});
    };
    for (std::size_t p = 0; p < ranges.size(); ++p) {
      if (!ranges[p].any()) continue;
      // Springs in series are stiffest with the largest partner, bonds with one of the own size.
      meet(p, needs_of(scene.law_of(m, p)).makes_bonds() ? std::max(radius, ranges[p].smallest) : ranges[p].largest,
           nullptr);
    }
    for (const auto& boundary : scene.boundaries) meet(boundary.material, radius, &boundary);
  }
  return all;
}

}  // namespace scree
