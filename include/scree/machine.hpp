#pragma once

#include <cstdint>
#include <filesystem>

namespace scree {

/// What the system lets this process use of the machine. Affinity limits the cores; control groups, as those of
/// containers and of jobs on a cluster, limit cores and memory.
struct MachineShare {
  int cores = 1;                  ///< at least 1
  std::uint64_t memory = 0;       ///< [bytes]; 0 if unknown
  std::uint64_t free_memory = 0;  ///< [bytes] still to be had without swapping; the largest number if unknown
};

/// Looks at the files of the system below `root`, which is "/" but in tests.
[[nodiscard]] MachineShare machine_share(const std::filesystem::path& root = "/");

}  // namespace scree
