#pragma once

#include <algorithm>
#include <cstdint>

namespace scree {

/// The number of steps for the next call of the engine, so that it takes about `target_seconds`, if the last call made
/// `chunk` steps in `seconds`. It grows at most eightfold at once.
[[nodiscard]] inline std::uint64_t next_chunk(std::uint64_t chunk, double seconds, double target_seconds) {
  const double factor = seconds > 0 ? std::clamp(target_seconds / seconds, 0.0, 8.0) : 8.0;
  const double steps = std::clamp(static_cast<double>(chunk) * factor, 1.0, 0x1p31);
  return static_cast<std::uint64_t>(steps);
}

}  // namespace scree
