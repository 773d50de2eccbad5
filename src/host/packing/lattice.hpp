#pragma once

#include <cstdint>

#include "host/packing/fill.hpp"
#include "scree/case.hpp"

namespace scree::packing {

/// Spheres on a regular lattice, wholly inside a box. The first site has the largest possible radius as its distance
/// from each lower side of the box; ids run along x fastest, then y, then z. With jitter each sphere is shifted at
/// random by at most that fraction of half the gap to its neighbours, so that it neither overlaps nor leaves the box.
/// If the spheres `are_balls_around` clumps or grains, messages about their size say so.
/// Throws CaseError with paths below the lattice ("spacing") if spheres would overlap or no sphere fits.
[[nodiscard]] Spheres lattice_spheres(const Lattice& lattice, const SizeDistribution& sizes, std::uint64_t seed,
                                      std::uint64_t group, bool are_balls_around = false);

}  // namespace scree::packing
