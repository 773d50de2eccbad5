#include "host/output/disk_room.hpp"

#include <sys/resource.h>

#include <system_error>

namespace scree {

bool has_room(const std::filesystem::path& folder, std::uint64_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) { return false; }
  std::error_code error;
  const auto space = std::filesystem::space(folder, error);
  return !error && space.available >= bytes;
}

}  // namespace scree
