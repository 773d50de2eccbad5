#pragma once

#include <optional>
#include <string>

#include "scree/scene.hpp"

namespace scree::grains {

/// Text such as "2 parts, which move as one grain; the largest one has 61 % of the volume" if a closed surface that
/// faces outwards has more than one outer shell; otherwise nothing. Cavities and shells below 1e-6 of the volume do not
/// count.
[[nodiscard]] std::optional<std::string> separate_parts(const TriangleMesh& surface);

}  // namespace scree::grains
