#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scree/case.hpp"

namespace scree {

/// Tractions over the circle of one contact of the law jaeger, from its load history (Kuhn 2011, eq. 21). The contact
/// is round, and what acts on body 1 at the distance r from its axis has the same direction all around.
struct ContactTractions {
  double contact_radius = 0;                    ///< [m]
  double friction = 0;                          ///< [-]
  double normal_force = 0;                      ///< [N] by Hertz, without dashpots
  Real3 normal{};                               ///< [-] from body 1 to body 2
  std::array<Real3, 2> tangent{};               ///< [-] axes of the two components
  std::array<double, 2> tangential_force{};     ///< [N] on body 1, as the law keeps it
  double pressure_sum = 0;                      ///< [N] integral of the pressure over the circle, by quadrature
  std::array<double, 2> traction_sum{};         ///< [N] integral of the traction
  std::vector<double> r;                        ///< [m] from 0 to the contact radius
  std::vector<double> pressure;                 ///< [Pa] at r
  std::vector<std::array<double, 2>> traction;  ///< [Pa] at r, on body 1; nowhere longer than friction times pressure

  /// One piece of the load history, bottom to top.
  struct Segment {
    double radius;  ///< [m] of the contact at its end
    /// [-] tangential over normal force, over the friction; of length 1 where the piece slips
    std::array<double, 2> slope;
    bool slips;
  };
  std::vector<Segment> segments;
};

}  // namespace scree
