#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree info FILE`: what is in a checkpoint or a frame. Throws CaseError when the file is neither.
[[nodiscard]] int run_info(const std::filesystem::path& file, std::ostream& out);

}  // namespace scree
