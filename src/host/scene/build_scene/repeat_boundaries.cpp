#include "host/scene/build_scene/repeat_boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "host/case/shape_word.hpp"
#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/cell.hpp"

namespace scree {
namespace {

using namespace geometry;

constexpr const char* turns =
    "in a periodic cell a boundary can only turn about the one edge that repeats, as all its images do";
constexpr const char* surface_turns =
    "in a periodic cell the surface of a boundary can only turn about the one edge that repeats";
constexpr const char* leaves =
    "in a periodic cell a cylinder cannot move along the edge that repeats; give it a \"surface_motion\"";

struct Repeated {
  const PeriodicCell& cell;
  std::vector<std::size_t> axes;  ///< along which it repeats

  /// Whether a direction is normal to all edges that repeat.
  [[nodiscard]] bool is_across_all(const Real3& direction) const {
    return std::all_of(axes.begin(), axes.end(), [&](std::size_t k) {
      return std::fabs(dot(direction, cell.edges[k])) <= no_lean * length(direction) * length(cell.edges[k]);
    });
  }
  /// Whether a direction is that of the only edge that repeats.
  [[nodiscard]] bool is_the_edge(const Real3& direction) const {
    if (axes.size() != 1) return false;
    const Real3& edge = cell.edges[axes.front()];
    return length(cross(direction, edge)) <= no_lean * length(direction) * length(edge);
  }
};

/// The axis about which a motion turns, if it does.
std::optional<Real3> axis_of(const Motion& motion) {
  if (const auto* turn = std::get_if<Rotation>(&motion.kind)) return turn->axis;
  if (const auto* swing = std::get_if<Oscillation>(&motion.kind)) return swing->axis;
  const auto* table = std::get_if<TableMotion>(&motion.kind);
  return table == nullptr ? std::nullopt : table->axis;
}

/// The direction along which a motion shifts, if it does.
std::optional<Real3> line_of(const Motion& motion) {
  if (const auto* line = std::get_if<Translation>(&motion.kind)) return line->velocity;
  if (const auto* swing = std::get_if<Oscillation>(&motion.kind)) return swing->direction;
  const auto* table = std::get_if<TableMotion>(&motion.kind);
  return table == nullptr ? std::nullopt : table->direction;
}

/// Whether the images of a boundary, or of its surface, move by this motion as the boundary itself does.
bool repeats(const Motion& motion, const Repeated& repeated) {
  const auto axis = axis_of(motion);
  return !axis || repeated.is_the_edge(*axis);
}
bool repeats(const std::vector<Motion>& motions, const Repeated& repeated) {
  return std::all_of(motions.begin(), motions.end(), [&](const Motion& motion) { return repeats(motion, repeated); });
}

/// Refuses motions of planes and cylinders that their images cannot follow: they may only turn about the edge that
/// repeats. A cylinder may not move along that edge either, since its ends must stay outside of the cell.
void check_motion(const SceneBoundary& boundary, const Repeated& repeated, std::vector<InputProblem>& problems) {
  const std::string path = "boundaries." + boundary.name;
  const bool has_ends = std::holds_alternative<CylinderBoundary>(boundary.shape);
  for (std::size_t m = 0; m < boundary.motion.size(); ++m) {
    const Motion& motion = boundary.motion[m];
    const auto line = line_of(motion);
    const bool stays = !has_ends || !line || repeated.is_across_all(*line);
    if (repeats(motion, repeated) && stays) continue;
    problems.push_back({path + ".motion." + std::to_string(m), stays ? turns : leaves});
  }
  if (!boundary.drive) return;
  if (boundary.drive->rotation && !repeated.is_the_edge(boundary.drive->rotation->axis)) {
    problems.push_back({path + ".drive.rotation.axis", turns});
  }
  if (!has_ends || !boundary.drive->translation) return;
  for (const std::string& axis : boundary.drive->translation->free) {
    const Real3 direction{axis == "x" ? 1.0 : 0.0, axis == "y" ? 1.0 : 0.0, axis == "z" ? 1.0 : 0.0};
    if (!repeated.is_across_all(direction)) problems.push_back({path + ".drive.translation.free", leaves});
  }
}

std::string keep_cylinder(CylinderBoundary& cylinder, const Repeated& repeated) {
  const Real3 axis = subtract(cylinder.to, cylinder.from);
  if (!repeated.is_the_edge(axis)) return "a cylinder must lie along the only edge that repeats";
  const Real3& edge = repeated.cell.edges[repeated.axes.front()];
  if (length(axis) < (1 - no_lean) * length(edge)) return "a cylinder must be as long as the cell";
  const auto edges_from_corner = [&](const Real3& end) {
    return dot(subtract(end, repeated.cell.origin), edge) / dot(edge, edge);
  };
  const auto [first, last] = std::minmax({edges_from_corner(cylinder.from), edges_from_corner(cylinder.to)});
  // A cylinder beside the cell is moved into the cell by whole edges.
  const double off = first > 1 || last < 0 ? std::floor(first + 0.5) : 0;
  const double sign = dot(axis, edge) > 0 ? 1 : -1;
  cylinder.from = along(cylinder.from, -sign - off, edge);
  cylinder.to = along(cylinder.to, sign - off, edge);
  return {};
}

/// Number of edges along axis k from the corner of the cell to the lowest corner of a mesh, rounded to a whole number.
double edges_off(const TriangleMesh& mesh, const PeriodicCell& cell, std::size_t k) {
  double lowest = std::numeric_limits<double>::max();
  for (const Real3& v : mesh.vertices) lowest = std::min(lowest, v[k] - cell.origin[k]);
  return std::floor(lowest / cell.edges[k][k] + 0.5);
}

/// Whether a triangle is perpendicular to an edge that repeats, so that its copy may coincide with another triangle.
bool stands_across(const TriangleMesh& mesh, const Repeated& repeated) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& corners) {
    return std::any_of(repeated.axes.begin(), repeated.axes.end(), [&](std::size_t k) {
      const auto [low, high] =
          std::minmax({mesh.vertices[corners[0]][k], mesh.vertices[corners[1]][k], mesh.vertices[corners[2]][k]});
      return high - low <= 1e-9 * repeated.cell.edges[k][k];
    });
  });
}

