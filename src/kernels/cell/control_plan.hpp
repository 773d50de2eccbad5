#pragma once

#include <limits>
#include <vector>

#include "kernels/cell/control.hpp"

/// The data that the parts of the control of a cell share.
namespace scree::inline SCREE_BACKEND {

struct CellControl::Plan {
  PeriodicCell cell;
  double diameter = 0, density = 0;
  /// [-] Limits of the sum of the normal strains that end a stage, from its limits of the void ratio.
  struct Dilation {
    double above = std::numeric_limits<double>::infinity(), below = -std::numeric_limits<double>::infinity();
  };
  std::vector<Dilation> dilation{};  ///< [n_stages]
  double largest_goal = 0;           ///< [Pa] largest goal of stress in all stages
  double least_pressure = 0;         ///< [Pa] at lower pressures rates are those of this pressure
};

/// [Pa] The sum of `goal.plus` times the stresses.
inline double stress_of_others(const CellGoal& goal, const CellTensor& stress) {
  double sum = 0;
  for (std::size_t k = 0; k < n_cell_components; ++k) {
    if (goal.plus[k] != 0) { sum += goal.plus[k] * stress[k]; }
  }
  return sum;
}

}  // namespace scree::inline SCREE_BACKEND
