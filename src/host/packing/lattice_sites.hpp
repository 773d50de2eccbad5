#pragma once

#include <vector>

#include "host/packing/region.hpp"
#include "host/packing/sphere_grid.hpp"

namespace scree::packing {

/// Whether sites of a region that are too near to its border are omitted or pulled inside.
enum class Pull { none, inside };

/// Sites [m] of a face-centred lattice at which a sphere of `radius` [m] overlaps no obstacle; x varies fastest.
/// Neighbours are at least `spacing` [m] apart, except for sites that are pulled inside. The lattice is stretched along
/// each axis until it spans the bounds of the region. In a periodic cell the lattice continues across the faces and is
/// sheared with the cell, and no sites are pulled; the result is empty if the shear brings neighbours too near.
[[nodiscard]] std::vector<Real3> lattice_sites(const FillRegion& region, const SphereGrid& obstacles, double spacing,
                                               double radius, Pull pull = Pull::none);

/// The sites of the widest such lattice that has at least `count` sites. There are fewer sites if even a lattice with
/// the spacing `closest` [m] has not enough.
[[nodiscard]] std::vector<Real3> widest_lattice(const FillRegion& region, const SphereGrid& obstacles,
                                                std::size_t count, double closest, double radius,
                                                Pull pull = Pull::none);

/// `count` sites [m] at which a sphere of `radius` [m] overlaps no obstacle, spread evenly over a periodic cell and
/// across its faces. There are fewer sites if obstacles leave too little room.
[[nodiscard]] std::vector<Real3> even_sites(const FillRegion& region, const SphereGrid& obstacles, std::size_t count,
                                            double radius);

}  // namespace scree::packing
