#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree info FILE`: what is in a checkpoint, a frame or a template of a grain. Throws CaseError when the file is
/// none.
[[nodiscard]] int run_info(const std::filesystem::path& file, std::ostream& out);

}  // namespace scree
