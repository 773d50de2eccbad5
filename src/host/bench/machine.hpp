#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

using BenchClock = std::chrono::steady_clock;

/// [s] The time since `start`.
[[nodiscard]] double seconds_since(BenchClock::time_point start);

/// The backend to measure: "auto" takes the GPU when there is one. Throws BackendError when "cuda" cannot run here.
[[nodiscard]] BackendChoice bench_backend(const std::string& wanted);

/// Thread counts to measure with: `wanted`, or if it is empty, `usual` without equal neighbours; 1 on a GPU.
[[nodiscard]] std::vector<int> bench_threads(const std::vector<int>& wanted, BackendChoice backend,
                                             std::vector<int> usual);

/// Precisions to measure in, "double" or "mixed": `wanted`, where "both" means both, or if it is empty, `usual`.
[[nodiscard]] std::vector<std::string> bench_precisions(const std::vector<std::string>& wanted,
                                                        const std::vector<std::string>& usual);

/// Numbers of particles to measure with: `wanted`, or if it is empty, `usual`.
[[nodiscard]] std::vector<std::uint64_t> bench_sizes(const std::vector<std::uint64_t>& wanted,
                                                     const std::vector<std::uint64_t>& usual);

}  // namespace scree
