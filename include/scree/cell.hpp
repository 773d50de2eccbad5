#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scree/case.hpp"

/// A periodic cell: any parallelepiped that repeats without end, and how it deforms.
namespace scree {

using Matrix3 = std::array<Real3, 3>;  ///< rows

/// Symmetric components in this order: xx, yy, zz, yz, xz, xy. Stress [Pa] is positive in tension. Strain of a diagonal
/// component is logarithmic; of the others it is the sum of the shear rates L_yz, L_xz, L_xy: the velocity along the
/// first axis by the second.
inline constexpr std::size_t n_cell_components = 6;
using CellTensor = std::array<double, n_cell_components>;
inline constexpr std::array<const char*, n_cell_components> cell_component_names{"xx", "yy", "zz", "yz", "xz", "xy"};

/// What one component of the cell is made to do in a stage.
struct CellGoal {
  enum class Kind { strain_rate, strain, stress };
  Kind kind = Kind::strain_rate;
  /// rows of time since the stage began [s] and [1/s], [-] or [Pa]; linear between, constant beyond
  TimeTable table{{0.0, 0.0}};
  /// [Pa] of a strain rate: it changes its sign whenever the stress has come this far; 0: never
  double reverse_at_stress = 0;
};

/// A stage ends when its duration is over, a strain is reached, or when all that is asked for of stress error and
/// unbalanced force holds at once. Without any of these it lasts to the end of the run.
struct CellStage {
  std::string name;
  std::array<CellGoal, n_cell_components> goals{};
  double inertial_number = 1e-3;                              ///< [-] limit of the rates that controllers choose
  double duration = std::numeric_limits<double>::infinity();  ///< [s]
  std::array<double, n_cell_components> strain{};  ///< [-] since the stage began, by its magnitude; 0: no condition
  double stress_error = 0;                         ///< [-] of the largest goal of stress; 0: no condition
  double unbalanced_force = 0;  ///< [-] mean force on a particle over mean contact force; 0: no condition
};

struct PeriodicCell {
  Matrix3 edges{};  ///< [m] the edge vectors a, b and c, one per row
  Real3 origin{};   ///< [m] its corner, which does not move
  /// along a, b, c; edges of others lie along the axes and have no meaning
  std::array<bool, 3> periodic{true, true, true};
  Matrix3 velocity_gradient{};    ///< [1/s] L_ij = d v_i / d x_j, where no stage says otherwise
  std::vector<CellStage> stages;  ///< one after the other; empty: the gradient holds
};

/// What was measured of all contacts and particles of a cell, at the moment of the last contact forces.
struct CellMeasure {
  CellTensor stress{};  ///< [Pa] contact and kinetic part, symmetrised
  /// [Pa] of each component if all particles moved with the mean strain (shear: by the engineering strain)
  CellTensor stiffness{};
  double unbalanced_force = 0;  ///< [-] mean force on a particle over mean contact force; 0 where nothing touches
  std::uint64_t contacts = 0;
};

/// The cell of a running system.
struct CellState {
  Matrix3 edges{};  ///< [m] now
  Real3 origin{};   ///< [m]
  std::array<bool, 3> periodic{};
  Matrix3 deformation{};        ///< [-] F since the start
  Matrix3 velocity_gradient{};  ///< [1/s] of the last step
  CellTensor strain{};          ///< [-] since the start
  double volume = 0;            ///< [m3]
  std::uint32_t stage = 0;      ///< that runs; the number of stages when all are over
};

}  // namespace scree
