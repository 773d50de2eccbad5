#pragma once

#include <vector>

#include "host/packing/region.hpp"
#include "host/packing/sphere_grid.hpp"

namespace scree::packing {

/// Whether sites that lie in the region, but nearer to its border than a sphere may, are left out or pulled inside.
enum class Pull { none, inside };

/// Sites of a face-centred lattice with at least `spacing` between neighbours that hold a sphere of `radius` clear of
/// the obstacles, x fastest. The lattice is stretched along each axis until it spans the bounds of the region. In a
/// periodic cell it goes on across the faces, and is sheared with the cell: none where that brings neighbours too near.
/// Sites that are pulled inside may be nearer to each other; in a periodic cell none are.
[[nodiscard]] std::vector<Real3> lattice_sites(const FillRegion& region, const SphereGrid& obstacles, double spacing,
                                               double radius, Pull pull = Pull::none);

/// The widest such lattice found with at least `count` sites; fewer sites when even `closest` has not enough.
[[nodiscard]] std::vector<Real3> widest_lattice(const FillRegion& region, const SphereGrid& obstacles,
                                                std::size_t count, double closest, double radius,
                                                Pull pull = Pull::none);

/// So many sites that hold a sphere of `radius` clear of the obstacles, spread evenly over a periodic cell and across
/// its faces; fewer where obstacles leave no more.
[[nodiscard]] std::vector<Real3> even_sites(const FillRegion& region, const SphereGrid& obstacles, std::size_t count,
                                            double radius);

}  // namespace scree::packing
