#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scree/sphere_drag.hpp"
#include "scree/values.hpp"

/// A fluid that acts on the particles, while they do not act on it: the settings of a case, and the values that an
/// engine starts from. docs/theory.md has the equations.
namespace scree {

/// The plane surface of a fluid; the fluid is on the side away from the normal.
struct FluidSurface {
  Real3 point{};          ///< [m]
  Real3 normal{0, 0, 1};  ///< out of the fluid; of length 1 in a scene
};

/// How the neighbours of a grain change its drag.
enum class Hindrance {
  none,      ///< each grain is alone
  di_felice  ///< by the porosity around it, after Di Felice
};

/// Time [s] and a velocity [m/s].
using FlowRow = std::array<double, 4>;

/// The key `fluid` of a case. At most one of the three velocities is given; without any the fluid is at rest.
struct FluidSettings {
  double density = 0;                          ///< [kg/m3]
  double viscosity = 0;                        ///< [Pa s] dynamic
  std::optional<Real3> velocity{};             ///< [m/s] the same everywhere
  std::vector<FlowRow> velocity_table{};       ///< the same everywhere, linear between the rows, constant outside
  std::optional<std::string> velocity_file{};  ///< CSV: velocities on a regular grid
  DragLaw drag = DragLaw::schiller_naumann;
  Hindrance hindrance = Hindrance::none;
  std::optional<double> hindrance_width{};  ///< [m] of the surroundings that count; none: four mean diameters
  std::optional<FluidSurface> surface{};    ///< none: the fluid is everywhere
};

/// Velocities on a regular grid, whose axes are those of the world. An axis may have a single point; then the flow does
/// not change along it.
struct FlowGrid {
  std::array<std::uint32_t, 3> points{};
  Real3 first{};                  ///< [m] the point with the least coordinates
  Real3 spacing{};                ///< [m] 0 along an axis with a single point
  std::vector<Real3> velocity{};  ///< [m/s] [all points] x runs fastest, then y
};

/// The fluid of a scene.
struct SceneFluid {
  double density = 0;           ///< [kg/m3]
  double viscosity = 0;         ///< [Pa s]
  std::vector<FlowRow> flow{};  ///< [n_rows] at least one, unless there is a grid
  std::optional<FlowGrid> grid{};
  DragLaw drag = DragLaw::schiller_naumann;
  Hindrance hindrance = Hindrance::none;
  double hindrance_width = 0;  ///< [m] distance of the points at which the solid fraction is known
  std::optional<FluidSurface> surface{};
  double grain_scale = 1;  ///< [-] size of a particle over that of the grains that feel the drag; see Parcels
};

}  // namespace scree
