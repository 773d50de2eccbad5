#pragma once

#include <filesystem>
#include <iosfwd>

namespace scree {

/// `scree info FILE`: prints what is in a checkpoint, a frame or a template of a grain. Throws CaseError for any other
/// file.
[[nodiscard]] int run_info(const std::filesystem::path& file, std::ostream& out);

}  // namespace scree
