#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// A ParaView file series: names relative to the folder of `file`, with their times [s]. Throws OutputError.
void write_file_series(const std::filesystem::path& file,
                       const std::vector<std::pair<std::string, double>>& name_and_time);

/// What write_file_series() has written; none when it is not there, or is something else.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, double>>> read_file_series(
    const std::filesystem::path& file);

}  // namespace scree
