#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "scree/errors.hpp"

namespace scree {

/// JSON whose objects keep their keys in the order of the file.
using Json = nlohmann::ordered_json;

/// Limit of the nesting of JSON. Copies and destructors of the library recurse once per level, so deep nesting would
/// overflow the stack. No real case is nested deeper than about ten levels.
inline constexpr std::size_t most_json_levels = 100;

/// Parses JSON with comments. Throws CaseError with line and column if the text is not valid. A key that is given twice
/// is appended to `problems`, and its last value counts.
[[nodiscard]] Json parse_json(const std::string& text, std::vector<InputProblem>& problems);

/// As parse_json(), but returns false if the text is not JSON. Throws CaseError if it is nested too deep.
[[nodiscard]] bool try_parse_json(const std::string& text, Json& value, std::vector<InputProblem>& problems);

/// JSON text in which every double reads back as the same bits; short lists stay on one line.
[[nodiscard]] std::string print_json(const Json& value);

/// Puts `PATH=VALUE` settings into `root`. Settings that cannot be placed are appended to `problems`. Unknown keys are
/// put in, and the reader reports them.
void apply_settings(Json& root, const std::vector<std::string>& settings, std::vector<InputProblem>& problems);

/// `path.key`, or `key` at the top.
[[nodiscard]] inline std::string below(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

/// The value as an error shows it: `0.7`, `"glas"`, `a list`, `an object`.
[[nodiscard]] std::string shown(const Json& value);

}  // namespace scree
