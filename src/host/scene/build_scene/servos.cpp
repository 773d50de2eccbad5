#include "host/scene/build_scene/servos.hpp"

#include <algorithm>
#include <cmath>

#include "host/case/describe_goals.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/motion_course.hpp"
#include "host/scene/build_scene/places_at_start.hpp"

namespace scree {
namespace {

constexpr double parallel = 1e-9;  // tolerance of the dot product of two unit vectors

/// Two planes that face each other.
struct OpposingPair {
  std::array<std::uint32_t, 2> planes;
  Real3 normal;
};

const PlaneBoundary* plane_of(const SceneBoundary& boundary) { return std::get_if<PlaneBoundary>(&boundary.shape); }
const CylinderBoundary* tube_of(const SceneBoundary& boundary) {
  return std::get_if<CylinderBoundary>(&boundary.shape);
}

/// Whether a plane with this normal cuts a cylinder straight across its axis.
bool is_across(const Real3& normal, const CylinderBoundary& tube) {
  const Real3 axis = geometry::unit(geometry::subtract(tube.to, tube.from));
  return std::fabs(geometry::dot(normal, axis)) >= 1 - parallel;
}

/// The only cylinder that a plane with this normal cuts straight across; none if there are several.
std::optional<std::uint32_t> tube_across(const Scene& scene, const Real3& normal) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const CylinderBoundary* const tube = tube_of(scene.boundaries[b]);
    if (tube == nullptr || !is_across(normal, *tube)) { continue; }
    if (found) { return std::nullopt; }
    found = b;
  }
  return found;
}

/// Prepares the servo of a cylinder, with the planes that end its specimen.
void prepare_tube(std::uint32_t boundary, const Scene& scene, SceneServo& servo) {
  servo.radial = true;
  servo.tube = boundary;
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const PlaneBoundary* const plane = plane_of(scene.boundaries[b]);
    if (plane != nullptr && is_across(plane->normal, *tube_of(scene.boundaries[boundary]))) {
      servo.platens.push_back(b);
    }
  }
}

/// The planes parallel to `direction`, in opposing pairs: they bound a wall that moves along it. Empty if they do not
/// make a rectangle.
std::vector<OpposingPair> pairs_beside(const Scene& scene, const Real3& direction) {
  std::vector<OpposingPair> pairs;
  std::vector<bool> used(scene.boundaries.size(), false);
  for (std::uint32_t a = 0; a < scene.boundaries.size(); ++a) {
    const PlaneBoundary* const first = plane_of(scene.boundaries[a]);
    if (first == nullptr || used[a] || std::fabs(geometry::dot(first->normal, direction)) > parallel) { continue; }
    for (std::uint32_t b = a + 1; b < scene.boundaries.size(); ++b) {
      const PlaneBoundary* const second = plane_of(scene.boundaries[b]);
      if (second == nullptr || used[b] || geometry::dot(first->normal, second->normal) > parallel - 1) { continue; }
      used[a] = used[b] = true;
      pairs.push_back({{a, b}, first->normal});
      break;
    }
    if (!used[a]) { return {}; }  // a plane without an opposite
  }
  const bool rectangle = pairs.size() == 2 && std::fabs(geometry::dot(pairs[0].normal, pairs[1].normal)) <= parallel;
  return rectangle ? pairs : std::vector<OpposingPair>{};
}

/// [m2] The cross-section of a cell that repeats only across a direction, and whose cross-section stays constant; 0 for
/// other cells.
double section_across(const std::optional<PeriodicCell>& cell, const Real3& direction) {
  if (!cell || !cell->stages.empty()) { return 0; }
  std::vector<Real3> edges;
  double dilation = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    dilation += cell->velocity_gradient[k][k];
    if (cell->periodic[k]) { edges.push_back(cell->edges[k]); }
  }
  if (edges.size() != 2 || dilation != 0) { return 0; }
  const Real3 section = geometry::cross(edges[0], edges[1]);
  const double area = geometry::length(section);
  return std::fabs(geometry::dot(section, direction)) >= (1 - parallel) * area ? area : 0;
}

/// The sum of the vector areas of the triangles, and of their magnitudes [m2].
struct MeshArea {
  Real3 vector{};
  double sum = 0;
};
MeshArea area_of(const TriangleMesh& mesh) {
  MeshArea area;
  for (const auto& t : mesh.triangles) {
    const Real3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    const Real3 twice = geometry::cross(geometry::subtract(b, a), geometry::subtract(c, a));
    area.vector = geometry::along(area.vector, 0.5, twice);
    area.sum += 0.5 * geometry::length(twice);
  }
  return area;
}

