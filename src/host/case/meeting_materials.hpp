#pragma once

#include "scree/meeting_materials.hpp"

namespace scree {

struct Case;

/// The materials that can touch in the scene of a case. Names of materials that the case does not define are ignored.
[[nodiscard]] MeetingMaterials meeting_materials(const Case& input);

}  // namespace scree
