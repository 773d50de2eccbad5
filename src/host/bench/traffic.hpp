#pragma once

#include "scree/case.hpp"
#include "scree/engine.hpp"

namespace scree {

/// Least memory traffic [bytes] of a step per particle: each state array is read or written once, lists once, each
/// record of a pair once. What caches fail to keep comes on top.
struct StepTraffic {
  double pairs = 0;   ///< pair contacts
  double motion = 0;  ///< gather and move

  [[nodiscard]] double all() const { return pairs + motion; }
};

/// For Hertz-Mindlin contacts of spheres.
[[nodiscard]] inline StepTraffic step_traffic(const EngineCounts& counts, Precision precision) {
  const double real = precision == Precision::double_ ? 8 : 4;
  const double n = static_cast<double>(counts.particles);
  const double listed = static_cast<double>(counts.candidates) / n;
  const double touching = static_cast<double>(counts.contacts) / n;
  return {24 + 8 * real + 4 + listed * (8 + 1) + touching * (6 + 8) * real,
          2 * 24 + 2 * 9 * real + 3 * real + 8 + 4 + listed * (8 * real + 2 * 4)};
}

}  // namespace scree
