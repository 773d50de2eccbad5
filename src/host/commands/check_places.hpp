#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Lines of `scree check` as pairs of label and text: the bounding boxes of particles, inlets and boundaries. They show
/// a mesh in millimetres, or a plate beside the particles, at once.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> place_lines(const Case& input, const Scene& scene);

/// Warnings about meshes that are far larger or smaller than the particles and inlets together, such as a mesh in
/// millimetres.
[[nodiscard]] std::vector<std::string> size_warnings(const Case& input, const Scene& scene);

/// Warnings about inlets that should bring more particles than their regions can pass on. Particles leave a region with
/// their velocity, under gravity, and at random places they fill at most a third of it.
[[nodiscard]] std::vector<std::string> inlet_warnings(const Case& input, const Scene& scene);

}  // namespace scree
