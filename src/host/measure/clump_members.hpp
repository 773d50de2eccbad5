#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "scree/scene.hpp"
#include "scree/snapshot.hpp"

namespace scree {

/// Which particles of a snapshot are members of clumps.
[[nodiscard]] inline std::vector<bool> members_of_clumps(const Snapshot& particles) {
  std::vector<bool> member(particles.id.size());
  for (const SnapshotClump& clump : particles.clumps) {
    const auto first = std::lower_bound(particles.id.begin(), particles.id.end(), clump.first) - particles.id.begin();
    for (std::ptrdiff_t k = 0; k < static_cast<std::ptrdiff_t>(clump.members); ++k) {
      member[static_cast<std::size_t>(first + k)] = true;
    }
  }
  return member;
}

/// The same of a set.
[[nodiscard]] inline std::vector<bool> members_of_clumps(const ParticleSet& particles,
                                                         const std::vector<ClumpShape>& shapes) {
  std::vector<bool> member(particles.size());
  for (const Clump& clump : particles.clumps) {
    for (std::size_t k = 0; k < shapes[clump.shape].radius.size(); ++k) { member[clump.first + k] = true; }
  }
  return member;
}

/// A snapshot with each clump in place of its members: under the id of its first member, with the radius of the sphere
/// of the same mass. The clumps stay listed. In a periodic cell a clump lies in the cell as particles do.
[[nodiscard]] Snapshot clumps_as_particles(Snapshot particles, const Scene& scene,
                                           const std::optional<CellState>& cell = {});

/// The same without a copy where there are no clumps. Refers to the snapshot.
class ParticlesOf {
 public:
  ParticlesOf(const Snapshot& spheres, const Scene& scene, const std::optional<CellState>& cell)
      : spheres_(spheres),
        with_clumps_(spheres.clumps.empty() ? Snapshot{} : clumps_as_particles(spheres, scene, cell)) {}
  [[nodiscard]] const Snapshot& particles() const { return spheres_.clumps.empty() ? spheres_ : with_clumps_; }

 private:
  const Snapshot& spheres_;
  Snapshot with_clumps_;
};

}  // namespace scree
