#include "scree/machine.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace scree {
namespace {

namespace fs = std::filesystem;

/// First number after the word `key` in a file; without a key the first word must be a number.
std::optional<std::uint64_t> system_number(const fs::path& path, const std::string& key = "") {
  std::ifstream file(path);
  std::uint64_t value = 0;
  for (std::string word; key.empty() || file >> word;) {
    if (key.empty() || word == key) { return file >> value ? std::optional(value) : std::nullopt; }
  }
  return std::nullopt;
}

/// Calls visit(folder) for the control group of this process and for all groups that contain it. Version 2 has one tree
/// of groups ("0::/path" in /proc/self/cgroup), version 1 a tree for each controller ("4:memory:/path"). In a container
/// the path may be that of the machine, while the container sees its own group as the top.
template <class Visit>
void visit_groups(const fs::path& root, const std::string& controller, Visit&& visit) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) { continue; }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool named = ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
    if (!controllers.empty() && !named) { continue; }
    const fs::path top = root / "sys/fs/cgroup" / controllers;
    for (fs::path path = fs::path(line.substr(second + 1)).relative_path(); !path.empty(); path = path.parent_path()) {
      visit(top / path);
    }
    visit(top);
  }
}

/// The number of cores by the quotas of the groups. A quota of a core and a half counts as one core: threads of a team
/// wait for each other, so a second thread that runs half of the time makes both slower.
int cores_by_quota(const fs::path& root, int most) {
  const auto limit = [&](std::optional<std::uint64_t> quota, std::optional<std::uint64_t> period) {
    if (!quota || !period || *period == 0) { return; }
    most = static_cast<int>(std::clamp<std::uint64_t>(*quota / *period, 1, static_cast<std::uint64_t>(most)));
  };
  visit_groups(root, "cpu", [&](const fs::path& group) {
    if (std::ifstream file(group / "cpu.max"); file) {
      std::uint64_t quota = 0, period = 0;
      if (file >> quota >> period) { limit(quota, period); }  // "max 100000" is no limit
    }
    limit(system_number(group / "cpu.cfs_quota_us"), system_number(group / "cpu.cfs_period_us"));
  });
  return most;
}

/// The cached pages of files of a group count as used memory, but the system drops them when memory is needed.
void limit_memory(const fs::path& root, GrantedMemory& memory) {
  visit_groups(root, "memory", [&](const fs::path& group) {
    const bool is_second = fs::exists(group / "memory.max");
    const auto limit = system_number(group / (is_second ? "memory.max" : "memory.limit_in_bytes"));
    if (!limit) { return; }
    const std::string prefix = is_second ? "" : "total_";
    const fs::path parts = group / "memory.stat";
    const std::uint64_t cached = system_number(parts, prefix + "inactive_file").value_or(0) +
                                 system_number(parts, prefix + "active_file").value_or(0);
    const auto used = system_number(group / (is_second ? "memory.current" : "memory.usage_in_bytes")).value_or(0);
    const std::uint64_t kept = used - std::min(used, cached);
    if (memory.all == 0 || *limit < memory.all) { memory.all = *limit; }
    memory.free = std::min(memory.free, *limit - std::min(*limit, kept));
  });
}

int cores_by_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

}  // namespace

int granted_cores(const fs::path& root) { return cores_by_quota(root, cores_by_affinity()); }

GrantedMemory granted_memory(const fs::path& root) {
  GrantedMemory memory;
  const auto total = system_number(root / "proc/meminfo", "MemTotal:");
  const auto available = system_number(root / "proc/meminfo", "MemAvailable:");
  memory.all = total.value_or(0) * 1024;
  memory.free = available ? *available * 1024 : std::numeric_limits<std::uint64_t>::max();
  limit_memory(root, memory);
  return memory;
}

}  // namespace scree
