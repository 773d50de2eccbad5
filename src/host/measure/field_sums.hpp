#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "host/measure/cylinder_sums.hpp"
#include "host/measure/probes.hpp"
#include "host/measure/spline_kernel.hpp"
#include "scree/outputs.hpp"

namespace scree {

/// Sums over the samples of a time window, for each cell of a grid: integrals over the cell of what particles and their
/// contacts carry, spread by a kernel (spline_kernel.hpp). docs/output.md has the formulas.
///
/// Each particle has a half of each of its contacts: the way from its centre to the contact point. A particle that is
/// not seen, and a boundary, has none; their forces act at the contact point, so that momentum balances.
///
/// On a cylindrical grid x, y and z of vectors and tensors stand for radius, angle and axis: the directions at each
/// place over which a load is spread.
class FieldSums {
 public:
  /// What is summed, one number per cell each.
  enum Quantity : std::size_t {
    number,                            ///< of particles
    volume,                            ///< [m3] of particles
    mass,                              ///< [kg]
    momentum,                          ///< [kg m/s] 3
    flux = momentum + 3,               ///< [kg m2/s2] m v v: xx, yy, zz, xy, yz, xz
    contacts = flux + 6,               ///< number of contacts of particles
    fabric = contacts + 1,             ///< n n of these contacts: xx, yy, zz, xy, yz, xz
    age = fabric + 6,                  ///< [kg s] mass times the time since a particle came in
    mass_slope = age + 1,              ///< [kg/m] gradient of the mass: 3
    momentum_slope = mass_slope + 3,   ///< [kg/s] of the momentum: component by component, 9
    moment = momentum_slope + 9,       ///< [N m] force on the particle times way to the contact, row by row, 9
    boundary_force = moment + 9,       ///< [N] of boundaries on particles, 3
    other_force = boundary_force + 3,  ///< [N] of particles that are not seen on those that are, 3
    quantities = other_force + 3
  };

  FieldSums(const FieldGrid& grid, double width);

  /// The axes of the grid [m]. A cylindrical grid has radius [m], angle [rad] and axis [m].
  [[nodiscard]] const spline::Axes& axes() const { return axes_; }
  /// The place of a cylinder; none: the grid is a box.
  [[nodiscard]] const CylinderPlace* cylinder() const { return round_ ? &round_->place() : nullptr; }
  [[nodiscard]] std::size_t cells() const { return axes_[0].cells * axes_[1].cells * axes_[2].cells; }
  [[nodiscard]] double cell_volume(std::size_t cell) const;  ///< [m3]

  void clear() { sums_.assign(sums_.size(), 0); }
  /// Adds a sample. The order of all sums is that of the ids, whatever the number of threads.
  void add(const ProbeView& view);
  /// One quantity of a cell; cells along x follow each other, then those along y; or along radius, then angle.
  [[nodiscard]] double of(std::size_t quantity, std::size_t cell) const { return sums_[cell * quantities + quantity]; }
  /// [n_cells, quantities] all of them, for checkpoints.
  [[nodiscard]] const std::vector<double>& all() const { return sums_; }
  void restore(std::vector<double> sums);

 private:
  spline::Axes axes_;
  std::optional<CylinderSums> round_;
  std::vector<double> sums_;
};

}  // namespace scree
