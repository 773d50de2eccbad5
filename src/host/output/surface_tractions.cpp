#include "host/output/surface_tractions.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "host/geometry/cell_frame.hpp"
#include "host/geometry/real3.hpp"

namespace scree {
namespace {

/// [n_vertices] [m2] A third of the areas of the triangles around each vertex.
std::vector<double> areas_of_vertices(const TriangleMesh& mesh) {
  std::vector<double> area(mesh.vertices.size());
  for (const auto& t : mesh.triangles) {
    const Real3 first = geometry::subtract(mesh.vertices[t[1]], mesh.vertices[t[0]]);
    const Real3 second = geometry::subtract(mesh.vertices[t[2]], mesh.vertices[t[0]]);
    const double third = geometry::length(geometry::cross(first, second)) / 6;
    for (const std::uint32_t vertex : t) { area[vertex] += third; }
  }
  return area;
}

/// Finds vertices of one grain by their places. They are sorted along x.
class NearestVertex {
 public:
  NearestVertex(const TriangleMesh& mesh, const GrainSurfaces::Piece& piece) : mesh_(mesh) {
    for (std::size_t k = piece.first; k < piece.end; ++k) { order_.push_back(k); }
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return x(a) < x(b); });
  }

  [[nodiscard]] std::size_t find(const Real3& point) const {
    const auto middle = std::lower_bound(order_.begin(), order_.end(), point[0],
                                         [&](std::size_t vertex, double value) { return x(vertex) < value; });
    std::size_t best = order_.front();
    double least = std::numeric_limits<double>::max();
    const auto look = [&](std::size_t vertex) {  // false: all that follow are farther away
      const double along = x(vertex) - point[0];
      if (along * along > least) { return false; }
      const double squared = geometry::squared_length(geometry::subtract(mesh_.vertices[vertex], point));
      if (squared < least) {
        least = squared;
        best = vertex;
      }
      return true;
    };
    for (auto up = middle; up != order_.end() && look(*up);) { ++up; }
    for (auto down = middle; down != order_.begin() && look(*(down - 1));) { --down; }
    return best;
  }

 private:
  [[nodiscard]] double x(std::size_t vertex) const { return mesh_.vertices[vertex][0]; }

  const TriangleMesh& mesh_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<Real3> surface_tractions(const GrainSurfaces& surfaces, const std::vector<TouchingNode>& nodes,
                                     const std::optional<CellState>& cell) {
  const std::vector<double> area = areas_of_vertices(surfaces.mesh);
  std::map<std::uint32_t, const GrainSurfaces::Piece*> piece_of;
  for (const auto& piece : surfaces.piece) { piece_of[piece.particle] = &piece; }
  std::map<std::uint32_t, NearestVertex> search;
  std::vector<Real3> traction(surfaces.mesh.vertices.size());
  const auto add = [&](std::uint32_t particle, const Real3& point, const Real3& force) {
    const auto found = piece_of.find(particle);
    if (found == piece_of.end()) { return; }  // no level-set grain
    const GrainSurfaces::Piece& piece = *found->second;
    if (piece.first == piece.end) { return; }
    Real3 way = geometry::subtract(point, piece.center);
    if (cell) { way = geometry::CellFrame(*cell).shortest(way); }  // contacts across its faces are beside one grain
    const NearestVertex& vertices = search.try_emplace(particle, surfaces.mesh, piece).first->second;
    const std::size_t vertex = vertices.find(geometry::add(piece.center, way));
    if (area[vertex] > 0) { traction[vertex] = geometry::along(traction[vertex], 1 / area[vertex], force); }
  };
  for (const TouchingNode& node : nodes) {
    add(node.second, node.point, node.force);
    if (!node.with_boundary) { add(node.first, node.point, geometry::scaled(node.force, -1)); }
  }
  return traction;
}

}  // namespace scree
