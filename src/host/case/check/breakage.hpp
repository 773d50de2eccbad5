#pragma once

#include "host/case/check/problems.hpp"

namespace scree {

/// What does not go with spheres that break.
void check_breakage(const Case& input, Problems& problems);

}  // namespace scree
