#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace scree {

/// Why a file cannot be read as input, as "does not exist" or "is a named pipe, a CSV file is needed"; nothing when it
/// is a regular file (or a link to one), which must not be compressed by gzip unless it `may_be_gzip`. `what` is what
/// is needed, as "a CSV file". Nothing else is opened: a pipe without a writer would block for ever.
[[nodiscard]] std::optional<std::string> input_file_problem(const std::filesystem::path& file, const std::string& what,
                                                            bool may_be_gzip = false);

}  // namespace scree
