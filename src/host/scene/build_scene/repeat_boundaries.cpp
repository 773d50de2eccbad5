#include "host/scene/build_scene/repeat_boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "host/case/shape_word.hpp"
#include "host/geometry/boundary_shapes.hpp"
#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/scene/build_scene/cell.hpp"

namespace scree {
namespace {

using namespace geometry;

/// How far a direction leans to another, as a cosine that counts as none.
constexpr double no_lean = 1e-9;

constexpr const char* surface_turns =
    "in a periodic cell the surface of a boundary can only turn about the one edge that repeats";

struct Repeated {
  const PeriodicCell& cell;
  std::vector<std::size_t> axes;  ///< along which it repeats

  [[nodiscard]] bool is_along_all(const Real3& normal) const {
    return std::all_of(axes.begin(), axes.end(), [&](std::size_t k) {
      return std::fabs(dot(normal, cell.edges[k])) <= no_lean * length(cell.edges[k]);
    });
  }
  /// Whether a direction is that of the only edge that repeats.
  [[nodiscard]] bool is_the_edge(const Real3& direction) const {
    if (axes.size() != 1) return false;
    const Real3& edge = cell.edges[axes.front()];
    return length(cross(direction, edge)) <= no_lean * length(direction) * length(edge);
  }
};

std::string keep_cylinder(CylinderBoundary& cylinder, const Repeated& repeated) {
  const Real3 axis = subtract(cylinder.to, cylinder.from);
  if (!repeated.is_the_edge(axis)) return "a cylinder must lie along the only edge that repeats";
  const Real3& edge = repeated.cell.edges[repeated.axes.front()];
  if (length(axis) < (1 - no_lean) * length(edge)) return "a cylinder must be as long as the cell";
  const double sign = dot(axis, edge) > 0 ? 1 : -1;
  cylinder.from = along(cylinder.from, -sign, edge);
  cylinder.to = along(cylinder.to, sign, edge);
  return {};
}

/// Edges by which the lowest corner of a mesh is beyond half an edge from the corner of the cell.
double edges_off(const TriangleMesh& mesh, const PeriodicCell& cell, std::size_t k) {
  double lowest = std::numeric_limits<double>::max();
  for (const Real3& v : mesh.vertices) lowest = std::min(lowest, v[k] - cell.origin[k]);
  return std::floor(lowest / cell.edges[k][k] + 0.5);
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
      return "a mesh in a periodic cell can only turn about the one edge that repeats";
    }
  }
  if (boundary.drive) return "a mesh in a periodic cell cannot be driven by forces";
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
  boundary.mesh = weld(soup, boundary.name, warnings);
  return boundary.mesh.triangles.size() == all ? std::string{} : "triangles of the mesh are too small beside the cell";
}

/// Whether the images of a surface move as it does.
bool repeats(const std::vector<Motion>& surface_motion, const Repeated& repeated) {
  return std::all_of(surface_motion.begin(), surface_motion.end(), [&](const Motion& motion) {
    if (const auto* turn = std::get_if<Rotation>(&motion.kind)) return repeated.is_the_edge(turn->axis);
    if (const auto* swing = std::get_if<Oscillation>(&motion.kind))
      return !swing->axis || repeated.is_the_edge(*swing->axis);
    const auto* table = std::get_if<TableMotion>(&motion.kind);
    return table == nullptr || !table->axis || repeated.is_the_edge(*table->axis);
  });
}

/// Makes a boundary repeat with the cell, or says why it cannot.
std::string repeat(SceneBoundary& boundary, const Repeated& repeated, std::vector<std::string>& warnings) {
  if (const auto* plane = std::get_if<PlaneBoundary>(&boundary.shape))
    return repeated.is_along_all(plane->normal) ? std::string{} : "a plane must lie along the edges that repeat";
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
  for (SceneBoundary& boundary : scene.boundaries) {
    const std::string why = repeat(boundary, repeated, warnings);
    if (!why.empty()) problems.push_back({"boundaries." + boundary.name, "in a periodic cell " + why});
    if (!repeats(boundary.surface_motion, repeated)) {
      problems.push_back({"boundaries." + boundary.name + ".surface_motion", surface_turns});
    }
  }
  for (std::size_t k = 0; k < scene.stages.size(); ++k) {
    for (const SceneStagedBoundary& change : scene.stages[k].boundaries) {
      if (!change.surface_motion || repeats(*change.surface_motion, repeated)) continue;
      problems.push_back(
          {"stages." + std::to_string(k) + ".boundaries." + scene.boundaries[change.boundary].name + ".surface_motion",
           surface_turns});
    }
  }
}

}  // namespace scree
