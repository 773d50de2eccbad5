#pragma once

#include "scree/meeting_materials.hpp"

namespace scree {

struct Case;

/// Which materials can touch in the scene of a case. Names of materials that it does not define are left out.
[[nodiscard]] MeetingMaterials meeting_materials(const Case& input);

}  // namespace scree
