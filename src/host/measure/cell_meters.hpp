#pragma once

#include "host/measure/measured_state.hpp"
#include "scree/engine.hpp"
#include "scree/scene.hpp"

/// What is measured of the packing in a periodic cell; defined in docs/output.md.
namespace scree {

/// Velocity [m/s] of the mean deformation between two points that are `way` [m] apart.
[[nodiscard]] Real3 mean_flow(const CellState& cell, const Real3& way);
/// Spin [rad/s] of the mean deformation: half of the curl of its velocity.
[[nodiscard]] Real3 mean_spin(const CellState& cell);

/// Position [m] of particle `i` of a snapshot as if it had never been moved back into the periodic cell.
[[nodiscard]] Real3 unwrapped_position(const Snapshot& particles, std::size_t i, const CellState& cell);

/// A copy of the snapshot whose velocities and spins are relative to the mean deformation.
[[nodiscard]] Snapshot fluctuating(Snapshot particles, const Scene& scene, const CellState& cell);

/// Measures of all particles and of the contacts between them. NaN: there is nothing to measure, or contact forces are
/// not known yet.
struct CellMeasures {
  double volume = 0;                   ///< [m3] of the room in the cell: see CellState
  double void_ratio = 0;               ///< [-] nan without particles
  CellTensor strain{};                 ///< [-] since the start
  CellTensor stress{};                 ///< [Pa] positive in tension
  CellTensor kinetic_stress{};         ///< [Pa] the part of `stress` that comes from velocities
  CellTensor fabric{};                 ///< [-]
  double coordination = 0;             ///< [-] contacts per particle
  double mechanical_coordination = 0;  ///< [-] the same without particles that have one contact or none
  double unbalanced_force = 0;         ///< [-] mean force on a particle over mean contact force
  double stage = 0;                    ///< index of the running stage of the control
};

/// `state` has forces and contacts. Throws ContractError if it has no periodic cell.
[[nodiscard]] CellMeasures measure_cell(const MeasuredState& state, const Scene& scene);

}  // namespace scree
