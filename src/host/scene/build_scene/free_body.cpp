#include "host/scene/build_scene/free_body.hpp"

#include "host/clumps/clump.hpp"
#include "host/clumps/fit_mesh.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree {

void resolve_free_body(FreeBody& body, const TriangleMesh& mesh) {
  if (body.principal_axes) { body.principal_axes = clumps::unit_orientation(*body.principal_axes); }
  if (!body.density || mesh.triangles.empty()) { return; }
  const geometry::EdgeFaults faults = geometry::edge_faults(mesh);
  if (!faults.none()) {
    throw CaseError("density", "needs a closed mesh, but the mesh has " + faults.text() +
                                   "; give \"mass\", \"inertia\" and \"center\" instead");
  }
  clumps::Moments moments = clumps::mesh_moments(mesh);
  if (moments.volume < 0) {  // facets that face inwards
    moments.volume = -moments.volume;
    for (double& value : moments.first) { value = -value; }
    for (auto& value : moments.second) { value = -value; }
  }
  if (!(moments.volume > 0)) { throw CaseError("density", "needs a mesh that encloses a volume"); }
  const clumps::PrincipalFrame frame = clumps::principal_frame(moments);
  body.mass = *body.density * moments.volume;
  body.inertia = geometry::scaled(frame.inertia, *body.density);
  body.center = frame.center;
  body.principal_axes = clumps::orientation_of(frame.axes);
}

}  // namespace scree
