#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Label and text for each wall with a servo: its largest speed towards the particles. Empty without servos.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> servo_lines(const Scene& scene);

}  // namespace scree
