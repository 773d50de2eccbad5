#pragma once

#include <cstdint>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// Sums over all stages of all neighbour searches so far.
struct SearchTotals {
  double seconds = 0;
  std::uint64_t bytes = 0;
  std::vector<LaunchTime> stages;  ///< without the prefix "search: "
};
[[nodiscard]] SearchTotals search_totals(Engine& engine);

/// The cost of one neighbour search.
struct SearchCost {
  std::uint64_t particles = 0;
  /// [-] numbers per particle: computed distances, listed pairs, touching pairs
  double tests = 0, pairs = 0, contacts = 0;
  double seconds = 0;              ///< [s] per particle, median
  double bytes = 0;                ///< [B] per particle, least traffic
  std::vector<LaunchTime> stages;  ///< means of one search; without the prefix "search: "
};

/// Repeats the search of a system at rest, after one step that finds the contacts. Times are medians of `repeats`.
[[nodiscard]] SearchCost measure_search(const Scene& scene, const EngineOptions& options, int repeats);

/// The cost of searches in a flow.
struct FlowCost {
  double searches_per_1000_steps = 0;
  double share = 0;  ///< [-] time of searches over the time of all steps
};

/// Measures searches while the spheres of a scene flow: gravity is tilted by 30 degrees, and speeds rise from 0 at the
/// floor to 0.5 m/s at the top. The Verlet distance is automatic. Measures at least ten searches (unless they are very
/// rare) after some steps in which the distance settles.
[[nodiscard]] FlowCost measure_flow(Scene scene, const EngineOptions& options);

}  // namespace scree
