#include "host/run/inlet_solids.hpp"

#include <algorithm>

#include "host/geometry/real3.hpp"

namespace scree {

InletSolids::InletSolids(const std::vector<std::string>& names, const Scene& scene) {
  for (std::size_t b = 0; b < scene.boundaries.size(); ++b) {
    const SceneBoundary& boundary = scene.boundaries[b];
    if (std::find(names.begin(), names.end(), boundary.name) == names.end()) { continue; }
    solids_.push_back({b, std::make_unique<const geometry::MeshSurface>(boundary.mesh), true, {}});
  }
}

void InletSolids::find(Engine& engine) {
  if (solids_.empty()) { return; }
  const std::vector<BoundaryLoad> loads = engine.boundary_loads();
  for (Solid& solid : solids_) {
    solid.present = engine.is_present(solid.boundary);
    solid.place = loads.at(solid.boundary);
  }
}

bool InletSolids::enclose(const Real3& point) const {
  return std::any_of(solids_.begin(), solids_.end(), [&](const Solid& solid) {
    if (!solid.present) { return false; }
    // The surface is the one at the start, so the point moves back with the boundary to the place that it came from.
    const Real3 way = geometry::subtract(point, solid.place.offset);
    Real3 back{};
    for (std::size_t i = 0; i < 3; ++i) { back = geometry::along(back, way[i], solid.place.rotation[i]); }
    return solid.surface->encloses(back);
  });
}

}  // namespace scree
