#pragma once

#include <cstddef>
#include <numbers>

#include "host/measure/measured_state.hpp"
#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

/// Numbers that say how a whole packing moves.
namespace scree {

/// [kg] Mass of a sphere.
[[nodiscard]] inline double sphere_mass(double density, double radius) {
  return density * (4.0 / 3.0 * std::numbers::pi) * (radius * radius * radius);
}
/// [kg] Mass of sphere `i` of a snapshot. Members of clumps count as spheres of their own.
[[nodiscard]] inline double sphere_mass(const Snapshot& particles, std::size_t i, const Scene& scene) {
  return sphere_mass(scene.materials[particles.material[i]].density, particles.radius[i]);
}

/// [J] Kinetic energy of translation and rotation, summed in ascending order of id.
[[nodiscard]] double kinetic_energy(const Snapshot& particles, const Scene& scene);
/// [J] The same per particle, relative to the mean deformation of a periodic cell. NaN without particles.
[[nodiscard]] double mean_kinetic_energy(const MeasuredState& state, const Scene& scene);
/// [J] Energy of the particles in this gravity [m/s2]; it is 0 in the origin.
[[nodiscard]] double potential_energy(const Snapshot& particles, const Scene& scene, const Real3& gravity);

/// [m/s] The largest speed of a sphere; in a periodic cell beyond the mean deformation. NaN without particles.
[[nodiscard]] double largest_speed(const MeasuredState& state);

/// [N] Mean over the particles of the magnitude of contact forces, weight and force of the group, without components
/// that the group fixes: no force moves them. Particles whose centres are fixed do not count. NaN if there are no
/// others. `particles` are those of the state, with a clump in place of its members as ParticlesOf has them, and with
/// forces.
[[nodiscard]] double mean_unbalanced_force(const Snapshot& particles, const Scene& scene, const MeasuredState& state);
/// [-] That mean over the mean contact force, contacts with boundaries included. Infinite while nothing
/// touches, NaN without particles that are free to move. `state` has forces and contacts.
[[nodiscard]] double unbalanced_force(const MeasuredState& state, const Scene& scene);

}  // namespace scree
