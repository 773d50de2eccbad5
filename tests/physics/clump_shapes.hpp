#pragma once

#include "scenes.hpp"

/// Clumps for tests. Their mass properties are computed here, as sums over spheres that do not overlap.
namespace scree::physics {

/// A shape of spheres. The caller ensures that they do not overlap, that the sum of m x is 0, and that the sum of m x_i
/// x_j is diagonal.
inline ClumpShape shape_of(const std::vector<Real3>& position, const std::vector<double>& radius) {
  ClumpShape shape;
  shape.name = "clump";
  shape.position = position;
  shape.radius = radius;
  for (std::size_t k = 0; k < radius.size(); ++k) {
    const double v = sphere_mass(radius[k], 1), own = 0.4 * v * radius[k] * radius[k];
    shape.volume += v;
    for (std::size_t a = 0; a < 3; ++a) {
      shape.inertia[a] += own + v * (dot(position[k], position[k]) - position[k][a] * position[k][a]);
    }
    shape.bounding_radius = std::fmax(shape.bounding_radius, norm(position[k]) + radius[k]);
  }
  return shape;
}

/// Two equal spheres on the first principal axis.
inline ClumpShape dumbbell(double radius, double half_distance) {
  return shape_of({{-half_distance, 0, 0}, {half_distance, 0, 0}}, {radius, radius});
}

/// Appends a clump and its members; the engine computes the places of the members.
inline void add_clump(Scene& scene, std::uint32_t shape, const Real3& position, const Real3& velocity = {},
                      const Real3& spin = {}, const std::array<double, 4>& orientation = {1, 0, 0, 0}, double size = 1,
                      std::uint32_t material = 0) {
  Clump clump;
  clump.shape = shape;
  clump.first = static_cast<std::uint32_t>(scene.particles.size());
  clump.size = size;
  clump.position = position;
  clump.velocity = velocity;
  clump.angular_velocity = spin;
  clump.orientation = orientation;
  for (const double r : scene.clump_shapes.at(shape).radius) {
    add_sphere(scene, position, size * r, velocity, spin, material);
  }
  scene.particles.clumps.push_back(clump);
}

/// Quaternion of a rotation by an angle [rad] about an axis.
inline std::array<double, 4> turn(const Real3& axis, double angle) {
  const double s = std::sin(0.5 * angle) / norm(axis);
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

inline Real3 turned_by(const std::array<double, 4>& q, const Real3& v) {
  const Real3 u{q[1], q[2], q[3]};
  return v + 2.0 * cross(u, cross(u, v) + q[0] * v);
}

}  // namespace scree::physics
