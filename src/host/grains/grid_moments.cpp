#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/packing/exact_math.hpp"

namespace scree::grains {
namespace {

/// A smooth step from 0 below -w to 1 above w: (1 + s/w + sin(pi s/w)/pi)/2.
double smooth_step(double s, double w) {
  if (!(s > -w)) return 0;
  if (s >= w) return 1;
  constexpr double pi = std::numbers::pi;
  const double part = std::fabs(s) / w, angle = pi * (part > 0.5 ? 1 - part : part);
  const double sine = (s < 0 ? -1 : 1) * packing::exact_sine_cosine(angle).sine;
  return 0.5 * (1 + s / w + sine / pi);
}

}  // namespace

std::vector<double> volume_weights(const Grid& grid, const std::vector<double>& distances) {
  // An integral Q(w) with the width w has an error c w^2. In 1.8 Q(h) - 0.8 Q(1.5 h) these errors cancel.
  const double h = grid.spacing, wide = 1.5 * h;
  const double of_wide = -h * h / (wide * wide - h * h), of_narrow = 1 - of_wide;
  std::vector<double> weights(grid.points());
  for (std::size_t at = 0; at < weights.size(); ++at) {
    const double depth = -distances[at];
    if (!(depth > -wide)) continue;
    const double part = of_narrow * smooth_step(depth, h) + of_wide * smooth_step(depth, wide);
    weights[at] = part * h * h * h;
  }
  return weights;
}

clumps::Moments moments_of_grid(const Grid& grid, const std::vector<double>& distances) {
  const std::vector<double> weights = volume_weights(grid, distances);
  // Compute about the middle of the grid, so that rounding is small far from the origin.
  Real3 middle{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    middle[axis] = grid.origin[axis] + 0.5 * grid.spacing * (grid.size[axis] - 1.0);
  }
  clumps::Moments sum;
  sum.origin = middle;
  for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    if (weights[at] == 0) return;
    const Real3 place = grid.place(i, j, k);
    const double x = place[0] - middle[0], y = place[1] - middle[1], z = place[2] - middle[2];
    sum.add({1, {x, y, z}, {x * x, y * y, z * z, y * z, z * x, x * y}}, weights[at]);
  });
  const Real3 end = grid.place(grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1);
  return clumps::moved(sum, geometry::subtract(clumps::origin_near({grid.origin, end}), middle));
}

}  // namespace scree::grains
