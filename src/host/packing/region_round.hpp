#pragma once

#include <memory>

#include "host/packing/region.hpp"

namespace scree::packing {

/// The inside of a cylinder, or the gap between two cylinders on one axis. Throws CaseError (path below "cylinder") if
/// it has no volume.
[[nodiscard]] std::unique_ptr<FillRegion> make_region_cylinder(const CylinderRegion& cylinder);

/// The inside of a sphere. Throws CaseError (path below "sphere") if it has no volume.
[[nodiscard]] std::unique_ptr<FillRegion> make_region_sphere(const SphereRegion& sphere);

}  // namespace scree::packing
