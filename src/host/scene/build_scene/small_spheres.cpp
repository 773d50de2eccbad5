#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/scene/build_scene/grains.hpp"
#include "host/scene/build_scene/shapes.hpp"
#include "host/scene/meetings.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

/// [m] The largest mean distance of the nodes of each shape, over all its grains; 0 for shapes without grains.
std::vector<double> node_distances(const Scene& scene) {
  std::vector<double> size(scene.clump_shapes.size()), distance(scene.clump_shapes.size());
  for (const Clump& clump : scene.particles.clumps) { size[clump.shape] = std::max(size[clump.shape], clump.size); }
  for (const SceneInlet& inlet : scene.inlets) {
    if (!inlet.shape) { continue; }
    const double largest = inlet.largest_clump / equivalent_radius(scene.clump_shapes[*inlet.shape]);
    size[*inlet.shape] = std::max(size[*inlet.shape], largest);
  }
  for (std::size_t s = 0; s < distance.size(); ++s) {
    if (!scene.clump_shapes[s].grain) { continue; }
    const std::vector<double>& area = scene.grain_shapes[*scene.clump_shapes[s].grain].node_area;
    const double sum = std::accumulate(area.begin(), area.end(), 0.0);
    distance[s] = size[s] * std::sqrt(sum / static_cast<double>(area.size()));
  }
  return distance;
}

}  // namespace

void warn_of_small_spheres(const Scene& scene, std::vector<std::string>& warnings) {
  constexpr double fair = 3;  // from this radius over the distance of nodes on, impacts are off by a few degrees only
  const double smallest = smallest_sphere(scene);
  const std::vector<double> distance = node_distances(scene);
  for (std::size_t s = 0; s < distance.size(); ++s) {
    if (!(smallest < fair * distance[s])) { continue; }
    const bool passes = smallest < distance[s];
    warnings.push_back("shapes." + scene.clump_shapes[s].name + ": the nodes of its grains are " +
                       short_number_text(distance[s], 3) + " m apart, and spheres have radii down to " +
                       short_number_text(smallest, 3) + " m; " +
                       (passes ? "such spheres pass between the nodes into the grain"
                               : "grains push such spheres into wrong directions") +
                       ", since contacts are found at the nodes; a smaller grid_spacing or node_spacing helps");
  }
}

}  // namespace scree
