#pragma once

#include "host/clumps/orientation.hpp"
#include "scree/grain_shape.hpp"

/// How deep level-set grains stand in each other before a run. Contacts of a run see the same nodes and distances.
namespace scree::grains {

/// A grain in the world. Refers to its shape.
struct PlacedGrain {
  const GrainShape* shape;
  Real3 centre{};                                  ///< [m] of mass
  clumps::Orientation orientation = {1, 0, 0, 0};  ///< of its principal axes
  double size = 1;                                 ///< [-] over that of the shape
};

/// [m] The signed distance of a point from the surface, interpolated on the grid; infinite outside of the grid.
[[nodiscard]] double distance_from(const PlacedGrain& grain, const Real3& point);

/// [m] The largest depth of a node of one grain in the other, or of a centre in both; 0 if none is inside.
[[nodiscard]] double overlap_of(const PlacedGrain& a, const PlacedGrain& b);
/// [m] Of a grain and a sphere: how far the sphere reaches beyond the surface, or beyond the node that is nearest to
/// its centre.
[[nodiscard]] double overlap_of(const PlacedGrain& grain, const Real3& centre, double radius);

}  // namespace scree::grains
