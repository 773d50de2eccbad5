#pragma once

#include <array>
#include <vector>

#include "scree/values.hpp"

namespace scree {

/// Tractions over the circle of one contact of the law jaeger, from its load history (Kuhn 2011, eq. 21). The contact
/// is circular, and the traction on body 1 depends only on the distance r from the axis. The arrays r, pressure and
/// traction have the length [n_points], the requested number of points.
struct ContactTractions {
  double contact_radius = 0;                 ///< [m]
  double friction = 0;                       ///< [-]
  double normal_force = 0;                   ///< [N] Hertz's force, without dashpots
  Real3 normal{};                            ///< [-] from body 1 to body 2
  std::array<Real3, 2> tangent{};            ///< [-] axes of the two components
  std::array<double, 2> tangential_force{};  ///< [N] on body 1, as stored by the law
  double pressure_sum = 0;                   ///< [N] integral of the pressure over the circle, by quadrature
  std::array<double, 2> traction_sum{};      ///< [N] integral of the traction
  std::vector<double> r;                     ///< [m] from 0 to the contact radius
  std::vector<double> pressure;              ///< [Pa] at r
  /// [Pa] on body 1 at r; its magnitude is at most friction times pressure
  std::vector<std::array<double, 2>> traction;

  /// One segment of the load history; from the centre of the circle to its rim.
  struct Segment {
    double radius;  ///< [m] radius at which the segment ends
    /// [-] ratio of tangential to normal force over the friction; its magnitude is 1 if the segment slips
    std::array<double, 2> slope;
    bool slips;  ///< whether the whole segment slips
  };
  std::vector<Segment> segments;
};

}  // namespace scree
