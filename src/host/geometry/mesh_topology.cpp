#include "host/geometry/mesh_topology.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "host/geometry/real3.hpp"

namespace scree::geometry {

std::string EdgeFaults::text() const {
  std::string all;
  const auto append = [&](std::size_t count, const std::string& before, const std::string& after) {
    if (count == 0) return;
    all += (all.empty() ? "" : " and ") + std::to_string(count) + before + (count == 1 ? " edge" : " edges") + after;
  };
  append(open, " open", "");
  append(crowded, "", " of more than two triangles");
  append(opposing, "", " whose two triangles face opposite sides");
  return all;
}

namespace {

struct MeshEdge {
  std::uint32_t low, high;
  bool forward;
  std::uint32_t triangle;
  bool operator<(const MeshEdge& other) const { return std::tie(low, high) < std::tie(other.low, other.high); }
};

/// The edges of all triangles, three per triangle, sorted so that edges between the same vertices are adjacent.
std::vector<MeshEdge> sorted_edges(const TriangleMesh& mesh) {
  std::vector<MeshEdge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), a < b, t});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

}  // namespace

EdgeFaults edge_faults(const TriangleMesh& mesh) {
  const std::vector<MeshEdge> edges = sorted_edges(mesh);
  EdgeFaults faults;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    std::size_t forward = 0;
    while (end < edges.size() && !(edges[begin] < edges[end])) forward += edges[end++].forward ? 1 : 0;
    const std::size_t uses = end - begin;
    if (uses == 1) ++faults.open;
    if (uses > 2) ++faults.crowded;
    if (uses == 2 && forward != 1) ++faults.opposing;
  }
  return faults;
}

bool is_closed(const TriangleMesh& mesh) { return !mesh.triangles.empty() && edge_faults(mesh).none(); }

std::vector<std::uint32_t> shells_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> root(mesh.triangles.size());  // union-find; the root is the lowest triangle of a shell
  std::iota(root.begin(), root.end(), 0U);
  const auto top = [&](std::uint32_t t) {
    while (root[t] != t) t = root[t] = root[root[t]];
    return t;
  };
  const std::vector<MeshEdge> edges = sorted_edges(mesh);
  for (std::size_t e = 1; e < edges.size(); ++e) {
    if (edges[e - 1] < edges[e]) continue;
    const std::uint32_t a = top(edges[e - 1].triangle), b = top(edges[e].triangle);
    root[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> shell(root.size());
  std::uint32_t count = 0;
  for (std::uint32_t t = 0; t < root.size(); ++t) shell[t] = root[t] == t ? count++ : shell[top(t)];
  return shell;
}

namespace {

/// Six times the volume [m3] between a triangle and the first vertex of the mesh. That vertex is near the surface, so
/// little precision is lost to cancellation.
double six_volumes(const TriangleMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const Real3& origin = mesh.vertices[0];
  const Real3 p = subtract(mesh.vertices[a], origin), q = subtract(mesh.vertices[b], origin);
  return dot(p, cross(q, subtract(mesh.vertices[c], origin)));
}

}  // namespace

std::vector<double> volumes_of_shells(const TriangleMesh& mesh, const std::vector<std::uint32_t>& shell) {
  std::vector<double> volume(shell.empty() ? 0 : 1 + *std::max_element(shell.begin(), shell.end()));
  for (std::size_t t = 0; t < shell.size(); ++t) volume[shell[t]] += six_volumes(mesh, t) / 6;
  return volume;
}

double signed_volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) sum += six_volumes(mesh, t);
  return sum / 6;
}

}  // namespace scree::geometry
