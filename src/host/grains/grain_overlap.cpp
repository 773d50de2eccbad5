#include "host/grains/grain_overlap.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/trilinear.hpp"

namespace scree::grains {
namespace {

Real3 in_body(const PlacedGrain& grain, const Real3& point) {
  const auto& [w, x, y, z] = grain.orientation;
  const Real3 way = clumps::turned({w, -x, -y, -z}, geometry::subtract(point, grain.centre));
  return geometry::scaled(way, 1 / grain.size);
}

/// The largest depth of a node of `grain` in `other`.
double deepest_node(const PlacedGrain& grain, const PlacedGrain& other) {
  double deepest = 0;
  for (const Real3& node : grain.shape->node) {
    const Real3 place = geometry::along(grain.centre, grain.size, clumps::turned(grain.orientation, node));
    deepest = std::max(deepest, -distance_from(other, place));
  }
  return deepest;
}

/// The depth [m] of the centre of `grain` in both grains; 0 if it lies outside one of them. It shows that two equal
/// grains are at the same place: then the nodes of each grain lie on the surface of the other.
double depth_of_centre(const PlacedGrain& grain, const PlacedGrain& other) {
  return std::max(0.0, -std::max(distance_from(grain, grain.centre), distance_from(other, grain.centre)));
}

}  // namespace

double distance_from(const PlacedGrain& grain, const Real3& point) {
  const GrainShape& shape = *grain.shape;
  const auto found = trilinear(grid_of(shape), std::span<const float>(shape.phi), in_body(grain, point));
  return found ? grain.size * found->value : infinite;
}

double overlap_of(const PlacedGrain& a, const PlacedGrain& b) {
  return std::max({deepest_node(a, b), deepest_node(b, a), depth_of_centre(a, b), depth_of_centre(b, a)});
}

double overlap_of(const PlacedGrain& grain, const Real3& centre, double radius) {
  // The distance of the centre is known only near the surface. For a larger sphere the nearest node gives the overlap.
  const Real3 place = in_body(grain, centre);
  double least = infinite;
  for (const Real3& node : grain.shape->node) {
    least = std::min(least, geometry::squared_length(geometry::subtract(node, place)));
  }
  const double distance = std::min(distance_from(grain, centre), grain.size * std::sqrt(least));
  return std::max(0.0, radius - distance);
}

}  // namespace scree::grains
