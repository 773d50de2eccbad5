#pragma once

#include <algorithm>
#include <ctime>

#include "scree/engine.hpp"
#include "scree/machine.hpp"

namespace scree {

/// Measures the time that steps of an engine would take on a machine without other load. For the host backend this is
/// processor time, in which other programs do not count: the larger of the time of this thread, which does its share of
/// all work, and the time of all threads over the number of cores. For a GPU it is wall time, since this thread only
/// waits.
class WorkClock {
 public:
  explicit WorkClock(const Engine& engine) : on_host_(engine.backend().starts_with("host")) {}

  /// [s] time since the clock was made
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
