#pragma once

#include <vector>

#include "host/packing/region.hpp"
#include "host/packing/sphere_grid.hpp"

namespace scree::packing {

/// Sites of a face-centred lattice with at least `spacing` between neighbours that hold a sphere of `radius` clear of
/// the obstacles, x fastest. The lattice is stretched along each axis until it spans the bounds of the region.
[[nodiscard]] std::vector<Real3> lattice_sites(const FillRegion& region, const SphereGrid& obstacles, double spacing,
                                               double radius);

/// The widest such lattice found with at least `count` sites; fewer sites when even `closest` has not enough.
[[nodiscard]] std::vector<Real3> widest_lattice(const FillRegion& region, const SphereGrid& obstacles,
                                                std::size_t count, double closest, double radius);

}  // namespace scree::packing
