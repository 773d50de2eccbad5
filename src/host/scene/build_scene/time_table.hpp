#pragma once

#include <filesystem>
#include <string>

#include "scree/case.hpp"

namespace scree {

/// Reads rows "time,value" from a CSV file; a first line that is not of numbers is its header, and lines that begin
/// with
/// '#' are skipped. Throws CaseError that names the file and the line.
[[nodiscard]] TimeTable read_time_table(const std::filesystem::path& file);
[[nodiscard]] TimeTable parse_time_table(const std::string& content, const std::string& name);

/// Rows are finite, and their times are not negative and ascend. Throws CaseError with the path of the row below
/// `path`.
void expect_good_table(const TimeTable& table, const std::string& path);

}  // namespace scree
