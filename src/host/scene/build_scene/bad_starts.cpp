#include <algorithm>
#include <cstdint>
#include <utility>

#include "host/geometry/boundary_distance.hpp"
#include "host/geometry/cell_frame.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/places_at_start.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using namespace geometry;

/// The particles that overlap a boundary.
struct Overlapping {
  std::size_t count = 0;    ///< number of these particles
  std::size_t behind = 0;   ///< number of those whose centres are behind the boundary
  std::size_t deepest = 0;  ///< index of the particle with the deepest overlap
  double depth = 0;         ///< [-] its overlap over its radius
};

/// Looks for particles that overlap the boundary by more than the share `noticed` of their radius, among the first `n`
/// particles, and only those for which counts(index, share) is true. The ball around a level-set grain reaches farther
/// than the grain, so it overlaps only if its centre is behind the boundary.
template <class Counts>
Overlapping overlapping(const Scene& scene, const SceneBoundary& boundary, const CellFrame* cell, double noticed,
                        std::size_t n, const Counts& counts) {
  const ParticleSet& particles = scene.particles;
  const BoundaryDistance distance(boundary);
  Overlapping found;
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = particles.radius[i], gap = least_distance(distance, particles.position[i], radius, cell);
    const double share = (radius - gap) / radius;
    const bool grain = !scene.grain_materials.empty() && scene.is_of_grains(particles.material[i]);
    if (!(share > noticed) || (grain && gap >= 0) || !counts(i, share)) continue;
    ++found.count;
    found.behind += gap < 0 ? 1 : 0;
    if (share > found.depth) {
      found.depth = share;
      found.deepest = i;
    }
  }
  return found;
}

void warn_of_overlaps(const Scene& scene, const SceneBoundary& boundary, const CellFrame* cell, std::size_t n_started,
                      std::vector<std::string>& warnings) {
  constexpr double noticed = 0.01;  // of the radius: settled beds overlap their walls by less
  constexpr double loaded = 0.05;   // particles of a start bear loads; the earlier run has warned of large overlaps
  const auto [count, behind, deepest, depth] =
      overlapping(scene, boundary, cell, noticed, scene.particles.size(),
                  [&](std::size_t i, double share) { return i >= n_started || share > loaded; });
  if (count == 0) return;
  std::string text = "boundaries." + boundary.name + ": ";
  text += counted(count, "particle overlaps", "particles overlap") + " it at the start, particle ";
  text += std::to_string(deepest) + " by " + short_number_text(100 * depth, 3) + " % of its radius";
  if (behind > 0) text += "; " + counted(behind, "has its centre", "have their centres") + " behind the plane";
  warnings.push_back(std::move(text));
}

/// Warns of a closed mesh with particles on both sides, which is usually a mistake. Particles touch both sides of a
/// mesh: it may be a vessel with all particles inside, or a body with all particles outside.
void warn_of_enclosed(const Scene& scene, const SceneBoundary& boundary, const CellFrame* cell,
                      std::vector<std::string>& warnings) {
  if (!boundary.is_mesh() || !is_closed(boundary.mesh)) { return; }
  const MeshSurface surface(boundary.mesh);
  std::size_t inside = 0, first = 0;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    const Real3& centre = scene.particles.position[i];
    if (!surface.encloses(cell == nullptr ? centre : cell->folded(centre))) { continue; }
    if (inside++ == 0) { first = i; }
  }
  const std::size_t outside = scene.particles.size() - inside;
  if (inside == 0 || outside == 0) { return; }
  warnings.push_back("boundaries." + boundary.name + ": " + counted(inside, "particle starts", "particles start") +
                     " inside of this closed mesh, the first of them particle " + std::to_string(first) + ", and " +
                     count_text(outside) +
                     " outside; none can pass its surface. A fill leaves it free with \"keep_out_of\": [\"" +
                     boundary.name + "\"]");
}

/// The outlet that removes a particle at this position in the first step; null if none does.
const SceneOutlet* outlet_that_removes(const Scene& scene, const Real3& position) {
  const auto found = std::find_if(scene.outlets.begin(), scene.outlets.end(), [&](const SceneOutlet& outlet) {
    return dot(subtract(position, outlet.point), outlet.normal) > 0;
  });
  return found == scene.outlets.end() ? nullptr : &*found;
}

/// Calls visit(index, boundary, cell) for each boundary that is present at the start; `boundary` is at its place at the
/// start. `cell` is null in a run without a periodic cell.
template <class Visit>
void visit_boundaries_at_start(const Scene& scene, const Visit& visit) {
  const auto cell = frame_of(scene.cell);
  const std::vector<SceneBoundary> placed = placed_at_start(scene.boundaries);
  for (std::size_t b = 0; b < placed.size(); ++b) {
    if (is_there_at_start(placed, scene.stages, b)) { visit(b, placed[b], cell ? &*cell : nullptr); }
  }
}

/// Warns of particles that outlets remove in the first step.
void warn_of_removed(const Scene& scene, std::vector<std::string>& warnings) {
  std::vector<std::size_t> gone(scene.outlet_names.size());
  for (const Real3& position : scene.particles.position) {
    const SceneOutlet* const outlet = outlet_that_removes(scene, position);
    if (outlet != nullptr) { ++gone[outlet->counter]; }
  }
  for (std::size_t n = 0; n < gone.size(); ++n) {
    if (gone[n] == 0) continue;
    warnings.push_back("domain: " + counted(gone[n], "particle starts", "particles start") + " beyond \"" +
                       scene.outlet_names[n] + "\" and will be removed in the first step");
  }
}

}  // namespace

void refuse_buried_starts(const Scene& scene, std::size_t n_started,
                          const std::function<bool(std::size_t)>& stands_elsewhere) {
  constexpr double buried = 0.5;  // [-] of the radius
  const bool deletes =
      std::any_of(scene.deletions.begin(), scene.deletions.end(), [](const auto& d) { return d.first_step == 0; });
  if (deletes) { return; }  // a case may cut its sample out of a larger one
  const auto counts = [&](std::size_t i, double) {
    const std::uint32_t group = scene.particles.group.empty() ? 0 : scene.particles.group[i];
    return !(group < scene.groups.size() && scene.groups[group].is_held()) &&
           outlet_that_removes(scene, scene.particles.position[i]) == nullptr;
  };
  std::vector<InputProblem> problems;
  visit_boundaries_at_start(scene, [&](std::size_t b, const SceneBoundary& boundary, const CellFrame* cell) {
    const auto [count, behind, deepest, depth] = overlapping(scene, boundary, cell, buried, n_started, counts);
    if (count == 0) { return; }
    problems.push_back(
        {"boundaries." + boundary.name,
         counted(count, "particle of the start lies", "particles of the start lie") +
             " in it by more than half of the radius, particle " + std::to_string(deepest) + " by " +
             short_number_text(100 * depth, 3) + " % of its radius; " +
             (stands_elsewhere(b) ? "it had moved when that run ended; \"from_start\": true puts it where it stood"
                                  : "give it a place where the particles are not")});
  });
  if (!problems.empty()) { throw CaseError(std::move(problems)); }
}

void warn_of_bad_starts(const Scene& scene, std::vector<std::string>& warnings, std::size_t n_started) {
  visit_boundaries_at_start(scene, [&](std::size_t, const SceneBoundary& boundary, const CellFrame* cell) {
    warn_of_overlaps(scene, boundary, cell, n_started, warnings);
    warn_of_enclosed(scene, boundary, cell, warnings);
  });
  warn_of_removed(scene, warnings);
}

}  // namespace scree
