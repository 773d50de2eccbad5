#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/scene.hpp"

namespace scree {

/// The estimated number of particles that an inlet brings in a whole run, if it finds room for all.
struct InletTotal {
  std::size_t entry = 0;  ///< index in Case::particles
  double particles = 0;   ///< number of spheres, clumps and grains
  double spheres = 0;     ///< number of spheres; clumps count by their members
  double mean_mass = 0;   ///< [kg] mean mass of a particle, the least one of all kinds
  bool is_open = true;    ///< whether the inlet is open at some time of the run
};

/// The totals of all entries with an inlet. Mean masses follow from sizes that are drawn at random as the inlet does.
[[nodiscard]] std::vector<InletTotal> inlet_totals(const Case& input, const Scene& scene);

/// Warnings about inlets that bring no particle, because their mass is too small for one or because they open too late.
[[nodiscard]] std::vector<std::string> empty_inlet_warnings(const std::vector<InletTotal>& totals);

}  // namespace scree
