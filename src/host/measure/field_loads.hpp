#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "host/measure/field_sums.hpp"
#include "host/measure/probes.hpp"

namespace scree {

/// What a particle carries at its centre: number to age, as FieldSums::Quantity.
struct PointLoad {
  static constexpr std::size_t values = FieldSums::mass_slope;
  Real3 position{};
  std::array<double, values> carried{};
};
/// The half of a contact that belongs to a particle.
struct LineLoad {
  Real3 center{}, arm{};  ///< [m] of the particle; from there to the contact point
  Real3 force{};          ///< [N] on the particle
  /// where the force comes from: FieldSums::moment if from a particle that is seen, else boundary_force or other_force
  std::size_t source = FieldSums::moment;

  /// The points of a rule for integrals along the way to the contact: their places on it, from 0 to 1, and weights.
  struct Rule {
    std::vector<double> place, weight;
  };
  /// The Gauss rule of three points on pieces of at most half of the width [m]. Whatever points are taken, the integral
  /// over all space is exact; the distribution in space is so up to some 1e-4 of its largest value.
  void rule(double width, Rule& result) const;
};

/// Everything of one sample that comes near a box.
struct FieldLoads {
  std::vector<PointLoad> points;
  std::vector<LineLoad> lines;
};

/// In the order of ids. In a periodic cell all images count that come nearer than `low` and `high` [m].
[[nodiscard]] FieldLoads field_loads(const ProbeView& view, const Real3& low, const Real3& high);

/// Components of a symmetric tensor as they are summed: xx, yy, zz, xy, yz, xz.
inline constexpr std::array<std::array<std::size_t, 2>, 6> symmetric{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

}  // namespace scree
