#include "host/output/facet_fields.hpp"

#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree {

std::vector<SurfaceField> facet_fields(const SceneBoundary& boundary, const FacetLoads& loads, double time) {
  const TriangleMesh& mesh = boundary.mesh;
  const std::size_t n = mesh.triangles.size(), n_facets = loads.impacts.size();
  SCREE_EXPECT(boundary.facet_loads && n_facets > 0 && n % n_facets == 0, "sums over the facets of this mesh");
  std::vector<double> per_area(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto& [a, b, c] = mesh.triangles[k];
    const Real3 twice = geometry::cross(geometry::subtract(mesh.vertices[b], mesh.vertices[a]),
                                        geometry::subtract(mesh.vertices[c], mesh.vertices[a]));
    const double area = 0.5 * geometry::length(twice);
    per_area[k] = area > 0 ? 1 / area : 0;
  }
  std::vector<SurfaceField> fields;
  const auto add = [&](const char* name, auto value) {
    SurfaceField field{name, std::vector<double>(n)};
    for (std::size_t k = 0; k < n; ++k) { field.values[k] = value(k % n_facets) * per_area[k]; }
    fields.push_back(std::move(field));
  };
  const double per_time = time > loads.since ? 1 / (time - loads.since) : 0;
  add("pressure", [&](std::size_t k) { return loads.normal_impulse[k] * per_time; });
  add("shear", [&](std::size_t k) { return loads.shear_impulse[k] * per_time; });
  add("sliding", [&](std::size_t k) { return loads.sliding[k]; });
  add("friction_work", [&](std::size_t k) { return loads.friction_work[k]; });
  add("impact_energy", [&](std::size_t k) { return loads.impact_energy[k]; });
  add("impacts", [&](std::size_t k) { return static_cast<double>(loads.impacts[k]); });
  const FacetOutput& wear = *boundary.facet_loads;
  if (wear.archard > 0) {
    add("archard_depth", [&](std::size_t k) { return wear.archard * loads.sliding[k]; });
  }
  if (wear.finnie > 0) {
    add("finnie_depth", [&](std::size_t k) { return wear.finnie * loads.cutting[k]; });
  }
  return fields;
}

}  // namespace scree
