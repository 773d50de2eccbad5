#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scree/case.hpp"

/// Case files: JSON to Case and back.
namespace scree {

/// Reads a case file and applies `PATH=VALUE` settings (`contacts.0.friction=0.3`) before it is checked.
/// Throws CaseError with every problem found; syntax errors name line and column.
[[nodiscard]] Case read_case(const std::filesystem::path& file, const std::vector<std::string>& settings = {});

/// Reads a case from JSON text, as read_case() does. Relative paths start from `folder`.
[[nodiscard]] Case parse_case(const std::string& text, const std::filesystem::path& folder,
                              const std::vector<std::string>& settings = {});

/// The case as JSON text with every default filled in and paths made absolute; reading it gives the same case.
[[nodiscard]] std::string write_case(const Case& input);

/// JSON Schema (draft 2020-12) of the case file.
[[nodiscard]] std::string case_schema();

/// Names of the fields that frames can hold ("velocity", ...), in the order of the documentation.
[[nodiscard]] const std::vector<std::string>& frame_field_names();

}  // namespace scree
