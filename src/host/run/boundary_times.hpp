#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/output/output_schedule.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Boundaries that exist between two times only. With a fixed time step a boundary appears before the first step that
/// begins at its time or later; with an adaptive step the time of the engine decides in the same way. The present
/// boundaries follow from the step and the time alone. So a continued run needs no further state, and switches at the
/// same steps.
class BoundaryTimes {
 public:
  /// `scene` must outlive it, and the engine have all boundaries.
  explicit BoundaryTimes(const Scene& scene);

  [[nodiscard]] bool any() const { return !timed_.empty(); }
  /// The next step or time at which a boundary appears or goes.
  [[nodiscard]] RunTarget next(const Engine& engine) const;
  /// Switches the boundaries that are due. Returns a line for the log for each of them, except for boundaries that are
  /// absent at the start.
  std::vector<std::string> look(Engine& engine);
  /// Warnings for the user about the switches since the last call.
  [[nodiscard]] std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  struct Timed {
    std::uint32_t boundary;
    std::uint64_t first_step, end_step;
    double from, until;  ///< [s] used instead of the steps where the step adapts
    bool present = true;
  };
  [[nodiscard]] bool is_present(const Timed& timed, const Engine& engine) const;

  const Scene& scene_;
  std::vector<Timed> timed_;
  std::vector<std::string> warnings_;
};

}  // namespace scree
