#pragma once

#include "host/case/check/problems.hpp"

namespace scree {

/// What the heat of a case needs of its other parts, and what a case without heat must leave out.
void check_heat(const Case& input, Problems& problems);

}  // namespace scree
