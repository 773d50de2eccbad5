#pragma once

#include <algorithm>

#include "host/case/laws.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Whether some pair of materials has a law whose contacts remember a stack of segments of any length.
[[nodiscard]] inline bool has_load_histories(const Scene& scene) {
  return std::any_of(scene.pairs.begin(), scene.pairs.end(),
                     [&](const MaterialPair& pair) { return needs_of(pair.law.value_or(scene.law)).load_history; });
}

/// Segments per touching contact; 0 where nothing touches.
[[nodiscard]] inline double mean_history_length(std::uint64_t segments, std::uint64_t contacts) {
  return contacts > 0 ? static_cast<double>(segments) / static_cast<double>(contacts) : 0;
}

}  // namespace scree
