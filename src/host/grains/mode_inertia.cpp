#include "host/geometry/real3.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/modes.hpp"

namespace scree::grains {
namespace {

using Tensor = std::array<double, 6>;  ///< xx, yy, zz, yz, zx, xy

/// x.y 1 - (x y^T + y x^T) / 2. For x = y the sum over masses is the tensor of inertia.
Tensor inertia_of(const Real3& x, const Real3& y) {
  return {x[1] * y[1] + x[2] * y[2],          x[2] * y[2] + x[0] * y[0],          x[0] * y[0] + x[1] * y[1],
          -0.5 * (x[1] * y[2] + x[2] * y[1]), -0.5 * (x[2] * y[0] + x[0] * y[2]), -0.5 * (x[0] * y[1] + x[1] * y[0])};
}

void add(Tensor& sum, double weight, const Tensor& tensor) {
  for (std::size_t k = 0; k < 6; ++k) sum[k] += weight * tensor[k];
}

}  // namespace

void add_inertia(GrainShape& shape) {
  GrainModes& all = shape.modes;
  const std::size_t n = all.count, points = shape.points();
  const std::vector<double> weights = weights_of(shape);
  const Grid grid = grid_of(shape);
  ModeInertia& inertia = all.inertia.emplace();
  inertia.slope.resize(n);
  inertia.curve.resize(n * n);
  inertia.swirl.resize(n * n);
  std::vector<Real3> u(n);
  for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    if (weights[at] == 0) return;
    const Real3 x = grid.place(i, j, k);
    for (std::size_t a = 0; a < n; ++a) {
      const auto& mode = all.field[a * points + at];
      u[a] = {mode[0], mode[1], mode[2]};
      add(inertia.slope[a], 2 * weights[at], inertia_of(x, u[a]));
      for (std::size_t b = 0; b <= a; ++b) {
        add(inertia.curve[a * n + b], weights[at], inertia_of(u[a], u[b]));
        if (b == a) continue;
        Real3& swirl = inertia.swirl[a * n + b];
        swirl = geometry::add(swirl, geometry::scaled(geometry::cross(u[a], u[b]), weights[at]));
      }
    }
  });
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      inertia.curve[b * n + a] = inertia.curve[a * n + b];
      inertia.swirl[b * n + a] = geometry::scaled(inertia.swirl[a * n + b], -1);
    }
  }
}

}  // namespace scree::grains
