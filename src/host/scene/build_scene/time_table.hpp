#pragma once

#include <filesystem>
#include <string>

#include "scree/case.hpp"

namespace scree {

/// Reads rows "time,value" from a CSV file. A first line without numbers is a header, and lines that begin with '#' are
/// skipped. Throws CaseError that names the file and the line.
[[nodiscard]] TimeTable read_time_table(const std::filesystem::path& file);
/// Likewise from text; `name` is the path in errors.
[[nodiscard]] TimeTable parse_time_table(const std::string& content, const std::string& name);

/// Throws CaseError with the path of the row below `path` unless all numbers are finite, and times ascend from 0 or
/// later.
void expect_good_table(const TimeTable& table, const std::string& path);

}  // namespace scree
