#include <algorithm>
#include <cmath>
#include <optional>

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

/// The ball around a level-set grain reaches farther than the grain: it counts only if its centre is behind the
/// boundary.
void warn_of_overlaps(const Scene& scene, const SceneBoundary& boundary, const CellFrame* cell,
                      std::vector<std::string>& warnings) {
  const ParticleSet& particles = scene.particles;
  constexpr double noticed = 0.01;  // of the radius: settled beds overlap their walls by less
  const BoundaryDistance distance(boundary);
  std::size_t count = 0, behind = 0, deepest = 0;
  double depth = 0;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const double radius = particles.radius[i], gap = least_distance(distance, particles.position[i], radius, cell);
    const double share = (radius - gap) / radius;
    const bool grain = !scene.grain_materials.empty() && scene.is_of_grains(particles.material[i]);
    if (!(share > noticed) || (grain && gap >= 0)) continue;
    ++count;
    behind += gap < 0 ? 1 : 0;
    if (share > depth) {
      depth = share;
      deepest = i;
    }
  }
  if (count == 0) return;
  std::string text = "boundaries." + boundary.name + ": ";
  text += counted(count, "particle overlaps", "particles overlap") + " it at the start, particle ";
  text += std::to_string(deepest) + " by " + short_number_text(100 * depth, 3) + " % of its radius";
  if (behind > 0) text += "; " + counted(behind, "has its centre", "have their centres") + " behind the plane";
  warnings.push_back(std::move(text));
}

/// Both sides of a mesh are active: a closed one may be a vessel with all particles inside, or a body with all of them
/// outside. Particles on both sides are a mistake as a rule.
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

}  // namespace

void warn_of_bad_starts(const Scene& scene, std::vector<std::string>& warnings) {
  std::optional<CellFrame> cell;
  if (scene.cell) cell.emplace(*scene.cell);
  const std::vector<SceneBoundary> placed = placed_at_start(scene.boundaries);
  for (std::size_t b = 0; b < placed.size(); ++b) {
    if (!is_there_at_start(placed, scene.stages, b)) { continue; }
    warn_of_overlaps(scene, placed[b], cell ? &*cell : nullptr, warnings);
    warn_of_enclosed(scene, placed[b], cell ? &*cell : nullptr, warnings);
  }
  std::vector<std::size_t> gone(scene.outlet_names.size());
  for (const Real3& position : scene.particles.position) {
    for (const auto& outlet : scene.outlets) {
      if (!(dot(subtract(position, outlet.point), outlet.normal) > 0)) continue;
      ++gone[outlet.counter];
      break;
    }
  }
  for (std::size_t n = 0; n < gone.size(); ++n) {
    if (gone[n] == 0) continue;
    warnings.push_back("domain: " + counted(gone[n], "particle starts", "particles start") + " beyond \"" +
                       scene.outlet_names[n] + "\" and will be removed in the first step");
  }
}

}  // namespace scree
