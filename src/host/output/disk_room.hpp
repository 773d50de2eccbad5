#pragma once

#include <cstdint>
#include <filesystem>

namespace scree {

/// Whether the disk of a folder has so much room [bytes] that a file cannot fail for want of it, and the process has no
/// limit on the size of files. False where that cannot be told. Quotas are not seen.
[[nodiscard]] bool has_room(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace scree