/// Sets the area and the direction of one wall. Returns a sentence if it has none, else an empty text.
std::string prepare(const Servo& source, const SceneBoundary& boundary, const Scene& scene, SceneServo& servo) {
  const PlaneBoundary* const plane = plane_of(boundary);
  if (plane != nullptr && source.direction) { return "has no \"direction\" of its own: it is the normal of the plane"; }
  if (plane == nullptr && !source.direction) { return "needs a \"direction\", since both sides of a mesh are active"; }
  servo.direction = plane != nullptr ? plane->normal : geometry::unit(*source.direction);
  if (source.area) { servo.area = *source.area; }
  if (plane == nullptr && !source.area) {
    const MeshArea area = area_of(boundary.mesh);
    const double across = std::fabs(geometry::dot(area.vector, servo.direction));
    const bool flat = across >= 0.999 * area.sum;
    servo.area = flat ? across : 0;  // the vector area of a closed surface is only rounding
    if (source.stress && !flat) { return "needs an \"area\": the mesh is not a flat surface across its direction"; }
  }
  if (plane == nullptr || source.area) { return {}; }
  servo.area = section_across(scene.cell, servo.direction);
  if (servo.area > 0) { return {}; }
  const auto pairs = pairs_beside(scene, servo.direction);
  if (pairs.size() == 2) {
    servo.sides = {pairs[0].planes, pairs[1].planes};
  } else if (const auto tube = tube_across(scene, servo.direction)) {
    servo.tube = tube;
  } else if (source.stress) {
    return "needs an \"area\": the planes beside the wall are not two opposing pairs that make a rectangle, and it "
           "does not cut a single cylinder across its axis";
  }
  return {};
}

/// Adds a warning for a cylinder with a servo and no particle inside: it would only get smaller.
void warn_of_empty_tube(const Scene& scene, const SceneBoundary& wall, std::vector<std::string>& warnings) {
  const CylinderBoundary& tube = *tube_of(wall);
  const Real3 axis = geometry::unit(geometry::subtract(tube.to, tube.from));
  for (const Real3& centre : scene.particles.position) {
    const Real3 from = geometry::subtract(centre, tube.from);
    const Real3 across = geometry::along(from, -geometry::dot(from, axis), axis);
    if (geometry::length(across) < tube.radius) { return; }
  }
  warnings.push_back(
      "boundaries." + wall.name +
      ".servo: all particles start outside of the cylinder, which will get smaller without meeting them; "
      "a cylinder holds a stress of particles that are inside");
}

}  // namespace

void make_servos(const Case& input, Scene& scene, std::vector<InputProblem>& problems) {
  for (std::size_t b = 0; b < input.boundaries.size() && b < scene.boundaries.size(); ++b) {
    const auto source = servo_of(input.boundaries[b].second.shape);
    if (!source) { continue; }
    SceneServo servo{.stress = table_of(source->stress), .force = table_of(source->force), .since = source->from};
    std::string fault;
    if (tube_of(scene.boundaries[b]) != nullptr) {
      prepare_tube(static_cast<std::uint32_t>(b), scene, servo);
    } else {
      fault = prepare(*source, scene.boundaries[b], scene, servo);
    }
    if (!fault.empty()) { problems.push_back({"boundaries." + input.boundaries[b].first + ".servo", fault}); }
    check_motions(scene.boundaries[b].motion, servo, "boundaries." + input.boundaries[b].first + ".motion", problems);
    scene.boundaries[b].servo = servo;
    scene.boundaries[b].drive =
        Drive{.translation = DrivenTranslation{.mass = 1}, .rotation = {}, .from = source->from};
  }
}

void check_motions(const std::vector<Motion>& motions, const SceneServo& servo, const std::string& path,
                   std::vector<InputProblem>& problems) {
  if (servo.radial) { return; }  // motions do not change the radius
  for (std::size_t m = 0; m < motions.size(); ++m) {
    const auto course = course_of(motions[m].kind);
    if (!course || course->is_across(servo.direction)) { continue; }
    problems.push_back({path + "." + std::to_string(m) + "." + course->key,
                        std::string(course->turns ? "must be parallel" : "must be perpendicular") +
                            " to the direction of the servo, along which only its stress, force or \"speed\" moves the "
                            "wall"});
  }
}

void warn_of_turned_servos(const Scene& scene, std::vector<std::string>& warnings) {
  if (scene.particles.size() == 0 || !scene.inlets.empty()) { return; }
  for (const SceneBoundary& wall : placed_at_start(scene.boundaries)) {
    if (wall.changes_radius()) { warn_of_empty_tube(scene, wall, warnings); }
    if (!wall.servo || !wall.is_mesh()) { continue; }
    const Real3& towards = wall.servo->direction;
    const auto along_it = [&](const Real3& point) { return geometry::dot(point, towards); };
    const auto nearer = [&](const Real3& a, const Real3& b) { return along_it(a) < along_it(b); };
    const auto [back, front] = std::minmax_element(wall.mesh.vertices.begin(), wall.mesh.vertices.end(), nearer);
    const auto& centres = scene.particles.position;
    const double middle = 0.5 * (along_it(*back) + along_it(*front));
    if (along_it(*std::max_element(centres.begin(), centres.end(), nearer)) > middle) { continue; }
    warnings.push_back("boundaries." + wall.name +
                       ".servo.direction: all particles start behind the wall, which will move away from them; the "
                       "direction must point from the wall towards the particles");
  }
}

}  // namespace scree
