#include "host/scene/build_scene/free_body.hpp"

#include <cmath>

#include "host/clumps/clump.hpp"
#include "host/clumps/fit_mesh.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree {

namespace {

/// A place near a mesh that lies far from the origin, as where coordinates are those of a map; else the origin. Moments
/// of inertia about a far origin would lose their digits when they are moved to the centre.
Real3 place_near(const TriangleMesh& mesh) {
  constexpr double far = 64;  // times the size: then some 1e-12 are lost
  const Real3& first = mesh.vertices.front();
  double size = 0;
  for (const Real3& vertex : mesh.vertices) {
    size = std::fmax(size, geometry::length(geometry::subtract(vertex, first)));
  }
  return geometry::length(first) > far * size ? first : Real3{};
}

}  // namespace

void resolve_free_body(FreeBody& body, const TriangleMesh& mesh) {
  if (body.principal_axes) { body.principal_axes = clumps::unit_orientation(*body.principal_axes); }
  if (!body.density || mesh.triangles.empty()) { return; }
  const geometry::EdgeFaults faults = geometry::edge_faults(mesh);
  if (!faults.none()) {
    throw CaseError("density", "needs a closed mesh, but the mesh has " + faults.text() +
                                   "; give \"mass\", \"inertia\" and \"center\" instead");
  }
  const Real3 near = place_near(mesh);
  TriangleMesh moved = mesh;
  for (Real3& vertex : moved.vertices) { vertex = geometry::subtract(vertex, near); }
  clumps::Moments moments = clumps::mesh_moments(moved);
  if (moments.volume < 0) {  // facets that face inwards
    moments.volume = -moments.volume;
    for (double& value : moments.first) { value = -value; }
    for (auto& value : moments.second) { value = -value; }
  }
  if (!(moments.volume > 0)) { throw CaseError("density", "needs a mesh that encloses a volume"); }
  const clumps::PrincipalFrame frame = clumps::principal_frame(moments);
  body.mass = *body.density * moments.volume;
  body.inertia = geometry::scaled(frame.inertia, *body.density);
  body.center = geometry::add(near, frame.center);
  body.principal_axes = clumps::orientation_of(frame.axes);
}

}  // namespace scree
