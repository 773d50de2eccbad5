#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace scree {

/// The reason why a file cannot be read as input, such as "does not exist" or "is a pipe, a CSV file is needed".
/// Nothing if it is a regular file or a link to one, and is not compressed by gzip or `may_be_gzip`. `what` names the
/// expected kind of file, such as "a CSV file". Only regular files are opened, because a pipe without a writer would
/// block for ever.
[[nodiscard]] std::optional<std::string> input_file_problem(const std::filesystem::path& file, const std::string& what,
                                                            bool may_be_gzip = false);

}  // namespace scree
