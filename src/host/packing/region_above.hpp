#pragma once

#include <memory>

#include "host/packing/region.hpp"
#include "scree/scene.hpp"

namespace scree::packing {

/// The part of a box above the highest surface of a mesh that is already scaled and placed. A sphere lies inside if the
/// box holds it, its centre is above the surface, and it overlaps no triangle. The volume is a sum over 512 x 512
/// columns. Throws CaseError (path: "above.file") if a part of the box has no surface and holes are not allowed, or if
/// the whole box lies below the surface.
[[nodiscard]] std::unique_ptr<FillRegion> make_region_above(const AboveRegion& region, TriangleMesh mesh);

}  // namespace scree::packing
