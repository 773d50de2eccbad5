#pragma once

#include <cstdint>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// Sum over all stages of neighbour searches so far.
struct SearchTotals {
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::vector<LaunchTime> stages;  ///< without the prefix "search: "
};
[[nodiscard]] SearchTotals search_totals(Engine& engine);

/// What one neighbour search costs.
struct SearchCost {
  std::uint64_t particles = 0;
  /// [-] per particle: distances computed, pairs listed, pairs that touch
  double tests = 0, pairs = 0, contacts = 0;
  double seconds = 0;              ///< [s] per particle, median
  double bytes = 0;                ///< [B] per particle, least traffic
  std::vector<LaunchTime> stages;  ///< of one search, mean; without the prefix "search: "
};

/// Repeats the search of a system at rest, after a step that finds out what touches. Median of `repeats`.
[[nodiscard]] SearchCost measure_search(const Scene& scene, const EngineOptions& options, int repeats);

/// How searches weigh in a run.
struct FlowCost {
  double searches_per_1000_steps = 0;
  double share = 0;  ///< [-] of the time of all steps
};

/// The same spheres flowing, with an automatic Verlet distance: gravity tilted by 30 degrees, speeds that rise from 0
/// at the floor to 0.5 m/s at the top. Measures at least ten searches once the choice of the distance has come to rest.
[[nodiscard]] FlowCost measure_flow(Scene scene, const EngineOptions& options);

}  // namespace scree
