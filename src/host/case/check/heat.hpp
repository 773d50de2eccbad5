#pragma once

#include "host/case/check/problems.hpp"

namespace scree {

/// Complains about values that `heat` needs and the case lacks, and about values of heat in a case without `heat`.
void check_heat(const Case& input, Problems& problems);

}  // namespace scree
