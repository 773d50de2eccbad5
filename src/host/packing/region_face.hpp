#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host/packing/region.hpp"

namespace scree::packing {

/// The side of a surface through which particles come in. A candidate lies over a point of the surface that is drawn
/// uniformly by area, along the normal there; the gap between the sphere and the surface is drawn uniformly between 0
/// and the depth. A sphere is held where no facet is nearer to its centre than its radius. Throws CaseError, with paths
/// below the region ("face.polygon"), for polygons that are not plane, cross themselves or have no area, and for files
/// that are no meshes.
[[nodiscard]] std::unique_ptr<FillRegion> make_region_face(const FaceRegion& face, const std::filesystem::path& folder,
                                                           std::vector<std::string>& warnings);

}  // namespace scree::packing
