#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree info FILE`: prints the contents of a checkpoint, a frame or a template of a grain. Returns the exit code.
/// Throws CaseError for any other file.
[[nodiscard]] int run_info(const std::filesystem::path& file, std::ostream& out);

}  // namespace scree
