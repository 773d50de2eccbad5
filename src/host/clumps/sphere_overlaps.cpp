#include "host/clumps/sphere_overlaps.hpp"

#include <algorithm>

#include "host/packing/sphere_grid.hpp"

namespace scree::clumps {
namespace {

double gap_of(const ClumpSphere& a, const ClumpSphere& b) {
  return geometry::length(geometry::subtract(b.center, a.center)) - a.radius - b.radius;
}

/// Calls `take(i, j)` for each i and all spheres j < i near sphere i. Stops when `take` returns false.
template <class Take>
void visit_pairs(const std::vector<ClumpSphere>& spheres, Take&& take) {
  double largest = 0;
  for (const auto& sphere : spheres) largest = std::max(largest, sphere.radius);
  constexpr double wider = 1 + 1e-9;  // rounding in the grid must not hide a pair
  packing::SphereGrid grid(bounds_of(spheres), largest * wider, spheres.size());
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    const auto& [center, radius] = spheres[i];
    const auto one = [&](std::uint32_t j, const Real3&, double) { return take(i, j); };
    if (!grid.visit_near(center, radius * wider, one)) return;
    grid.insert(center, radius * wider);
  }
}

}  // namespace

geometry::Bounds bounds_of(const std::vector<ClumpSphere>& spheres) {
  geometry::Bounds box{spheres.at(0).center, spheres.at(0).center};
  for (const auto& [center, radius] : spheres) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = std::min(box.lower[k], center[k] - radius);
      box.upper[k] = std::max(box.upper[k], center[k] + radius);
    }
  }
  return box;
}

EarlierOverlaps earlier_overlaps(const std::vector<ClumpSphere>& spheres) {
  EarlierOverlaps all(spheres.size());
  visit_pairs(spheres, [&](std::uint32_t i, std::uint32_t j) {
    if (gap_of(spheres[j], spheres[i]) < 0) all[i].push_back(j);
    return true;
  });
  for (auto& earlier : all) std::sort(earlier.begin(), earlier.end());
  return all;
}

bool any_overlap(const std::vector<ClumpSphere>& spheres) {
  bool found = false;
  visit_pairs(spheres, [&](std::uint32_t i, std::uint32_t j) {
    found = gap_of(spheres[j], spheres[i]) < -1e-12 * std::min(spheres[i].radius, spheres[j].radius);
    return !found;
  });
  return found;
}

}  // namespace scree::clumps
