#pragma once

#include <cstdint>

namespace scree {

/// Steps that cover `duration` [s]: the ceiling of duration / time_step, where a quotient within rounding of a whole
/// number counts as that number.
[[nodiscard]] std::uint64_t steps_for(double duration, double time_step);

/// The steps at which something is written: llround(k * every / time_step) for k = 0, 1, ...; each once,
/// every step when `every` is not longer than a step.
class OutputSchedule {
 public:
  OutputSchedule(double every, double time_step);  ///< [s], [s]

  /// The first scheduled step after `step`.
  [[nodiscard]] std::uint64_t next_after(std::uint64_t step) const;
  /// Scheduled steps in [first, last].
  [[nodiscard]] std::uint64_t count(std::uint64_t first, std::uint64_t last) const;

 private:
  [[nodiscard]] std::uint64_t step_of(std::uint64_t k) const;
  /// Smallest k whose step comes after `step`.
  [[nodiscard]] std::uint64_t index_after(std::uint64_t step) const;

  double every_, time_step_;
};

/// Steps of the next call of the engine so that it takes about `target_seconds`; grows at most eightfold at once.
[[nodiscard]] std::uint64_t next_chunk(std::uint64_t chunk, double seconds, double target_seconds);

}  // namespace scree
