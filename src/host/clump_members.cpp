#include "host/clump_members.hpp"

#include <cmath>
#include <numbers>

namespace scree {

Snapshot clumps_as_particles(Snapshot particles, const Scene& scene) {
  if (particles.clumps.empty()) return particles;
  const std::vector<bool> member = members_of_clumps(particles);
  std::vector<const SnapshotClump*> clump_at(particles.id.size());
  for (const SnapshotClump& clump : particles.clumps) {
    const auto first = std::lower_bound(particles.id.begin(), particles.id.end(), clump.first) - particles.id.begin();
    clump_at[static_cast<std::size_t>(first)] = &clump;
    const double volume = clump.mass / scene.materials[particles.material[static_cast<std::size_t>(first)]].density;
    particles.radius[static_cast<std::size_t>(first)] = std::cbrt(0.75 * volume / std::numbers::pi);
  }
  std::size_t kept = 0, owner = 0;
  for (std::size_t i = 0; i < particles.id.size(); ++i) {
    if (member[i] && clump_at[i] == nullptr) {
      const auto add = [&](auto& values) {
        if (values.empty()) return;
        for (std::size_t k = 0; k < 3; ++k) values[owner][k] += values[i][k];
      };
      add(particles.force);
      if (!particles.coordination.empty()) particles.coordination[owner] += particles.coordination[i];
      continue;
    }
    const auto take = [&](auto& values) {
      if (!values.empty()) values[kept] = values[i];
    };
    take(particles.id), take(particles.position), take(particles.velocity), take(particles.angular_velocity), take(particles.radius);
    take(particles.material), take(particles.force), take(particles.coordination), take(particles.damage);
    if (const SnapshotClump* clump = clump_at[i]) {
      particles.position[kept] = clump->position;
      particles.velocity[kept] = clump->velocity;
      particles.angular_velocity[kept] = clump->angular_velocity;
    }
    owner = kept++;
  }
  const auto cut = [&](auto& values) {
    if (!values.empty()) values.resize(kept);
  };
  cut(particles.id), cut(particles.position), cut(particles.velocity), cut(particles.angular_velocity), cut(particles.radius);
  cut(particles.material), cut(particles.force), cut(particles.coordination), cut(particles.damage);
  return particles;
}

}  // namespace scree
