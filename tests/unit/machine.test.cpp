#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "scratch_folder.hpp"
#include "scree/machine.hpp"

namespace scree::test::machine_test {

constexpr std::uint64_t mebi = 1ULL << 20U, unlimited = std::numeric_limits<std::uint64_t>::max();

/// Files of a system, below a folder.
class SystemFiles {
 public:
  SystemFiles& with(const std::string& path, const std::string& text) {
    write_text(folder_ / path, text + "\n");
    return *this;
  }
  /// A machine with 1000 MiB, 800 MiB of them free.
  SystemFiles& with_memory() { return with("proc/meminfo", "MemTotal: 1024000 kB\nMemAvailable: 819200 kB"); }
  [[nodiscard]] int cores() const { return granted_cores(folder_.path()); }
  [[nodiscard]] GrantedMemory memory() const { return granted_memory(folder_.path()); }

 private:
  ScratchFolder folder_;
};

TEST(Machine, WithoutGroupsIsTheMachine) {
  SystemFiles files;
  files.with_memory();
  EXPECT_GE(files.cores(), 1);
  EXPECT_EQ(files.memory().all, 1000 * mebi);
  EXPECT_EQ(files.memory().free, 800 * mebi);
  const GrantedMemory unknown = SystemFiles().memory();
  EXPECT_EQ(unknown.all, 0u);
  EXPECT_EQ(unknown.free, unlimited);
}

TEST(Machine, InAContainerIsItsQuota) {
  // One core and a half is one; the group sees itself as the top, whatever its path on the machine is.
  SystemFiles files;
  files.with_memory()
      .with("proc/self/cgroup", "0::/pods/one")
      .with("sys/fs/cgroup/cpu.max", "150000 100000")
      .with("sys/fs/cgroup/memory.max", std::to_string(500 * mebi))
      .with("sys/fs/cgroup/memory.current", std::to_string(400 * mebi))
      .with("sys/fs/cgroup/memory.stat", "anon " + std::to_string(50 * mebi) + "\ninactive_file " +
                                             std::to_string(250 * mebi) + "\nactive_file " +
                                             std::to_string(100 * mebi));
  EXPECT_EQ(files.cores(), 1);
  EXPECT_EQ(files.memory().all, 500 * mebi);
  EXPECT_EQ(files.memory().free, 450 * mebi);  // files in memory count as free
}

TEST(Machine, InAJobIsThatOfTheTightestGroupAroundIt) {
  SystemFiles files;
  files.with_memory()
      .with("proc/self/cgroup", "0::/slurm/job_7/step_0")
      .with("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max")
      .with("sys/fs/cgroup/slurm/job_7/memory.max", std::to_string(300 * mebi))
      .with("sys/fs/cgroup/slurm/job_7/memory.current", std::to_string(100 * mebi))
      .with("sys/fs/cgroup/slurm/memory.max", std::to_string(900 * mebi))
      .with("sys/fs/cgroup/slurm/job_7/cpu.max", "max 100000")
      .with("sys/fs/cgroup/slurm/cpu.max", "100000 100000");
  EXPECT_EQ(files.cores(), 1);
  EXPECT_EQ(files.memory().all, 300 * mebi);
  EXPECT_EQ(files.memory().free, 200 * mebi);
}

TEST(Machine, KnowsTheFirstVersionOfGroups) {
  SystemFiles files;
  files.with_memory()
      .with("proc/self/cgroup", "5:memory:/box\n3:cpuset:/\n1:cpu,cpuacct:/box\n0::/")
      .with("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "100000")
      .with("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000")
      .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
      .with("sys/fs/cgroup/memory/box/memory.limit_in_bytes", std::to_string(600 * mebi))
      .with("sys/fs/cgroup/memory/box/memory.usage_in_bytes", std::to_string(200 * mebi))
      .with("sys/fs/cgroup/memory/box/memory.stat", "total_inactive_file " + std::to_string(50 * mebi));
  EXPECT_EQ(files.cores(), 1);
  EXPECT_EQ(files.memory().all, 600 * mebi);
  EXPECT_EQ(files.memory().free, 450 * mebi);
  // No quota is -1.
  SystemFiles free;
  free.with("proc/self/cgroup", "1:cpu:/")
      .with("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1")
      .with("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(free.cores(), SystemFiles().cores());
}

}  // namespace scree::test::machine_test
