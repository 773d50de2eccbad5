#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/scene.hpp"

namespace scree {

/// Label and text for each stage of the run, by its number from 0: its name, its friction of materials that can touch,
/// and the conditions that end it. Empty without stages.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> run_stage_lines(const Scene& scene);

}  // namespace scree
