#pragma once

#include <optional>
#include <string>

#include "scree/scene.hpp"

namespace scree::grains {

/// "2 parts, which move as one grain; the largest one has 61 % of the volume", where a closed surface that faces
/// outwards has more than one outer shell; else nothing. Cavities are no parts, nor is dust below 1e-6 of the volume.
[[nodiscard]] std::optional<std::string> separate_parts(const TriangleMesh& surface);

}  // namespace scree::grains
