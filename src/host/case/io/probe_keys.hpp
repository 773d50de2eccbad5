#pragma once

#include <string>

#include "scree/outputs.hpp"

namespace scree {

/// The keys of a probe as JSON, with every default filled in. File names are left empty, because files may move.
[[nodiscard]] std::string keys_of(const ProbeOutput& probe);

}  // namespace scree
