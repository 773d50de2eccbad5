#pragma once

#include "scree/case.hpp"
#include "scree/engine.hpp"

namespace scree {

/// [bytes] The least memory traffic of a step per particle, if each state array, list and record of a pair is read or
/// written only once. Cache misses add to it.
struct StepTraffic {
  double pairs = 0;   ///< pair contacts
  double motion = 0;  ///< gather and move

  [[nodiscard]] double all() const { return pairs + motion; }
};

/// The traffic of a step of spheres with Hertz-Mindlin contacts.
[[nodiscard]] inline StepTraffic step_traffic(const EngineCounts& counts, Precision precision) {
  const double real = precision == Precision::double_ ? 8 : 4;
  const double n = static_cast<double>(counts.particles);
  const double listed = static_cast<double>(counts.candidates) / n;
  const double touching = static_cast<double>(counts.contacts) / n;
  return {24 + 8 * real + 4 + listed * (8 + 1) + touching * (6 + 8) * real,
          2 * 24 + 2 * 9 * real + 3 * real + 8 + 4 + listed * (8 * real + 2 * 4)};
}

}  // namespace scree
