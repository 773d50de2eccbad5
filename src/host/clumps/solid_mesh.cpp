#include "host/clumps/solid_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

using geometry::subtract;

/// Whether a part of a closed mesh is turned inside out, so that its triangles face the inside of the solid. The
/// triangles of a hollow are right: they face the inside of the hollow, which is outside the solid.
bool has_turned_part(const TriangleMesh& mesh, const geometry::MeshSurface& surface) {
  const std::vector<std::uint32_t> part = geometry::shells_of(mesh);
  struct Part {
    double volume = 0, area = 0;
    std::size_t largest = 0;  ///< index of its largest triangle
  };
  std::vector<Part> parts;
  for (const double volume : geometry::volumes_of_shells(mesh, part)) parts.push_back({.volume = volume});
  const auto corner = [&](std::size_t t, std::size_t k) {
    return subtract(mesh.vertices[mesh.triangles[t][k]], mesh.vertices[0]);
  };
  const auto twice_area = [&](std::size_t t) {
    return geometry::cross(subtract(corner(t, 1), corner(t, 0)), subtract(corner(t, 2), corner(t, 0)));
  };
  for (std::size_t t = 0; t < part.size(); ++t) {
    Part& of = parts[part[t]];
    const double area = geometry::length(twice_area(t));
    if (area > of.area) of.area = area, of.largest = t;
  }
  constexpr double off_surface = 1e-6;  // distance from the surface over the root of twice the area of the triangle
  return std::any_of(parts.begin(), parts.end(), [&](const Part& of) {
    if (of.volume >= 0) return false;
    const auto& [a, b, c] = mesh.triangles[of.largest];
    const Real3 middle =
        geometry::scaled(geometry::add(mesh.vertices[a], geometry::add(mesh.vertices[b], mesh.vertices[c])), 1.0 / 3);
    return surface.encloses(geometry::along(middle, off_surface / std::sqrt(of.area), twice_area(of.largest)));
  });
}

}  // namespace

void expect_solid(const TriangleMesh& mesh, const std::string& name) {
  const auto faults = geometry::edge_faults(mesh);
  if (mesh.triangles.empty() || !faults.none()) {
    throw CaseError(name, "must be a closed surface to be filled with spheres: it has " + faults.text());
  }
  constexpr double least_volume = 1e-9;  // volume over the volume of the box; less may be rounding
  const geometry::MeshSurface surface(mesh);
  const auto& [low, high] = surface.bounds();
  const double box = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
  const double volume = geometry::signed_volume(mesh);
  if (volume < -least_volume * box) throw CaseError(name, "has triangles that face inwards; turn them round");
  if (has_turned_part(mesh, surface)) {
    throw CaseError(name,
                    "has a part whose triangles face inwards, while those of others face outwards; turn them round");
  }
  if (!(volume > least_volume * box)) throw CaseError(name, "encloses no volume");
}

}  // namespace scree::clumps
