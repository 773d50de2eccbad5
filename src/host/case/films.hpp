#pragma once

#include "host/case/check/problems.hpp"
#include "scree/case.hpp"

namespace scree {

/// Whether bridges take their liquid from films of the particles.
[[nodiscard]] bool uses_films(const Case& input);

/// Complains about bridges that take liquid from films if no particle has a film, and about films without such bridges.
void check_films(const Case& input, Problems& problems);

}  // namespace scree
