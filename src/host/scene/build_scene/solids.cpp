#include "host/scene/build_scene/solids.hpp"

#include <algorithm>
#include <cstddef>

#include "host/geometry/mesh_topology.hpp"
#include "host/scene/build_scene/problems.hpp"

namespace scree {

std::vector<const SceneBoundary*> solids_of(const std::vector<std::string>& names,
                                            const std::vector<const SceneBoundary*>& boundaries) {
  std::vector<const SceneBoundary*> solids;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string key = "keep_out_of." + std::to_string(k);
    const auto found = std::find_if(boundaries.begin(), boundaries.end(),
                                    [&](const SceneBoundary* boundary) { return boundary->name == names[k]; });
    if (found == boundaries.end()) { continue; }
    if (!(*found)->is_mesh()) { throw CaseError(key, "must be a closed mesh, which has an inside"); }
    const geometry::EdgeFaults faults = geometry::edge_faults((*found)->mesh);
    if (!faults.none()) {
      throw CaseError(key, "must be a closed mesh, but the mesh encloses no volume: it has " + faults.text());
    }
    solids.push_back(*found);
  }
  return solids;
}

void check_solids_of_inlets(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) {
  std::vector<const SceneBoundary*> all;
  for (const SceneBoundary& boundary : scene.boundaries) { all.push_back(&boundary); }
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    if (!input.particles[k].inlet) { continue; }
    collect(problems, "particles." + std::to_string(k) + ".inlet",
            [&] { (void)solids_of(input.particles[k].inlet->keep_out_of, all); });
  }
}

}  // namespace scree
