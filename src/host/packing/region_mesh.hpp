#pragma once

#include <memory>

#include "host/packing/region.hpp"
#include "scree/scene.hpp"

namespace scree::packing {

/// The inside of a closed mesh that is already scaled and placed. Throws CaseError (path: "mesh.file") if the mesh is
/// open or its parts cross.
[[nodiscard]] std::unique_ptr<FillRegion> make_region_mesh(TriangleMesh mesh);

}  // namespace scree::packing
