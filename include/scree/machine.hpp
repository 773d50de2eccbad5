#pragma once

#include <cstdint>
#include <filesystem>

/// The part of the machine that the system grants to this process. Affinity limits the cores. Control groups, such as
/// those of containers and of jobs on a cluster, limit cores and memory.
namespace scree {

/// The number of cores that this process may use, at least 1. A fraction of a core does not count. The files of the
/// system are read below `root`, which is "/" except in tests.
[[nodiscard]] int granted_cores(const std::filesystem::path& root = "/");

/// [bytes] Memory that this process may use.
struct GrantedMemory {
  std::uint64_t all = 0;   ///< 0 if unknown
  std::uint64_t free = 0;  ///< free memory without swapping; the largest number if unknown
};

/// The memory that this process may use; `root` as above.
[[nodiscard]] GrantedMemory granted_memory(const std::filesystem::path& root = "/");

}  // namespace scree
