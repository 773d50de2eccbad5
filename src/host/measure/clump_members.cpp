#include "host/measure/clump_members.hpp"

#include <cmath>
#include <numbers>

#include "host/geometry/cell_frame.hpp"
#include "host/measure/cell_meters.hpp"
#include "host/packing/exact_math.hpp"

namespace scree {
namespace {

using namespace geometry;

/// Replaces the first member of a clump, particle `i`, by the clump. The member may have been moved back into the
/// periodic cell: the clump is placed relative to it, and then moved back itself.
void put_clump(Snapshot& particles, std::size_t i, const SnapshotClump& clump, const CellState& cell) {
  const CellFrame frame(cell);
  const Real3 arm = frame.shortest(subtract(particles.position[i], clump.position));
  const Real3 member = particles.position[i], mean = subtract(particles.velocity[i], particles.fluctuation[i]);
  const Real3 centre = subtract(member, arm), inside = frame.folded(centre),
              edges = frame.fractional_way(subtract(centre, inside));
  for (std::size_t k = 0; k < 3; ++k) particles.image[i][k] += static_cast<std::int32_t>(std::lround(edges[k]));
  particles.position[i] = inside;
  particles.fluctuation[i] = clump.fluctuation;
  particles.velocity[i] = add(add(clump.fluctuation, mean), mean_flow(cell, subtract(inside, member)));
}

}  // namespace

Snapshot clumps_as_particles(Snapshot particles, const Scene& scene, const std::optional<CellState>& cell) {
  if (particles.clumps.empty()) return particles;
  const std::vector<bool> member = members_of_clumps(particles);
  std::vector<const SnapshotClump*> clump_at(particles.id.size());
  for (const SnapshotClump& clump : particles.clumps) {
    const auto first = std::lower_bound(particles.id.begin(), particles.id.end(), clump.first) - particles.id.begin();
    clump_at[static_cast<std::size_t>(first)] = &clump;
    const double volume = clump.mass / scene.materials[particles.material[static_cast<std::size_t>(first)]].density;
    particles.radius[static_cast<std::size_t>(first)] = packing::exact_cbrt(0.75 * volume / std::numbers::pi);
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
      if (!particles.dissipated.empty()) particles.dissipated[owner] += particles.dissipated[i];
      if (!particles.film.empty()) particles.film[owner] += particles.film[i];
      continue;
    }
    particles.each_array([&](auto& values) {
      if (!values.empty()) values[kept] = values[i];
    });
    const SnapshotClump* clump = clump_at[i];
    if (clump != nullptr && cell) {
      put_clump(particles, kept, *clump, *cell);
    } else if (clump != nullptr) {
      particles.position[kept] = clump->position;
      particles.velocity[kept] = clump->velocity;
      particles.angular_velocity[kept] = clump->angular_velocity;
    }
    owner = kept++;
  }
  particles.each_array([&](auto& values) {
    if (!values.empty()) values.resize(kept);
  });
  return particles;
}

}  // namespace scree