std::string repeat_mesh(SceneBoundary& boundary, const Repeated& repeated, std::vector<std::string>& warnings) {
  if (deforms(repeated.cell)) return "a mesh cannot stand in a cell that deforms";
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (axis != k && repeated.cell.edges[k][axis] != 0) return "a mesh cannot stand in a skewed cell";
    }
  }
  for (const Motion& motion : boundary.motion) {
    const auto* turn = std::get_if<Rotation>(&motion.kind);
    if (turn == nullptr || !repeated.is_the_edge(turn->axis)) {
      return "a mesh can only turn about the one edge that repeats";
    }
  }
  if (boundary.drive) return "a mesh cannot be driven by forces";
  const std::array<double, 3> off{edges_off(boundary.mesh, repeated.cell, 0),
                                  edges_off(boundary.mesh, repeated.cell, 1),
                                  edges_off(boundary.mesh, repeated.cell, 2)};
  std::array<int, 3> most{};
  for (const std::size_t k : repeated.axes) most[k] = 1;
  TriangleSoup soup;
  for (int a = -most[0]; a <= most[0]; ++a) {
    for (int b = -most[1]; b <= most[1]; ++b) {
      for (int c = -most[2]; c <= most[2]; ++c) {
        const std::array<int, 3> copy{a, b, c};
        Real3 shift{};
        for (const std::size_t k : repeated.axes) shift[k] = (copy[k] - off[k]) * repeated.cell.edges[k][k];
        for (const auto& t : boundary.mesh.triangles) {
          const auto corner = [&](std::size_t i) { return along(boundary.mesh.vertices[t[i]], 1, shift); };
          soup.triangles.push_back({corner(0), corner(1), corner(2)});
        }
      }
    }
  }
  boundary.facets_per_copy = static_cast<std::uint32_t>(boundary.mesh.triangles.size());
  const std::size_t all = soup.triangles.size();
  const bool across = stands_across(boundary.mesh, repeated);
  boundary.mesh = weld(soup, boundary.name, warnings);
  if (boundary.mesh.triangles.size() == all) return {};
  return across ? "walls of the mesh coincide with their own copies across the faces, such as two end walls a cell "
                  "apart; leave out one of each two"
                : "triangles of the mesh are too small beside the cell";
}

/// Makes a boundary repeat with the cell, or says why it cannot.
std::string repeat(SceneBoundary& boundary, const Repeated& repeated, std::vector<std::string>& warnings) {
  if (const auto* plane = std::get_if<PlaneBoundary>(&boundary.shape)) {
    return repeated.is_across_all(plane->normal) ? std::string{} : "a plane must lie along the edges that repeat";
  }
  if (auto* cylinder = std::get_if<CylinderBoundary>(&boundary.shape)) {
    std::string why = keep_cylinder(*cylinder, repeated);
    if (why.empty()) boundary.mesh = outline(boundary.shape);
    return why;
  }
  if (boundary.is_mesh()) return repeat_mesh(boundary, repeated, warnings);
  const bool flat = !sides_of(boundary.shape).empty();
  return "a " + shape_word(boundary.shape) + " cannot be repeated; use " + (flat ? "planes" : "a mesh");
}

}  // namespace

void repeat_boundaries(Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems) {
  if (!scene.cell) return;
  Repeated repeated{*scene.cell, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    if (scene.cell->periodic[k]) repeated.axes.push_back(k);
  }
  const std::size_t before = problems.size();
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    for (const SceneStagedBoundary& change : scene.stages[k].boundaries) {
      const std::string path = "stages." + std::to_string(k) + ".boundaries." + scene.boundaries[change.boundary].name;
      if (change.motion) problems.push_back({path + ".motion", "is not possible in a periodic cell"});
      if (change.surface_motion && !repeats(*change.surface_motion, repeated)) {
        problems.push_back({path + ".surface_motion", surface_turns});
      }
    }
  }
  if (problems.size() > before) return;  // make_stages() gave motions to these boundaries: avoid reports about them
  for (SceneBoundary& boundary : scene.boundaries) {
    const std::string path = "boundaries." + boundary.name;
    if (boundary.servo && boundary.is_mesh()) {
      problems.push_back({path + ".servo", "is not possible for a mesh in a periodic cell"});
      continue;
    }
    if (boundary.changes_radius()) {
      problems.push_back({path + ".servo", "is not possible for a cylinder in a periodic cell"});
      continue;
    }
    const std::string why = repeat(boundary, repeated, warnings);
    if (!why.empty()) problems.push_back({path, "in a periodic cell " + why});
    if (why.empty() && !boundary.is_mesh()) check_motion(boundary, repeated, problems);
    if (!repeats(boundary.surface_motion, repeated)) problems.push_back({path + ".surface_motion", surface_turns});
  }
}

}  // namespace scree
