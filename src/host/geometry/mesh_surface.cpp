#include "host/geometry/mesh_surface.hpp"

#include <algorithm>
#include <limits>

namespace scree::geometry {
namespace {

double squared_distance_to_segment(const Real3& point, const Real3& a, const Real3& b) {
  const Real3 ab = subtract(b, a), ap = subtract(point, a);
  const double t = std::clamp(dot(ap, ab) / squared_length(ab), 0.0, 1.0);
  return squared_length(along(ap, -t, ab));
}

/// Whether the plane of a triangle is farther from a point than the root of `square`; then the whole triangle is. False
/// for slivers, whose normal is dominated by rounding.
bool plane_is_beyond(const Real3& point, const Real3& a, const Real3& b, const Real3& c, double square) {
  constexpr double sliver = 1e-6;  // squared sine of the angle at the first corner
  const Real3 ab = subtract(b, a), ac = subtract(c, a), normal = cross(ab, ac);
  const double height = dot(subtract(point, a), normal), normal2 = squared_length(normal);
  return height * height > square * normal2 && normal2 > sliver * (squared_length(ab) * squared_length(ac));
}

}  // namespace

double squared_distance(const Real3& point, const Real3& a, const Real3& b, const Real3& c) {
  const Real3 normal = cross(subtract(b, a), subtract(c, a));
  const auto is_left = [&](const Real3& from, const Real3& to) {
    return dot(cross(subtract(to, from), subtract(point, from)), normal) >= 0;
  };
  if (is_left(a, b) && is_left(b, c) && is_left(c, a)) {
    const double height = dot(subtract(point, a), normal);
    return height * height / squared_length(normal);
  }
  return std::min({squared_distance_to_segment(point, a, b), squared_distance_to_segment(point, b, c),
                   squared_distance_to_segment(point, c, a)});
}

MeshSurface::MeshSurface(const TriangleMesh& mesh) : mesh_(mesh) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  bounds_ = {{inf, inf, inf}, {-inf, -inf, -inf}};
  for (const auto& triangle : mesh.triangles) {
    for (const auto v : triangle) {
      for (std::size_t k = 0; k < 3; ++k) {
        bounds_.lower[k] = std::min(bounds_.lower[k], mesh.vertices[v][k]);
        bounds_.upper[k] = std::max(bounds_.upper[k], mesh.vertices[v][k]);
      }
    }
  }
  // With n^(1/2) cells along each axis, n triangles of a surface have about one cell each.
  const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(mesh.triangles.size())));
  const std::uint32_t fine = std::clamp(side / 2, 1U, 128U), wide = std::clamp(side, 1U, 1024U);
  boxes_ = make_bins({fine, fine, fine});
  columns_ = make_bins({wide, wide, 1});
  side_.assign(boxes_.first.size() - 1, Side::unknown);
}

std::size_t MeshSurface::cell(const Bins& bins, std::size_t axis, double x) const {
  const double scaled_x = (x - bounds_.lower[axis]) * bins.inverse_edge[axis];
  const double last = static_cast<double>(bins.cells[axis] - 1);
  return static_cast<std::size_t>(std::clamp(scaled_x, 0.0, last));
}

MeshSurface::Bins MeshSurface::make_bins(const std::array<std::uint32_t, 3>& cells) const {
  Bins bins;
  bins.cells = cells;
  for (std::size_t k = 0; k < 3; ++k) {
    const double extent = bounds_.upper[k] - bounds_.lower[k];
    bins.inverse_edge[k] = extent > 0 ? static_cast<double>(cells[k]) / extent : 0;
  }
  bins.first.assign(std::size_t{cells[0]} * cells[1] * cells[2] + 1, 0);
  const auto for_each_entry = [&](auto&& take) {
    for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
      std::array<std::size_t, 3> low{}, high{};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [a, b, c] = mesh_.triangles[t];
        const auto [least, most] = std::minmax({mesh_.vertices[a][k], mesh_.vertices[b][k], mesh_.vertices[c][k]});
        low[k] = cell(bins, k, least);
        high[k] = cell(bins, k, most);
      }
      for (auto z = low[2]; z <= high[2]; ++z) {
        for (auto y = low[1]; y <= high[1]; ++y) {
          for (auto x = low[0]; x <= high[0]; ++x) take((z * cells[1] + y) * cells[0] + x, t);
        }
      }
    }
  };
  for_each_entry([&](std::size_t at, std::uint32_t) { ++bins.first[at + 1]; });
  for (std::size_t at = 1; at < bins.first.size(); ++at) bins.first[at] += bins.first[at - 1];
  bins.items.resize(bins.first.back());
  std::vector<std::size_t> next(bins.first.begin(), bins.first.end() - 1);
  for_each_entry([&](std::size_t at, std::uint32_t t) { bins.items[next[at]++] = t; });
  return bins;
}

