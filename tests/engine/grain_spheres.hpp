#pragma once

#include <algorithm>
#include <numbers>

#include "grain_kit.hpp"

/// Spheres made as level sets, all of radius `bead`, and the forces that spheres of the same law have.
namespace scree::inline SCREE_BACKEND {

inline constexpr double gravity = 9.81;  ///< [m/s2]
/// [kg]
inline constexpr double sphere_mass = 2500 * 4.0 / 3 * std::numbers::pi * bead * bead * bead;

struct SphereTemplate {
  double spacing;  ///< [radii] of the grid
  std::size_t nodes;
};
inline constexpr SphereTemplate coarse_sphere{0.2, 642}, usual_sphere{0.1, 2562}, fine_sphere{0.05, 10242};

/// Grains of the template 0 that fall, of a law of constant stiffness [N/m], without friction. Group 1 does not move
/// and group 2 does not turn.
inline Scene sphere_scene(const SphereTemplate& of, double stiffness, double damping_ratio) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = stiffness;
  scene.pairs[0].springs.damping_ratio = damping_ratio;
  scene.gravity = {0, 0, -gravity};
  add_grain_shape(scene, grain_of(ball(bead), bead, of.spacing * bead, of.nodes));
  scene.groups.resize(3);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.groups[2].fixed = fixed_rotation;
  return scene;
}

/// A grain of sphere_scene(), turned at random.
inline void add_sphere_grain(Scene& scene, const Real3& place, const Real3& velocity, std::uint32_t group,
                             Random& random) {
  const Real3 axis = random.direction();
  const double angle = random(0, std::numbers::pi);
  physics::add_clump(scene, 0, place, velocity, {}, physics::turn(axis, angle));
  scene.particles.group.push_back(group);
}

/// [N] of a sphere that is d deep in a plane and leaves it with v [m/s]. The pressure at the depth u is k (u - c), but
/// not negative, with k = K / (pi R^2), and c = 2 b sqrt(m / (K s)) v of a dashpot with the ratio b for the effective
/// mass m over the sum of weights s = 2 d / R. Areas of equal depth are 2 pi R du.
inline double plane_force(double d, double v, double stiffness, double damping_ratio) {
  if (d <= 0) { return 0; }
  const double c = 2 * damping_ratio * std::sqrt(sphere_mass * bead / (2 * d) / stiffness) * v;
  const double deep = std::max(d - c, 0.0), shallow = std::max(-c, 0.0);
  return stiffness / bead * (deep * deep - shallow * shallow);
}

/// [N] of two spheres that are d deep in one another, without dashpots: the closed form of
/// tests/data/level_set/node_contact.json.
inline double pair_force(double d, double stiffness) {
  if (d <= 0) { return 0; }
  const double length = 2 * bead - d, c = length * length - bead * bead;
  const auto primitive = [&](double r) {
    return c * (bead * r - r * r / 2) + bead * r * r * r / 3 - r * r * r * r / 4;
  };
  return stiffness / (bead * length * length) * (primitive(bead) - primitive(length - bead));
}

}  // namespace scree::inline SCREE_BACKEND
