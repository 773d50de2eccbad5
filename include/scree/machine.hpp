#pragma once

#include <cstdint>
#include <filesystem>

/// What the system lets this process use of the machine. Affinity limits the cores; control groups, as those of
/// containers and of jobs on a cluster, limit cores and memory.
namespace scree {

/// Cores that this process may use, at least 1. A part of a core does not count. The files of the system are looked for
/// below `root`, which is "/" but in tests.
[[nodiscard]] int granted_cores(const std::filesystem::path& root = "/");

/// [bytes] Memory that this process may use.
struct GrantedMemory {
  std::uint64_t all = 0;   ///< 0 if unknown
  std::uint64_t free = 0;  ///< still to be had without swapping; the largest number if unknown
};

/// The memory that this process may use; `root` as above.
[[nodiscard]] GrantedMemory granted_memory(const std::filesystem::path& root = "/");

}  // namespace scree