double MeshSurface::squared_distance_within(const Real3& point, double reach) const {
  double nearest = reach * reach;
  constexpr double rounding = 1e-9;
  std::array<std::size_t, 3> low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (point[k] + reach < bounds_.lower[k] || point[k] - reach > bounds_.upper[k]) return nearest;
    low[k] = cell(boxes_, k, point[k] - reach);
    high[k] = cell(boxes_, k, point[k] + reach);
  }
  // The squared distance along an axis from the point to the boxes with this index. Each triangle is listed in all
  // boxes that it reaches, so boxes that are too far away can be skipped.
  const auto to_boxes = [&](std::size_t axis, std::size_t i) {
    if (!(boxes_.inverse_edge[axis] > 0)) return 0.0;
    const double place = (point[axis] - bounds_.lower[axis]) * boxes_.inverse_edge[axis];
    const double boxes = std::max({0.0, static_cast<double>(i) - place, place - static_cast<double>(i + 1)});
    const double away = std::max(0.0, boxes - rounding) / boxes_.inverse_edge[axis];
    return away * away;
  };
  for (auto z = low[2]; z <= high[2]; ++z) {
    const double z2 = to_boxes(2, z);
    for (auto y = low[1]; y <= high[1]; ++y) {
      const double yz2 = to_boxes(1, y) + z2;
      if (yz2 > nearest) continue;
      for (auto x = low[0]; x <= high[0]; ++x) {
        const std::size_t at = (z * boxes_.cells[1] + y) * boxes_.cells[0] + x;
        if (boxes_.first[at] == boxes_.first[at + 1] || to_boxes(0, x) + yz2 > nearest) continue;
        for (auto i = boxes_.first[at]; i < boxes_.first[at + 1]; ++i) {
          const auto& [a, b, c] = mesh_.triangles[boxes_.items[i]];
          const Real3 &p = mesh_.vertices[a], &q = mesh_.vertices[b], &r = mesh_.vertices[c];
          if (plane_is_beyond(point, p, q, r, nearest * (1 + rounding))) continue;
          nearest = std::min(nearest, squared_distance(point, p, q, r));
        }
      }
    }
  }
  return nearest;
}

bool MeshSurface::line_crosses(std::uint32_t triangle, const Real3& point) const {
  const auto& corners = mesh_.triangles[triangle];
  bool inside = false;
  for (std::size_t k = 0; k < 3; ++k) {
    // Both triangles of an edge compute with the lower vertex first. The bits are equal, so no ray slips between them.
    const auto v = std::min(corners[k], corners[(k + 1) % 3]), w = std::max(corners[k], corners[(k + 1) % 3]);
    const Real3 &a = mesh_.vertices[v], &b = mesh_.vertices[w];
    if ((a[1] > point[1]) == (b[1] > point[1])) continue;
    const double x = a[0] + (point[1] - a[1]) * ((b[0] - a[0]) / (b[1] - a[1]));
    if (x > point[0]) inside = !inside;
  }
  return inside;
}

bool MeshSurface::ray_crosses(std::uint32_t triangle, const Real3& point) const {
  if (!line_crosses(triangle, point)) return false;
  const auto& corners = mesh_.triangles[triangle];
  const Real3& a = mesh_.vertices[corners[0]];
  const Real3 normal = cross(subtract(mesh_.vertices[corners[1]], a), subtract(mesh_.vertices[corners[2]], a));
  const double height = dot(subtract(point, a), normal);  // has the sign of normal[2] if the point is above the plane
  return normal[2] > 0 ? height < 0 : height > 0;
}

std::optional<double> MeshSurface::highest(double x, double y) const {
  const std::size_t at = cell(columns_, 1, y) * columns_.cells[0] + cell(columns_, 0, x);
  std::optional<double> height;
  for (auto i = columns_.first[at]; i < columns_.first[at + 1]; ++i) {
    const std::uint32_t triangle = columns_.items[i];
    if (!line_crosses(triangle, {x, y, 0})) continue;
    const auto& corners = mesh_.triangles[triangle];
    const Real3& a = mesh_.vertices[corners[0]];
    const Real3 normal = cross(subtract(mesh_.vertices[corners[1]], a), subtract(mesh_.vertices[corners[2]], a));
    if (normal[2] == 0) continue;
    const double z = a[2] - (normal[0] * (x - a[0]) + normal[1] * (y - a[1])) / normal[2];
    if (!height || z > *height) height = z;
  }
  return height;
}

bool MeshSurface::encloses(const Real3& point) const {
  for (std::size_t k = 0; k < 3; ++k) {
    if (point[k] < bounds_.lower[k] || point[k] > bounds_.upper[k]) return false;
  }
  const std::array<std::size_t, 3> at = {cell(boxes_, 0, point[0]), cell(boxes_, 1, point[1]),
                                         cell(boxes_, 2, point[2])};
  const std::size_t box = (at[2] * boxes_.cells[1] + at[1]) * boxes_.cells[0] + at[0];
  if (boxes_.first[box] != boxes_.first[box + 1]) return ray_leaves(point);
  if (side_[box] == Side::unknown) side_[box] = side_of_empty(box, at);
  return side_[box] == Side::inside;
}

MeshSurface::Side MeshSurface::side_of_empty(std::size_t box, const std::array<std::size_t, 3>& at) const {
  // No triangle enters the box, so the whole box is on one side, and so are its empty neighbours.
  std::size_t stride = 1;
  Real3 centre = bounds_.lower;
  for (std::size_t k = 0; k < 3; ++k) {
    if (at[k] > 0 && side_[box - stride] != Side::unknown) return side_[box - stride];
    if (at[k] + 1 < boxes_.cells[k] && side_[box + stride] != Side::unknown) return side_[box + stride];
    stride *= boxes_.cells[k];
    if (boxes_.inverse_edge[k] > 0) centre[k] += (static_cast<double>(at[k]) + 0.5) / boxes_.inverse_edge[k];
  }
  return ray_leaves(centre) ? Side::inside : Side::outside;  // the centre is too far from the surface for rounding
}

bool MeshSurface::ray_leaves(const Real3& point) const {
  const std::size_t at = cell(columns_, 1, point[1]) * columns_.cells[0] + cell(columns_, 0, point[0]);
  bool inside = false;
  for (auto i = columns_.first[at]; i < columns_.first[at + 1]; ++i) {
    if (ray_crosses(columns_.items[i], point)) inside = !inside;
  }
  return inside;
}

}  // namespace scree::geometry
