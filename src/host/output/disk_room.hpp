#pragma once

#include <cstdint>
#include <filesystem>

namespace scree {

/// Whether the disk of a folder has so much free space that a file of this size [bytes] cannot fail for lack of it, and
/// the process has no limit on the size of files. False if that cannot be found out. Quotas are ignored.
[[nodiscard]] bool has_room(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace scree
