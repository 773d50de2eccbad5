#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scree/motions.hpp"
#include "scree/values.hpp"

/// A periodic cell: a parallelepiped of any shape that repeats without end, and its deformation.
namespace scree {

using Matrix3 = std::array<Real3, 3>;  ///< rows

/// Symmetric components in this order: xx, yy, zz, yz, xz, xy. Stress [Pa] is positive in tension. The strain of a
/// diagonal component is logarithmic. The strain of another component is the time integral of the shear rate L_yz, L_xz
/// or L_xy, the gradient along the second axis of the velocity along the first one.
inline constexpr std::size_t n_cell_components = 6;
using CellTensor = std::array<double, n_cell_components>;
inline constexpr std::array<const char*, n_cell_components> cell_component_names{"xx", "yy", "zz", "yz", "xz", "xy"};

/// The goal of one component of the cell in a stage.
struct CellGoal {
  enum class Kind { strain_rate, strain, stress, follows };
  Kind kind = Kind::strain_rate;
  /// [n_rows] time since the stage began [s] and the goal [1/s], [-] or [Pa]; linear between the rows, constant outside
  TimeTable table{{0.0, 0.0}};
  /// [Pa] a strain rate reverses whenever the magnitude of the stress reaches this value; 0: never
  double reverse_at_stress = 0;
  /// [-] factors of the measured stresses of other components. The sum of factor times stress is added to a goal of
  /// stress, or to the stress at which the rate reverses
  CellTensor plus{};
  /// [-] factors of the strains of other components. The strain of a component that follows others is the sum of factor
  /// times strain
  CellTensor follows{};
};

/// The place of a stage among repeated stages. A round is one pass through all of them.
struct CellRound {
  std::uint64_t round = 0, times = 1;  ///< number of the round, from 0, and of all rounds
  std::size_t first = 0;               ///< index of the first stage of this round
  std::size_t behind = 0;              ///< index of the stage after the last round
  /// [-] all rounds end when the largest minus the least strain within one round reaches this; 0: never
  CellTensor double_amplitude{};
};

/// One stage of the control. It ends when its duration is over, when one of the strains is reached, when one of the
/// stresses passes its value from the side on which it was at first, when strain rates have changed their signs often
/// enough, when the void ratio reaches a limit, or when the conditions on stress error and unbalanced force hold at
/// once. Without any condition it lasts to the end of the run.
struct CellStage {
  std::string name;
  std::array<CellGoal, n_cell_components> goals{};
  double inertial_number = 1e-3;                              ///< [-] limit of the rates that the program chooses
  double duration = std::numeric_limits<double>::infinity();  ///< [s]
  CellTensor strain{};                                        ///< [-] magnitude since the stage began; 0: no condition
  std::array<std::optional<double>, n_cell_components> stress{};  ///< [Pa] none: no condition
  std::uint64_t reversals = 0;  ///< changes of sign of all strain rates together; 0: no condition
  double stress_error = 0;      ///< [-] fraction of the largest goal of stress; 0: no condition
  double unbalanced_force = 0;  ///< [-] mean force on a particle over mean contact force; 0: no condition
  /// [-] the stage ends when the void ratio is at least, or at most, this; none: no condition. The cell must repeat
  /// along all edges, and the particles of the start must stay in the run.
  std::optional<double> void_ratio_above{}, void_ratio_below{};
  std::optional<CellRound> repeat{};  ///< none: the stage runs once
  std::string path{};                 ///< its path in the case, for messages: "domain.control.1"
};

/// [-] The least distance between two periodic faces, over the reach of the largest particle. Above 4, no two particles
/// touch through two images. The remaining 0.2 is a margin, for two reasons. Neighbour lists reach farther than
/// contacts do. And a listed pair may separate: until the next search another image of one of its particles must not
/// come so near that it is mistaken for the listed image.
inline constexpr double least_cell_width = 4.2;

/// A periodic cell at the start, and its control.
struct PeriodicCell {
  Matrix3 edges{};  ///< [m] the edge vectors a, b and c, one per row
  Real3 origin{};   ///< [m] the corner from which the edges start; it does not move
  /// whether the cell repeats along a, b, c. An edge along which it does not repeat is parallel to its axis, and its
  /// length has no meaning
  std::array<bool, 3> periodic{true, true, true};
  Matrix3 velocity_gradient{};     ///< [1/s] L_ij = d v_i / d x_j, if there are no stages
  std::vector<CellStage> stages;   ///< run one after the other; empty: `velocity_gradient` holds all the time
  bool returns_at_stages = false;  ///< Engine::advance() returns when a stage has begun
};

/// Measurements over all contacts and particles of a cell, at the moment of the last contact forces.
struct CellMeasureOfForces {
  CellTensor stress{};  ///< [Pa] contact part and kinetic part, symmetrised
  /// [Pa] stiffness of each component if all particles moved with the mean strain (shear: the engineering strain)
  CellTensor stiffness{};
  double unbalanced_force = 0;  ///< [-] mean force on a particle over mean contact force; 0 where nothing touches
  std::uint64_t contacts = 0;
};
/// The measurements of CellMeasureOfForces and the response time of the dashpots.
struct CellMeasure : CellMeasureOfForces {
  /// [s] viscosity over stiffness of a normal component. While the cell deforms, the dashpots of the contacts add the
  /// stress that the springs reach in this time
  double dashpot_time = 0;
};

/// The cell of a running system.
struct CellState {
  Matrix3 edges{};  ///< [m] present edge vectors, one per row
  Real3 origin{};   ///< [m]
  std::array<bool, 3> periodic{};
  Matrix3 deformation{};        ///< [-] F since the start
  Matrix3 velocity_gradient{};  ///< [1/s] in the last step
  CellTensor strain{};          ///< [-] since the start
  /// [m3] product of the extents of the cell. Along an axis on which the cell does not repeat, the extent is the
  /// present distance of the nearest two planes that face each other; without such planes it is the length of the cell.
  double volume = 0;
  std::uint32_t stage = 0;  ///< index of the running stage; the number of stages when all are over
};

}  // namespace scree
