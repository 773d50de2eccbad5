#pragma once

#include <string>

#include "scree/boundaries.hpp"

namespace scree {

/// The word of a case file for the shape of a boundary: "cone".
[[nodiscard]] std::string shape_word(const BoundaryShape& shape);

}  // namespace scree
