#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// Paths of values that need the losses of each particle: probes of dissipation, and a field of frames.
[[nodiscard]] std::vector<std::string> uses_of_losses(const Case& input);

}  // namespace scree
