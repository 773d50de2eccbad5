#pragma once

#include <vector>

#include "host/clumps/clump.hpp"
#include "host/clumps/sphere_overlaps.hpp"

namespace scree::clumps {

/// The same integrals by two quadrature rules, whose difference estimates the error.
struct TwoRules {
  Moments fine, coarse;
};

/// Moments of a union of spheres about the origin. The areas and moments of horizontal slices are exact, and Gauss'
/// rule integrates between the heights at which the shape of the slice changes.
[[nodiscard]] TwoRules by_slices(const std::vector<ClumpSphere>& spheres);

/// The same moments, summed over spheres: each adds the part that no earlier sphere covers. The work grows with the
/// number of spheres, and steeply with the number of overlaps per sphere.
[[nodiscard]] TwoRules by_parts(const std::vector<ClumpSphere>& spheres, const EarlierOverlaps& earlier);

}  // namespace scree::clumps
