#pragma once

#include <algorithm>
#include <chrono>

#include "kernels/backend/exec.hpp"

namespace scree::inline SCREE_BACKEND {

/// Copies 16 bytes per index.
struct CopyWords {
  struct alignas(16) Words {
    std::uint64_t word[2];
  };
  Span<Words> from, to;
  SCREE_HD void operator()(std::size_t i) const { to[i] = from[i]; }
};

/// [1/s] Bytes per second of copying large arrays by a launch, reads and writes both counted: the best of several.
inline double copy_bandwidth(Exec& exec) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t bytes = std::size_t(1) << 28, n = bytes / sizeof(CopyWords::Words);
  Buffer<CopyWords::Words> from, to;
  from.resize(n, "bandwidth");
  to.resize(n, "bandwidth");
  double best = 0;
  for (int repeat = 0; repeat < 6; ++repeat) {  // the first one touches the memory
    wait_for_backend();
    const auto start = Clock::now();
    exec.for_each("copy of large arrays", n, CopyWords{from.view(), to.view()});
    wait_for_backend();
    best = std::max(best, 2.0 * double(bytes) / std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

}  // namespace scree::inline SCREE_BACKEND
