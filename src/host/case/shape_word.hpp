#pragma once

#include <string>

#include "scree/boundaries.hpp"

namespace scree {

/// The word for the shape of a boundary in a case file, such as "cone".
[[nodiscard]] std::string shape_word(const BoundaryShape& shape);

}  // namespace scree
