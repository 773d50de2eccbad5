#pragma once

#include <array>
#include <string>
#include <vector>

#include "scree/values.hpp"

namespace scree {

/// One line of a path of `scree contact`: the placement of the bodies at a time.
struct ContactPlace {
  double time = 0;                  ///< [s]
  Real3 approach{};                 ///< [m] normal approach (positive: into contact); displacement of body 2 along y, z
  std::array<Real3, 2> rotation{};  ///< [rad] of body 1 and body 2, each the integral of its angular velocity
};

/// Reads a path from the text of a CSV file. `name` is the name of the file in errors. Throws CaseError.
[[nodiscard]] std::vector<ContactPlace> parse_contact_path(const std::string& content, const std::string& name);

}  // namespace scree
