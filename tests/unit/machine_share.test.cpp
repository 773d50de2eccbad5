#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "scratch_folder.hpp"
#include "scree/machine.hpp"

namespace scree::test::machine_share_test {

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
  [[nodiscard]] MachineShare share() const { return machine_share(folder_.path()); }

 private:
  ScratchFolder folder_;
};

TEST(MachineShare, WithoutGroupsIsTheMachine) {
  const MachineShare share = SystemFiles().with_memory().share();
  EXPECT_GE(share.cores, 1);
  EXPECT_EQ(share.memory, 1000 * mebi);
  EXPECT_EQ(share.free_memory, 800 * mebi);
  const MachineShare unknown = SystemFiles().share();
  EXPECT_EQ(unknown.memory, 0u);
  EXPECT_EQ(unknown.free_memory, unlimited);
}

TEST(MachineShare, OfAContainerIsItsQuota) {
  // One core and a half is one; the group sees itself as the top, whatever its path on the machine is.
  const MachineShare share = SystemFiles()
                                 .with_memory()
                                 .with("proc/self/cgroup", "0::/pods/one")
                                 .with("sys/fs/cgroup/cpu.max", "150000 100000")
                                 .with("sys/fs/cgroup/memory.max", std::to_string(500 * mebi))
                                 .with("sys/fs/cgroup/memory.current", std::to_string(400 * mebi))
                                 .with("sys/fs/cgroup/memory.stat",
                                       "anon " + std::to_string(50 * mebi) + "\ninactive_file " +
                                           std::to_string(250 * mebi) + "\nactive_file " + std::to_string(100 * mebi))
                                 .share();
  EXPECT_EQ(share.cores, 1);
  EXPECT_EQ(share.memory, 500 * mebi);
  EXPECT_EQ(share.free_memory, 450 * mebi);  // files in memory count as free
}

TEST(MachineShare, OfAJobIsThatOfTheTightestGroupAroundIt) {
  const MachineShare share = SystemFiles()
                                 .with_memory()
                                 .with("proc/self/cgroup", "0::/slurm/job_7/step_0")
                                 .with("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "max")
                                 .with("sys/fs/cgroup/slurm/job_7/memory.max", std::to_string(300 * mebi))
                                 .with("sys/fs/cgroup/slurm/job_7/memory.current", std::to_string(100 * mebi))
                                 .with("sys/fs/cgroup/slurm/memory.max", std::to_string(900 * mebi))
                                 .with("sys/fs/cgroup/slurm/job_7/cpu.max", "max 100000")
                                 .with("sys/fs/cgroup/slurm/cpu.max", "100000 100000")
                                 .share();
  EXPECT_EQ(share.cores, 1);
  EXPECT_EQ(share.memory, 300 * mebi);
  EXPECT_EQ(share.free_memory, 200 * mebi);
}

TEST(MachineShare, KnowsTheFirstVersionOfGroups) {
  const MachineShare share =
      SystemFiles()
          .with_memory()
          .with("proc/self/cgroup", "5:memory:/box\n3:cpuset:/\n1:cpu,cpuacct:/box\n0::/")
          .with("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "100000")
          .with("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000")
          .with("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
          .with("sys/fs/cgroup/memory/box/memory.limit_in_bytes", std::to_string(600 * mebi))
          .with("sys/fs/cgroup/memory/box/memory.usage_in_bytes", std::to_string(200 * mebi))
          .with("sys/fs/cgroup/memory/box/memory.stat", "total_inactive_file " + std::to_string(50 * mebi))
          .share();
  EXPECT_EQ(share.cores, 1);
  EXPECT_EQ(share.memory, 600 * mebi);
  EXPECT_EQ(share.free_memory, 450 * mebi);
  // No quota is -1.
  const MachineShare free = SystemFiles()
                                .with("proc/self/cgroup", "1:cpu:/")
                                .with("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1")
                                .with("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
                                .share();
  EXPECT_EQ(free.cores, SystemFiles().share().cores);
}

}  // namespace scree::test::machine_share_test
