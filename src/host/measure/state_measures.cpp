#include "host/measure/state_measures.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/measure/clump_members.hpp"
#include "host/measure/unknown.hpp"

namespace scree {
namespace {

std::size_t number_of_particles(const Snapshot& spheres) {
  std::size_t particles = spheres.id.size() + spheres.clumps.size();
  for (const SnapshotClump& clump : spheres.clumps) { particles -= clump.members; }
  return particles;
}

/// Whether the particle with this id is a node of a membrane, on which more than contacts and gravity acts.
bool is_pressed(const Scene& scene, std::uint32_t id) {
  return std::any_of(scene.membranes.begin(), scene.membranes.end(),
                     [id](const SceneMembrane& membrane) { return membrane.has_node(id); });
}

/// [N] The part of the force on a particle of this mass [kg] that comes from no contact.
Real3 pull_of(const SceneGroup& group, double mass, const Real3& gravity) {
  return group.gravity ? geometry::along(group.force, mass, gravity) : group.force;
}

/// [N] The part of a force that can move a particle of this group.
Real3 without_fixed(const SceneGroup& group, Real3 force) {
  for (std::size_t k = 0; k < 3; ++k) {
    if ((group.fixed & (1U << k)) != 0) { force[k] = 0; }
  }
  return force;
}

}  // namespace

double kinetic_energy(const Snapshot& particles, const Scene& scene) {
  using geometry::squared_length;
  double energy = 0;
  const std::vector<bool> member = members_of_clumps(particles);
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    if (member[i]) { continue; }
    const double radius = particles.radius[i];
    const double mass = sphere_mass(particles, i, scene);
    const double inertia = 0.4 * mass * (radius * radius);
    energy += 0.5 * mass * squared_length(particles.velocity[i]) +
              0.5 * inertia * squared_length(particles.angular_velocity[i]);
  }
  for (const SnapshotClump& clump : particles.clumps) {
    const auto& q = clump.orientation;
    const Real3 spin = clumps::turned({q[0], -q[1], -q[2], -q[3]}, clump.angular_velocity);
    energy += 0.5 * clump.mass * squared_length(clump.velocity);
    for (std::size_t k = 0; k < 3; ++k) { energy += 0.5 * clump.inertia[k] * spin[k] * spin[k]; }
  }
  return energy;
}

double mean_kinetic_energy(const MeasuredState& state, const Scene& scene) {
  const Snapshot& spheres = state.spheres;
  const std::size_t particles = number_of_particles(spheres);
  if (particles == 0) { return probe::unknown; }
  return kinetic_energy(state.cell ? fluctuating(spheres, scene, *state.cell) : spheres, scene) /
         static_cast<double>(particles);
}

double potential_energy(const Snapshot& particles, const Scene& scene, const Real3& gravity) {
  double energy = 0;
  const std::vector<bool> member = members_of_clumps(particles);
  for (std::size_t i = 0; i < particles.position.size(); ++i) {
    if (!member[i]) { energy -= sphere_mass(particles, i, scene) * geometry::dot(gravity, particles.position[i]); }
  }
  for (const SnapshotClump& clump : particles.clumps) { energy -= clump.mass * geometry::dot(gravity, clump.position); }
  return energy;
}

double largest_speed(const MeasuredState& state) {
  double most = state.spheres.velocity.empty() ? probe::unknown : 0;
  for (const Real3& v : state.cell ? state.spheres.fluctuation : state.spheres.velocity) {
    most = std::max(most, geometry::length(v));
  }
  return most;
}

double mean_unbalanced_force(const Snapshot& particles, const Scene& scene, const MeasuredState& state) {
  const SceneGroup none;  // of a scene without groups
  double forces = 0, count = 0;
  for (std::size_t i = 0; i < particles.id.size(); ++i) {
    if (!particles.held.empty() && particles.held[i] != 0) { continue; }
    if (is_pressed(scene, particles.id[i])) { continue; }
    const std::size_t number = particles.group.empty() ? 0 : particles.group[i];
    const SceneGroup& group = number < state.groups.size() ? state.groups[number] : none;
    const Real3 pull = pull_of(group, sphere_mass(particles, i, scene), state.gravity);
    forces += geometry::length(without_fixed(group, geometry::add(particles.force[i], pull)));
    count += 1;
  }
  return count > 0 ? forces / count : probe::unknown;
}

double unbalanced_force(const MeasuredState& state, const Scene& scene) {
  const ParticlesOf owner(state.spheres, scene, state.cell);
  const Snapshot& particles = owner.particles();
  if (particles.id.empty()) { return probe::unknown; }
  double contact_forces = 0;
  for (const TouchingContact& contact : state.contacts) { contact_forces += geometry::length(contact.force); }
  if (contact_forces == 0) { return std::numeric_limits<double>::infinity(); }
  return mean_unbalanced_force(particles, scene, state) / (contact_forces / static_cast<double>(state.contacts.size()));
}

}  // namespace scree
