#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/clumps/clump.hpp"

namespace scree::clumps {

/// Reads the spheres [m] of a clump template from a CSV file: a header line with x, y, z and r in any order, then one
/// sphere per line. Lines that are empty or start with '#' are skipped. Throws CaseError (path: file name) for a file
/// that cannot be read or breaks these rules.
[[nodiscard]] std::vector<ClumpSphere> read_clump(const std::filesystem::path& file);

/// Parses the text of a clump file as read_clump() does; `name` is the path of the error.
[[nodiscard]] std::vector<ClumpSphere> parse_clump(const std::string& content, const std::string& name);

/// The text of a clump file, which read_clump() reads back to the same bits. `comment` becomes the first line.
[[nodiscard]] std::string clump_text(const std::vector<ClumpSphere>& spheres, const std::string& comment);

}  // namespace scree::clumps
