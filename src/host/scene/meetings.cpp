#include "host/scene/meetings.hpp"

#include <algorithm>
#include <limits>

namespace scree {
namespace {

struct RadiusRange {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  [[nodiscard]] bool used() const { return largest > 0; }
};

std::vector<RadiusRange> radii_by_material(const Scene& scene) {
  std::vector<RadiusRange> ranges(scene.materials.size());
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    auto& range = ranges[scene.particles.material[i]];
    range.smallest = std::min(range.smallest, scene.particles.radius[i]);
    range.largest = std::max(range.largest, scene.particles.radius[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    auto& range = ranges[inlet.material];
    range.smallest = std::min(range.smallest, inlet.smallest_radius);
    range.largest = std::max(range.largest, inlet.largest_radius);
  }
  return ranges;
}

}  // namespace

std::vector<Meeting> meetings(const Scene& scene) {
  const auto ranges = radii_by_material(scene);
  std::vector<Meeting> all;
  for (std::size_t m = 0; m < ranges.size(); ++m) {
    if (!ranges[m].used()) continue;
    const double radius = ranges[m].smallest;
    const auto meet = [&](std::size_t p, double size, const SceneBoundary* boundary) {
      const Partner partner{scene.materials[p], size, boundary != nullptr};
      all.push_back({m, radius, partner, p, boundary, scene.pairs.empty() ? MaterialPair{} : scene.pair(m, p),
                     scene.law_of(m, p)});
    };
    for (std::size_t p = 0; p < ranges.size(); ++p) {
      if (!ranges[p].used()) continue;
      // Springs in series are stiffest with the largest partner, bonds with one of the own size.
      meet(p, scene.law_of(m, p) == LawKind::bonded ? std::max(radius, ranges[p].smallest) : ranges[p].largest,
           nullptr);
    }
    for (const auto& boundary : scene.boundaries) meet(boundary.material, radius, &boundary);
  }
  return all;
}

}  // namespace scree
