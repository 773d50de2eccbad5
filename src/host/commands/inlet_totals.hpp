#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// What an inlet brings in a whole run, if it finds room for all.
struct InletTotal {
  std::size_t entry = 0;  ///< index in Case::particles
  double particles = 0;   ///< about so many spheres, clumps and grains
  double spheres = 0;     ///< about so many spheres: clumps count by their members
  double mean_mass = 0;   ///< [kg] of one particle, the smaller one where kinds differ
  bool is_open = true;    ///< at some time of the run
};

/// One for each entry with an inlet. Masses follow from particles that are drawn at random, as the inlet draws them.
[[nodiscard]] std::vector<InletTotal> inlet_totals(const Case& input, const Scene& scene);

/// Warnings: inlets whose `mass` or `mass_flow` is not enough for one particle, and those that open too late.
[[nodiscard]] std::vector<std::string> empty_inlet_warnings(const std::vector<InletTotal>& totals);

}  // namespace scree
