#pragma once

#include <filesystem>
#include <string>

#include "scree/fluid.hpp"

namespace scree {

/// Reads the velocities of a fluid on a regular grid from a CSV file. The header names the columns x, y, z, velocity_x,
/// velocity_y, velocity_z, or as ParaView does Points:0, Points:1, Points:2, U:0, U:1, U:2 (also with _ in place of :);
/// other columns are passed over. The points may stand in any order, but each must be there once. Throws CaseError that
/// names the file and the line.
[[nodiscard]] FlowGrid read_flow_grid(const std::filesystem::path& file);
[[nodiscard]] FlowGrid parse_flow_grid(const std::string& content, const std::string& name);

}  // namespace scree
