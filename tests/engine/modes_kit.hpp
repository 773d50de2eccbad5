#pragma once

#include "grain_kit.hpp"

/// Modes of deformation for tests, made here from formulas.
namespace scree::inline SCREE_BACKEND {

/// Displacement [-] of a point of the template [m] by a mode of amplitude 1.
using ModeOf = std::function<Real3(const Real3&)>;

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
inline ModeOf homogeneous(const std::array<Real3, 3>& strain, double scale) {
  return [strain, scale](const Real3& x) {
    Real3 u{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) { u[i] += strain[i][j] * x[j] / scale; }
    }
    return u;
  };
}

/// Five homogeneous strains without change of volume, and the breathing mode, of a ball of radius r: with the shear
/// modulus G and the bulk modulus B the stiffnesses are 2 G e:e V and 9 B e^2 V, and the masses rho e:e times the mean
/// of x^2, r^2 / 5. Over Young's modulus, for Poisson's ratio 1/4: G = 0.4, B = 2/3. The stiffnesses are divided by
/// `softness`.
inline void set_strain_modes(GrainShape& shape, double r, double softness) {
  const std::vector<std::array<Real3, 3>> strains = {
      {{{1, 0, 0}, {0, -1, 0}, {0, 0, 0}}}, {{{0.5, 0, 0}, {0, 0.5, 0}, {0, 0, -1}}},
      {{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}},  {{{0, 0, 1}, {0, 0, 0}, {1, 0, 0}}},
      {{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}}},  {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
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
