#pragma once

#include "grain_kit.hpp"

/// Modes of deformation for tests, made here from formulas.
namespace scree::inline SCREE_BACKEND {

/// Displacement [-] of a point of the template [m] by a mode of amplitude 1.
using ModeOf = std::function<Real3(const Real3&)>;
using Matrix = std::array<Real3, 3>;

/// Modes of a shape, with diagonal matrices: masses over the density and stiffnesses over Young's modulus.
inline void set_modes(GrainShape& shape, const std::vector<ModeOf>& modes, const std::vector<double>& mass,
                      const std::vector<double>& stiffness) {
  GrainModes& all = shape.modes;
  const std::size_t n = modes.size();
  all.count = n;
  all.mass.assign(n * n, 0);
  all.stiffness.assign(n * n, 0);
  all.field.clear();
  all.at_node.clear();
  for (std::size_t a = 0; a < n; ++a) {
    all.mass[a * n + a] = mass[a];
    all.stiffness[a * n + a] = stiffness[a];
    for (std::uint32_t k = 0; k < shape.size[2]; ++k) {
      for (std::uint32_t j = 0; j < shape.size[1]; ++j) {
        for (std::uint32_t i = 0; i < shape.size[0]; ++i) {
          const Real3 u = modes[a]({shape.origin[0] + i * shape.spacing, shape.origin[1] + j * shape.spacing,
                                    shape.origin[2] + k * shape.spacing});
          all.field.push_back({static_cast<float>(u[0]), static_cast<float>(u[1]), static_cast<float>(u[2])});
        }
      }
    }
    for (const Real3& x : shape.node) { all.at_node.push_back(modes[a](x)); }
  }
}

/// A homogeneous strain: the point on a sphere of radius `scale` that is displaced most moves by the amplitude.
inline ModeOf homogeneous(const Matrix& strain, double scale) {
  return [strain, scale](const Real3& x) {
    Real3 u{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) { u[i] += strain[i][j] * x[j] / scale; }
    }
    return u;
  };
}

/// The five homogeneous strains without change of volume of set_strain_modes(), and that of the breathing mode.
inline const std::vector<Matrix>& unit_strains() {
  static const std::vector<Matrix> strains = {
      {{{1, 0, 0}, {0, -1, 0}, {0, 0, 0}}}, {{{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, -1}}},
      {{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}},  {{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}}},
      {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},  {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  return strains;
}

/// Five homogeneous strains without change of volume, and the breathing mode, of a ball of radius r: with the shear
/// modulus G and the bulk modulus B the stiffnesses are 2 G e:e V and 9 B e^2 V, and the masses rho e:e times the mean
/// of x^2, r^2 / 5. Over Young's modulus, for Poisson's ratio 1/4: G = 0.4, B = 2/3. The stiffnesses are divided by
/// `softness`.
inline void set_strain_modes(GrainShape& shape, double r, double softness) {
  const std::vector<Matrix>& strains = unit_strains();
  const double volume = 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
  std::vector<ModeOf> modes;
  std::vector<double> mass, stiffness;
  for (std::size_t a = 0; a < strains.size(); ++a) {
    double square = 0;
    for (const Real3& row : strains[a]) { square += row[0] * row[0] + row[1] * row[1] + row[2] * row[2]; }
    modes.push_back(homogeneous(strains[a], r));
    mass.push_back(0.2 * square * volume);
    stiffness.push_back((a < 5 ? 2 * 0.4 * square : 9 * 2.0 / 3.0) * volume / (r * r * softness));
  }
  set_modes(shape, modes, mass, stiffness);
}

/// Couples the modes of set_strain_modes() to the rotation of the ball, whose inertia becomes that of the closed form:
/// the second moment of the mass is (volume r^2 / 5) 1, and a strain E moves X to X + e E X / r.
inline void couple_strain_modes(GrainShape& shape, double r) {
  const std::vector<Matrix>& strains = unit_strains();
  const std::size_t n = strains.size();
  shape.volume = 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
  const double second = 0.2 * shape.volume * r * r;
  shape.inertia = {2 * second, 2 * second, 2 * second};
  ModeInertia& inertia = shape.modes.inertia.emplace();
  inertia.curve.resize(n * n);
  inertia.swirl.resize(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    const Matrix& e = strains[a];
    const double trace = e[0][0] + e[1][1] + e[2][2], s = 2 * second / r;
    inertia.slope.push_back({s * (trace - e[0][0]), s * (trace - e[1][1]), s * (trace - e[2][2]), -s * e[1][2],
                             -s * e[2][0], -s * e[0][1]});
    for (std::size_t b = 0; b < n; ++b) {
      Matrix p{};
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          for (std::size_t k = 0; k < 3; ++k) { p[i][j] += second / (r * r) * e[i][k] * strains[b][k][j]; }
        }
      }
      const double t = p[0][0] + p[1][1] + p[2][2];
      inertia.curve[a * n + b] = {t - p[0][0],
                                  t - p[1][1],
                                  t - p[2][2],
                                  -0.5 * (p[1][2] + p[2][1]),
                                  -0.5 * (p[2][0] + p[0][2]),
                                  -0.5 * (p[0][1] + p[1][0])};
      inertia.swirl[a * n + b] = {p[1][2] - p[2][1], p[2][0] - p[0][2], p[0][1] - p[1][0]};
    }
  }
}

/// A ball with these modes.
inline GrainShape soft_ball(double radius, double spacing, std::size_t nodes, double softness = 1) {
  GrainShape shape = grain_of(ball(radius), radius, spacing, nodes);
  set_strain_modes(shape, radius, softness);
  return shape;
}

/// Adds a shape with room for its deformation.
inline std::uint32_t add_soft_shape(Scene& scene, const GrainShape& grain) {
  const std::uint32_t index = add_grain_shape(scene, grain);
  scene.clump_shapes.back().radius[0] = 1.25 * grain.bounding_radius;
  scene.clump_shapes.back().bounding_radius = scene.clump_shapes.back().radius[0];
  return index;
}

}  // namespace scree::inline SCREE_BACKEND
