#pragma once

#include "host/case/check/problems.hpp"

namespace scree {

/// What the fluid of a case does not go with.
void check_fluid(const Case& input, Problems& problems);

}  // namespace scree
