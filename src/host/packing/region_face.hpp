#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host/packing/region.hpp"

namespace scree::packing {

/// A face through which particles enter. A candidate lies on the normal through a point of the surface that is drawn
/// uniformly by area. The gap between the sphere and the surface is drawn uniformly between 0 and the depth. The face
/// holds a sphere if no facet is nearer to its centre than its radius. Throws CaseError with paths below the region
/// ("face.polygon") if a polygon is not plane, crosses itself or has no area, or if a file is not a mesh.
[[nodiscard]] std::unique_ptr<FillRegion> make_region_face(const FaceRegion& face, const std::filesystem::path& folder,
                                                           std::vector<std::string>& warnings);

}  // namespace scree::packing
