#include <algorithm>
#include <cstdint>
#include <map>

#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/mesh_solid.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

using Corners = std::array<std::uint32_t, 3>;

double area_of(const TriangleMesh& mesh, const Corners& t) {
  const Real3& a = mesh.vertices[t[0]];
  return 0.5 * geometry::length(geometry::cross(geometry::subtract(mesh.vertices[t[1]], a),
                                                geometry::subtract(mesh.vertices[t[2]], a)));
}

/// The edges along which triangles are missing, in the direction of the missing triangles, by their first vertex. Equal
/// numbers of these edges start and end at each vertex.
std::multimap<std::uint32_t, std::uint32_t> missing_edges(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> forward;
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      forward[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  std::multimap<std::uint32_t, std::uint32_t> missing;
  for (const auto& [edge, net] : forward) {
    for (int n = 0; n < net; ++n) missing.emplace(edge.second, edge.first);
    for (int n = 0; n < -net; ++n) missing.emplace(edge.first, edge.second);
  }
  return missing;
}

/// Adds the triangles that close one hole. They connect its edges with the mean of its vertices.
void close(TriangleMesh& mesh, const std::vector<std::uint32_t>& loop) {
  if (loop.size() == 3) {
    mesh.triangles.push_back({loop[0], loop[1], loop[2]});
    return;
  }
  Real3 middle{};
  for (const auto v : loop) middle = geometry::along(middle, 1.0 / static_cast<double>(loop.size()), mesh.vertices[v]);
  const auto center = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.push_back(middle);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    mesh.triangles.push_back({loop[k], loop[(k + 1) % loop.size()], center});
  }
}

}  // namespace

void close_holes(TriangleMesh& mesh, const std::string& name, std::vector<std::string>& warnings) {
  const geometry::EdgeFaults faults = geometry::edge_faults(mesh);
  if (faults.opposing > 0) {
    throw CaseError(name, "must be a surface that faces outwards everywhere: it has " +
                              geometry::EdgeFaults{0, 0, faults.opposing}.text());
  }
  auto missing = missing_edges(mesh);
  if (missing.empty()) return;
  const std::size_t before = mesh.triangles.size(), open = missing.size();
  std::size_t holes = 0;
  while (!missing.empty()) {
    std::vector<std::uint32_t> loop;
    const std::uint32_t first = missing.begin()->first;
    for (std::uint32_t at = first; loop.empty() || at != first;) {
      const auto next = missing.find(at);
      loop.push_back(at);
      at = next->second;
      missing.erase(next);
    }
    if (loop.size() < 3) continue;  // an edge and its reverse
    close(mesh, loop);
    ++holes;
  }
  double whole = 0, added = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    (t < before ? whole : added) += area_of(mesh, mesh.triangles[t]);
  }
  const std::string size = counted(open, "open edge", "open edges") + " around " + counted(holes, "hole", "holes") +
                           ", " + short_number_text(100 * added / whole, 3) + " % of its surface";
  if (!(added <= most_open * whole)) {
    throw CaseError(name, "must be a closed surface: it has " + size + "; holes of at most " +
                              number_text(100 * most_open) + " % are closed");
  }
  warnings.push_back(name + ": is not closed: " + size + ", were closed by triangles");
}

}  // namespace scree::grains
