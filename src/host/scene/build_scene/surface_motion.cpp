#include <array>
#include <optional>
#include <string>

#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/boundaries.hpp"
#include "host/scene/build_scene/motion_course.hpp"

/// Checks that motions of the surface of a boundary are tangential to it: they make the surface slide, not push.
namespace scree {
namespace {

using namespace geometry;

bool moves_along_a_facet(const MotionCourse& course, const TriangleMesh& mesh) {
  for (const auto& t : mesh.triangles) {
    const std::array<Real3, 3> corner{mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
    const Real3 normal = unit(cross(subtract(corner[1], corner[0]), subtract(corner[2], corner[0])));
    for (const Real3& x : corner) {
      const Real3 velocity = course.velocity(x);
      if (length(cross(velocity, normal)) > no_lean * length(velocity)) return true;
    }
  }
  return false;
}

/// A sentence about the fault of a motion of the surface of a shape; empty if it has none.
struct Fault {
  const MotionCourse& course;
  const SceneBoundary& boundary;

  std::string operator()(const PlaneBoundary& plane) const {
    if (course.is_across(plane.normal)) return {};
    return course.turns ? "must be the normal of the plane" : "must lie in the plane";
  }
  std::string operator()(const BoxBoundary&) const { return {}; }  // each side slides by the part that lies in it
  std::string operator()(const CylinderBoundary& cylinder) const {
    const Real3 axis = unit(subtract(cylinder.to, cylinder.from));
    if (course.turns) return course.is_about(axis, cylinder.from) ? "" : "must be the axis of the cylinder";
    return course.is_along(axis) ? "" : "must lie along the axis of the cylinder";
  }
  std::string operator()(const ConeBoundary& cone) const {
    const Real3 axis = unit(subtract(cone.to, cone.from));
    if (!course.turns) return "is not possible for a cone, whose surface can only turn about its axis";
    return course.is_about(axis, cone.from) ? "" : "must be the axis of the cone";
  }
  std::string operator()(const SphereBoundary& sphere) const {
    if (!course.turns) return "is not possible for a sphere, whose surface can only turn about an axis";
    return course.is_about(course.direction, sphere.center) ? "" : "must go through the centre of the sphere";
  }
  std::string operator()(const MeshBoundary&) const {
    return boundary.mesh.triangles.empty() || moves_along_a_facet(course, boundary.mesh)
               ? ""
               : "moves no facet of the mesh along itself: it is normal to all of them";
  }
};

}  // namespace

std::vector<Motion> resolved_surface_motions(std::vector<Motion> motions, const Case& input,
                                             const SceneBoundary& boundary) {
  motions = resolved_motions(std::move(motions), input.folder, input.time.duration, "surface_motion");
  std::vector<InputProblem> problems;
  for (std::size_t m = 0; m < motions.size(); ++m) {
    const std::optional<MotionCourse> course = course_of(motions[m].kind);
    const std::string fault = course ? std::visit(Fault{*course, boundary}, boundary.shape) : "";
    if (fault.empty()) continue;
    problems.push_back({"surface_motion." + std::to_string(m) + "." + course->key,
                        fault + "; the surface moves along itself, and \"motion\" moves the boundary"});
  }
  if (!problems.empty()) throw CaseError(std::move(problems));
  return motions;
}

}  // namespace scree
