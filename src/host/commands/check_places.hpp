#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Lines of `scree check` as label and text: the boxes that particles, inlets and boundaries lie in. A mesh in
/// millimetres or a plate beside the particles is seen at once.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> place_lines(const Case& input, const Scene& scene);

/// Warnings: surfaces far larger or smaller than all else, as a mesh in millimetres is.
[[nodiscard]] std::vector<std::string> size_warnings(const Case& input, const Scene& scene);

/// Warnings: inlets that are to bring more than their regions can pass on. Particles leave a region at their velocity,
/// under gravity; at random places they fill a third of it at most.
[[nodiscard]] std::vector<std::string> inlet_warnings(const Case& input, const Scene& scene);

}  // namespace scree
