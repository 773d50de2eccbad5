#pragma once

#include <vector>

#include "host/clumps/clump.hpp"
#include "host/clumps/sphere_overlaps.hpp"

namespace scree::clumps {

/// The same integrals by two rules. Their difference is an estimate of the error.
struct TwoRules {
  Moments fine, coarse;
};

/// Moments of a union of spheres, about 0, by slices: their areas and moments are exact, and Gauss' rule runs between
/// the heights at which the shape of the slice changes.
[[nodiscard]] TwoRules by_slices(const std::vector<ClumpSphere>& spheres);

/// The same sphere by sphere: of each sphere the part that none of the earlier ones covers. The work grows with the
/// number of spheres, and steeply with the number of spheres that overlap one.
[[nodiscard]] TwoRules by_parts(const std::vector<ClumpSphere>& spheres, const EarlierOverlaps& earlier);

}  // namespace scree::clumps
