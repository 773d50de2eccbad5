#pragma once

#include <algorithm>

#include "scree/scene.hpp"

namespace scree {

/// Whether some pair of materials has the law jaeger, whose contacts remember more than a fixed number of values.
[[nodiscard]] inline bool has_load_histories(const Scene& scene) {
  const auto is_jaeger = [&](const MaterialPair& pair) { return pair.law.value_or(scene.law) == LawKind::jaeger; };
  return std::any_of(scene.pairs.begin(), scene.pairs.end(), is_jaeger);
}

/// Segments per touching contact; 0 where nothing touches.
[[nodiscard]] inline double mean_history_length(std::uint64_t segments, std::uint64_t contacts) {
  return contacts > 0 ? static_cast<double>(segments) / static_cast<double>(contacts) : 0;
}

}  // namespace scree
