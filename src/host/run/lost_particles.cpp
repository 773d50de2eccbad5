#include "host/run/lost_particles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <variant>
#include <vector>

#include "host/geometry/real3.hpp"
#include "host/measure/displacement.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

using namespace geometry;

/// The box of points along the axes.
struct Extent {
  Real3 low, high;

  Extent() {
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
  }
  void add(const std::vector<Real3>& points) {
    for (const Real3& point : points) {
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], point[k]), high[k] = std::max(high[k], point[k]);
      }
    }
  }
  [[nodiscard]] double longest() const { return std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]}); }
  /// [m] How far its points reach along a direction.
  [[nodiscard]] double reach(const Real3& direction) const {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) { sum += std::max(direction[k] * low[k], direction[k] * high[k]); }
    return sum;
  }
};

bool repeats_along(const Scene& scene, const Real3& direction) {
  if (!scene.cell) { return false; }
  for (std::size_t k = 0; k < 3; ++k) {
    const Real3& edge = scene.cell->edges[k];
    if (scene.cell->periodic[k] && std::fabs(dot(direction, edge)) > 1e-9 * length(edge)) { return true; }
  }
  return false;
}

/// Planes on which particles can come to rest, at their present places.
std::vector<PlaneBoundary> carrying_planes(const Scene& scene, Engine& engine, const Real3& down) {
  const std::vector<BoundaryLoad> loads = engine.boundary_loads();
  std::vector<PlaneBoundary> planes;
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    const auto* plane = std::get_if<PlaneBoundary>(&scene.boundaries[b].shape);
    if (plane == nullptr || !engine.is_present(b) || !(dot(plane->normal, down) < 0)) { continue; }
    planes.push_back({place_of_plane(scene, b, loads), plane->normal, {}});
  }
  return planes;
}

}  // namespace

std::optional<std::string> lost_particles(const Scene& scene, Engine& engine) {
  if (engine.gravity() == Real3{} || scene.boundaries.empty()) { return std::nullopt; }
  const Real3 down = unit(engine.gravity());
  if (repeats_along(scene, down)) { return std::nullopt; }
  Extent extent;
  extent.add(scene.particles.position);
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    if (!scene.boundaries[b].mesh.triangles.empty()) { extent.add(engine.boundary_vertices(b)); }
  }
  const std::vector<PlaneBoundary> planes = carrying_planes(scene, engine, down);
  // Whatever should catch particles lies no deeper than the size of the whole scene plus this number of diameters.
  constexpr double diameters = 10;
  const std::vector<double>& radii = scene.particles.radius;
  const double largest = radii.empty() ? 0 : *std::max_element(radii.begin(), radii.end());
  const double lowest = extent.reach(down), least = lowest + std::max(extent.longest(), 2 * diameters * largest);
  if (!std::isfinite(least)) { return std::nullopt; }
  const Snapshot now = engine.snapshot();
  std::size_t lost = 0;
  double farthest = 0;
  for (const Real3& position : now.position) {
    const double depth = dot(position, down);
    const bool carried = std::any_of(planes.begin(), planes.end(), [&](const PlaneBoundary& plane) {
      return dot(subtract(position, plane.point), plane.normal) > 0;
    });
    if (!(depth > least) || carried) { continue; }
    ++lost;
    farthest = std::max(farthest, depth - lowest);
  }
  if (lost == 0) { return std::nullopt; }
  return count_text(lost) + " of " +
         counted(now.position.size(), now.clumps.empty() ? "particle" : "sphere",
                 now.clumps.empty() ? "particles" : "spheres") +
         (lost == 1 ? " has" : " have") + " fallen out of the case, up to " + length_text(farthest) +
         " below all boundaries and all places of the start. Nothing stops them; \"domain\": {\"remove_outside\": ...} "
         "removes such particles";
}

}  // namespace scree
