#include <array>

#include "host/geometry/real3.hpp"
#include "host/grains/distance_grid.hpp"
#include "host/grains/make_grain.hpp"
#include "host/grains/modes.hpp"
#include "scree/interpolation_bias.hpp"

namespace scree::grains {
namespace {

using Strain = std::array<double, 6>;  ///< xx, yy, zz, yz, zx, xy

Strain strain_at(const ModeFormula& mode, const Real3& x, double step) {
  std::array<Real3, 3> slope{};  // slope[j] is du/dx_j
  for (std::size_t j = 0; j < 3; ++j) {
    Real3 before = x, behind = x;
    before[j] -= step;
    behind[j] += step;
    slope[j] = geometry::scaled(geometry::subtract(mode.displacement(behind), mode.displacement(before)), 0.5 / step);
  }
  if (mode.along < 3) {
    Strain e{};
    e[mode.along] = slope[mode.along][mode.along];
    return e;
  }
  return {slope[0][0],
          slope[1][1],
          slope[2][2],
          0.5 * (slope[1][2] + slope[2][1]),
          0.5 * (slope[2][0] + slope[0][2]),
          0.5 * (slope[0][1] + slope[1][0])};
}

/// Twice the mutual elastic energy density of two strains over Young's modulus.
double energy_of(const Strain& a, const Strain& b, double poisson_ratio) {
  const double shear = 0.5 / (1 + poisson_ratio),
               lame = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) sum += (k < 3 ? 2 : 4) * shear * a[k] * b[k];
  return sum + lame * (a[0] + a[1] + a[2]) * (b[0] + b[1] + b[2]);
}

}  // namespace

std::vector<double> weights_of(const GrainShape& shape) {
  const Grid grid = grid_of(shape);
  // phi is the distance minus the bias of its interpolation, but weights need the distance itself.
  std::vector<double> distance(shape.phi.begin(), shape.phi.end());
  for_each_point(grid, 1, [&](std::size_t at, std::size_t, std::size_t, std::size_t) {
    double around = -6 * static_cast<double>(shape.phi[at]);
    for (const std::size_t step : grid.stride()) {
      around += static_cast<double>(shape.phi[at - step]) + static_cast<double>(shape.phi[at + step]);
    }
    distance[at] += interpolation_bias(around, 1 / shape.spacing);
  });
  std::vector<double> weights = volume_weights(grid, distance);
  double sum = 0;
  for (const double w : weights) sum += w;
  for (double& w : weights) w *= shape.volume / sum;
  return weights;
}

void set_modes(GrainShape& shape, const std::vector<ModeFormula>& modes, double poisson_ratio) {
  GrainModes& all = shape.modes = {};
  const std::size_t n = modes.size();
  const Grid grid = grid_of(shape);
  const std::vector<double> weights = weights_of(shape);
  all.count = n;
  all.poisson_ratio = poisson_ratio;
  all.mass.assign(n * n, 0);
  all.stiffness.assign(n * n, 0);
  all.largest.assign(n, 0);
  all.source = "closed forms";
  all.field.resize(n * shape.points());
  std::vector<Real3> u(n);
  std::vector<Strain> e(n);
  for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    const Real3 x = grid.place(i, j, k);
    for (std::size_t a = 0; a < n; ++a) {
      u[a] = modes[a].displacement(x);
      for (std::size_t c = 0; c < 3; ++c) all.field[a * shape.points() + at][c] = static_cast<float>(u[a][c]);
      if (weights[at] != 0) e[a] = strain_at(modes[a], x, 1e-3 * grid.spacing);
    }
    if (weights[at] == 0) return;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        all.mass[a * n + b] += weights[at] * geometry::dot(u[a], u[b]);
        // A mode of a slender body and another kind of mode have no mutual stiffness.
        const bool slender = modes[a].along < 3 || modes[b].along < 3;
        if (slender && modes[a].along != modes[b].along) continue;
        all.stiffness[a * n + b] += weights[at] * (slender ? e[a][modes[a].along] * e[b][modes[a].along]
                                                           : energy_of(e[a], e[b], poisson_ratio));
      }
    }
  });
  for (const ModeFormula& mode : modes) {
    for (const Real3& node : shape.node) all.at_node.push_back(mode.displacement(node));
  }
}

namespace {

/// The displacement at x by a rigid-body motion: a shift (three numbers) and a rotation (three numbers).
Real3 rigid(const std::array<double, 6>& motion, const Real3& x) {
  const Real3 shift{motion[0], motion[1], motion[2]}, turn{motion[3], motion[4], motion[5]};
  return geometry::add(shift, geometry::cross(turn, x));
}

/// Solves a symmetric positive definite system by elimination without pivoting.
std::array<double, 6> solved(std::array<std::array<double, 6>, 6> m, std::array<double, 6> right) {
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t i = k + 1; i < 6; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < 6; ++j) m[i][j] -= factor * m[k][j];
      right[i] -= factor * right[k];
    }
  }
  for (std::size_t k = 6; k-- > 0;) {
    for (std::size_t j = k + 1; j < 6; ++j) right[k] -= m[k][j] * right[j];
    right[k] /= m[k][k];
  }
  return right;
}

}  // namespace

void remove_rigid_motion(GrainShape& shape) {
  GrainModes& all = shape.modes;
  const std::size_t n = all.count, points = shape.points(), nodes = shape.node.size();
  const Grid grid = grid_of(shape);
  const std::vector<double> weights = weights_of(shape);
  std::array<std::array<double, 6>, 6> mass{};
  std::vector<std::array<double, 6>> right(n);
  const auto unit = [](std::size_t r) {
    std::array<double, 6> motion{};
    motion[r] = 1;
    return motion;
  };
  const auto mode_at = [&](std::size_t a, std::size_t at) {
    const auto& u = all.field[a * points + at];
    return Real3{u[0], u[1], u[2]};
  };
  for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    if (weights[at] == 0) return;
    const Real3 x = grid.place(i, j, k);
    for (std::size_t r = 0; r < 6; ++r) {
      const Real3 own = rigid(unit(r), x);
      for (std::size_t s = 0; s < 6; ++s) mass[r][s] += weights[at] * geometry::dot(own, rigid(unit(s), x));
      for (std::size_t a = 0; a < n; ++a) right[a][r] += weights[at] * geometry::dot(own, mode_at(a, at));
    }
  });
  std::vector<std::array<double, 6>> motion(n);
  for (std::size_t a = 0; a < n; ++a) motion[a] = solved(mass, right[a]);
  for (std::size_t a = 0; a < n; ++a) {
    // Subtract the mass of the motion that is removed.
    for (std::size_t b = 0; b < n; ++b) {
      for (std::size_t r = 0; r < 6; ++r) all.mass[a * n + b] -= motion[a][r] * right[b][r];
    }
    for_each_point(grid, 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
      const Real3 u = geometry::subtract(mode_at(a, at), rigid(motion[a], grid.place(i, j, k)));
      for (std::size_t c = 0; c < 3; ++c) all.field[a * points + at][c] = static_cast<float>(u[c]);
    });
    for (std::size_t k = 0; k < nodes; ++k) {
      Real3& u = all.at_node[a * nodes + k];
      u = geometry::subtract(u, rigid(motion[a], shape.node[k]));
    }
  }
}

}  // namespace scree::grains
