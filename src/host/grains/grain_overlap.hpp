#pragma once

#include "host/clumps/orientation.hpp"
#include "scree/grain_shape.hpp"

/// Overlaps of level-set grains at the start of a run, from the same nodes and distances that contacts use.
namespace scree::grains {

/// A grain in the world frame. Keeps a pointer to its shape.
struct PlacedGrain {
  const GrainShape* shape;
  Real3 centre{};                                  ///< [m] centre of mass
  clumps::Orientation orientation = {1, 0, 0, 0};  ///< orientation of the principal axes
  double size = 1;                                 ///< [-] size over the size of the shape
};

/// The signed distance [m] from the surface to a point, interpolated on the grid; infinite outside the grid.
[[nodiscard]] double distance_from(const PlacedGrain& grain, const Real3& point);

/// The largest depth [m] of a node of one grain in the other, or of a centre of mass in both; 0 if none is inside.
[[nodiscard]] double overlap_of(const PlacedGrain& a, const PlacedGrain& b);
/// How far [m] a sphere reaches beyond the surface of a grain, or beyond the node that is nearest to its centre; 0 if
/// the two do not overlap.
[[nodiscard]] double overlap_of(const PlacedGrain& grain, const Real3& centre, double radius);

}  // namespace scree::grains
