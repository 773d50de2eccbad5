#pragma once

#include "host/case/check/problems.hpp"
#include "scree/case.hpp"

namespace scree {

/// Whether particles have films of liquid, from which bridges take theirs.
[[nodiscard]] bool uses_films(const Case& input);

/// Films need bridges that take their liquid from them, and the reverse.
void check_films(const Case& input, Problems& problems);

}  // namespace scree
