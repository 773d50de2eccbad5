#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "host/measure/field_sums.hpp"
#include "host/measure/probes.hpp"

namespace scree {

/// What a particle carries at its centre: the quantities of FieldSums from `number` to `age`.
struct PointLoad {
  static constexpr std::size_t values = FieldSums::mass_slope;
  Real3 position{};
  std::array<double, values> carried{};
};
/// The half of a contact that belongs to a particle: the line from its centre to the contact point.
struct LineLoad {
  Real3 center{}, arm{};  ///< [m] of the particle; from there to the contact point
  Real3 force{};          ///< [N] on the particle
  /// quantity of FieldSums to which the force belongs: `moment` if it comes from a particle that is seen, else
  /// boundary_force or other_force
  std::size_t source = FieldSums::moment;

  /// A rule for integrals along this line: places of its points, from 0 to 1, and their weights.
  struct Rule {
    std::vector<double> place, weight;
  };
  /// Cuts the line into pieces of at most half of the width [m] of the kernel, and takes the Gauss rule of three points
  /// on each. The integral over all space is exact with any points; the distribution in space then has errors of some
  /// 1e-4 of its largest value.
  void rule(double width, Rule& result) const;
};

/// Everything of one sample that comes near a box.
struct FieldLoads {
  std::vector<PointLoad> points;
  std::vector<LineLoad> lines;
};

/// The loads that reach into the box from `low` to `high` [m], in the order of ids. In a periodic cell these are all
/// images that do.
[[nodiscard]] FieldLoads field_loads(const ProbeView& view, const Real3& low, const Real3& high);

/// Components of a symmetric tensor as they are summed: xx, yy, zz, xy, yz, xz.
inline constexpr std::array<std::array<std::size_t, 2>, 6> symmetric{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

}  // namespace scree
