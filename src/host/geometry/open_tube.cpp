#include "host/geometry/open_tube.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "host/geometry/real3.hpp"

namespace scree::geometry {
namespace {

using Triangles = std::vector<std::array<std::uint32_t, 3>>;

/// The vertices of each closed loop of edges that belong to only one triangle. Empty if these edges form no simple
/// loops.
std::vector<std::vector<std::uint32_t>> rims_of(const Triangles& triangles) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> users;
  for (const auto& corners : triangles) {
    for (std::size_t k = 0; k < 3; ++k) { ++users[std::minmax(corners[k], corners[(k + 1) % 3])]; }
  }
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  for (const auto& [edge, count] : users) {
    if (count != 1) { continue; }
    next[edge.first].push_back(edge.second);
    next[edge.second].push_back(edge.first);
  }
  std::vector<std::vector<std::uint32_t>> rims;
  while (!next.empty()) {
    std::vector<std::uint32_t>& rim = rims.emplace_back();
    std::vector<std::uint32_t> waiting{next.begin()->first};
    while (!waiting.empty()) {
      const std::uint32_t here = waiting.back();
      waiting.pop_back();
      const auto found = next.find(here);
      if (found == next.end()) { continue; }
      if (found->second.size() != 2) { return {}; }
      rim.push_back(here);
      waiting.insert(waiting.end(), found->second.begin(), found->second.end());
      next.erase(found);
    }
  }
  return rims;
}

Real3 mean_place(const TriangleMesh& mesh, const std::vector<std::uint32_t>& vertices) {
  Real3 sum{};
  for (const std::uint32_t v : vertices) { sum = add(sum, mesh.vertices[v]); }
  return scaled(sum, 1 / static_cast<double>(vertices.size()));
}

/// A unit vector at right angles to `axis` that is not parallel to a coordinate axis, because facets often are.
Real3 unit_across(const Real3& axis) {
  const Real3 guess{0.31, 0.83, 0.47}, other{0.83, -0.47, 0.31};
  const Real3 chosen = std::fabs(dot(axis, guess)) < 0.9 ? guess : other;
  return unit(along(chosen, -dot(chosen, axis), axis));
}

}  // namespace

OpenTube::OpenTube(const TriangleMesh& mesh, Triangles triangles, const Real3& axis, double low, double high)
    : mesh_(&mesh),
      triangles_(std::move(triangles)),
      axis_(axis),
      across_(unit_across(axis)),
      beside_(cross(axis, across_)),
      low_(low),
      high_(high) {}

std::optional<OpenTube> OpenTube::made_of(const TriangleMesh& mesh, Triangles triangles) {
  const auto rims = rims_of(triangles);
  if (rims.size() != 2) { return std::nullopt; }
  const Real3 first = mean_place(mesh, rims[0]), way = subtract(mean_place(mesh, rims[1]), first);
  double width = 0;
  for (const std::uint32_t v : rims[0]) { width = std::max(width, 2 * length(subtract(mesh.vertices[v], first))); }
  constexpr double flat = 0.1;  // a plate with a hole has no inside
  if (!(length(way) > flat * width)) { return std::nullopt; }
  const Real3 axis = unit(way);
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : rims[0]) { low = std::max(low, dot(mesh.vertices[v], axis)); }
  for (const std::uint32_t v : rims[1]) { high = std::min(high, dot(mesh.vertices[v], axis)); }
  if (!(low < high)) { return std::nullopt; }
  return OpenTube(mesh, std::move(triangles), axis, low, high);
}

bool OpenTube::spans(const Real3& point) const {
  const double height = dot(point, axis_);
  return low_ < height && height < high_;
}

bool OpenTube::goes_around(const Real3& point) const {
  bool odd = false;
  for (const auto& corners : triangles_) {
    // Two sides of a triangle may cross the plane through the point at right angles to the axis. The segment between
    // these crossings is a piece of the cross-section of the wall.
    std::array<std::array<double, 2>, 2> ends{};
    std::size_t n = 0;
    for (std::size_t k = 0; k < 3 && n < 2; ++k) {
      const Real3 a = subtract(mesh_->vertices[corners[k]], point);
      const Real3 b = subtract(mesh_->vertices[corners[(k + 1) % 3]], point);
      const double from = dot(a, axis_), to = dot(b, axis_);
      if ((from > 0) == (to > 0)) { continue; }
      const Real3 at = along(a, from / (from - to), subtract(b, a));
      ends[n++] = {dot(at, across_), dot(at, beside_)};
    }
    if (n < 2 || (ends[0][1] > 0) == (ends[1][1] > 0)) { continue; }
    const double share = ends[0][1] / (ends[0][1] - ends[1][1]);
    if (ends[0][0] + share * (ends[1][0] - ends[0][0]) > 0) { odd = !odd; }
  }
  return odd;
}

}  // namespace scree::geometry
