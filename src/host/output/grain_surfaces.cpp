#include "host/output/grain_surfaces.hpp"

#include <algorithm>

#include "host/clumps/orientation.hpp"

namespace scree {
namespace {

/// Size of a grain relative to its shape: its only member is the ball about it.
double size_of(const Scene& scene, const Snapshot& particles, const SnapshotClump& clump) {
  const auto place = std::lower_bound(particles.id.begin(), particles.id.end(), clump.first);
  return particles.radius.at(static_cast<std::size_t>(place - particles.id.begin())) /
         scene.clump_shapes.at(clump.shape).radius.front();
}

/// [m] Place of node `n` in the template, where the modes have moved it.
Real3 deformed(const GrainShape& grain, std::size_t n, const std::vector<double>& amplitude, double size) {
  Real3 x = grain.node[n];
  for (std::size_t a = 0; a < amplitude.size(); ++a) {
    const Real3& mode = grain.modes.at_node[a * grain.node.size() + n];
    for (std::size_t k = 0; k < 3; ++k) { x[k] += amplitude[a] / size * mode[k]; }
  }
  return x;
}

}  // namespace

GrainSurfaces surfaces_of_grains(const Scene& scene, const Snapshot& particles) {
  GrainSurfaces result;
  // All frames of a run have the same columns, also those without grains.
  for (const GrainShape& grain : scene.grain_shapes) { result.modes = std::max(result.modes, grain.modes.count); }
  for (const SnapshotClump& clump : particles.clumps) {
    const auto& index = scene.clump_shapes.at(clump.shape).grain;
    if (!index) { continue; }
    const GrainShape& grain = scene.grain_shapes.at(*index);
    const double size = size_of(scene, particles, clump);
    const auto first = static_cast<std::uint32_t>(result.mesh.vertices.size());
    for (std::size_t n = 0; n < grain.node.size(); ++n) {
      Real3 x = clumps::turned(clump.orientation, deformed(grain, n, clump.amplitude, size));
      for (std::size_t k = 0; k < 3; ++k) { x[k] = clump.position[k] + size * x[k]; }
      result.mesh.vertices.push_back(x);
    }
    result.piece.push_back({clump.first, first, result.mesh.vertices.size(), clump.position});
    for (const auto& t : grain.triangle) {
      result.amplitude.insert(result.amplitude.end(), clump.amplitude.begin(), clump.amplitude.end());
      result.amplitude.resize(result.modes * (result.clump.size() + 1));
      result.mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
      result.clump.push_back(clump.id);
    }
  }
  return result;
}

}  // namespace scree
