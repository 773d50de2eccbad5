#pragma once

#include "host/case/check/problems.hpp"

namespace scree {

/// Complains about settings that are not possible together with spheres that break.
void check_breakage(const Case& input, Problems& problems);

}  // namespace scree
