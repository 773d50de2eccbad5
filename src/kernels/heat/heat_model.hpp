#pragma once

#include "kernels/backend/portability.hpp"

namespace scree::inline SCREE_BACKEND {

/// The values that decide about flows of heat, as kernels see them.
struct HeatModel {
  double gas_conductivity = 0;  ///< [W/(m K)] 0: no gas
  double film = 0;              ///< [-] thickness of the gas over the radius
  double least_gap = 0;         ///< [m]
  double radiation_range = 0;   ///< [-] over the sum of the radii; 0: no radiation
  double reach = 1;             ///< [-] pairs beyond this multiple of the sum of the radii exchange nothing
  double dissipation = 0;       ///< [-] share of the losses that becomes heat
};

/// Values of an ordered pair of materials; see ThermalPair.
struct HeatPair {
  double per_radius, radius_factor, share_of_first;
};

enum class WallKind : std::uint32_t { adiabatic, temperature, flux };

/// The thermal condition of a boundary.
struct BoundaryHeat {
  WallKind kind = WallKind::adiabatic;
  double value = 0;  ///< [K] or [W/m2]
};

/// The heat that a body gets in a step.
struct HeatRate {
  double power;        ///< [W]
  double conductance;  ///< [W/K] sum of all; for the check of the step
};

}  // namespace scree::inline SCREE_BACKEND
