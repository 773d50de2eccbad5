#pragma once

#include <algorithm>
#include <ctime>

#include "scree/engine.hpp"
#include "scree/machine.hpp"

namespace scree {

/// Measures what steps of an engine take on a machine of which nobody else has a part. On the host it is processor
/// time, so that other programs do not count: that of this thread, which has its share in all work, or that of all
/// threads over the number of processors, where there are more threads than processors. Else it is wall time, since
/// this thread only waits for the device.
class WorkClock {
 public:
  explicit WorkClock(const Engine& engine) : on_host_(engine.backend().starts_with("host")) {}

  /// [s] since it was made
  [[nodiscard]] double seconds() const {
    const Times now;
    if (!on_host_) { return now.wall - begin_.wall; }
    return std::max(now.thread - begin_.thread, (now.process - begin_.process) / granted_cores());
  }

 private:
  struct Times {
    double wall = read(CLOCK_MONOTONIC), thread = read(CLOCK_THREAD_CPUTIME_ID),
           process = read(CLOCK_PROCESS_CPUTIME_ID);

    static double read(clockid_t clock) {
      timespec time{};
      clock_gettime(clock, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
  };

  bool on_host_;
  Times begin_{};
};

}  // namespace scree
