#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

constexpr double weld_fraction = 1e-9;  // of the largest edge of the bounding box

/// Gives each distinct position a number, in the order in which they come.
class VertexNumbers {
 public:
  VertexNumbers(const Real3& lower, double tolerance)
      : lower_(lower), tolerance_(tolerance), cell_edge_(4 * tolerance) {}

  std::uint32_t number_of(const Real3& p) {
    if (const auto known = find(p)) return *known;
    const auto fresh = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(p);
    next_in_cell_.push_back(none);
    // The table is only looked up, never walked: its order cannot show.
    const auto [entry, added] = first_in_cell_.try_emplace(cell_of(p), fresh);
    if (!added) {
      next_in_cell_.back() = entry->second;
      entry->second = fresh;
    }
    return fresh;
  }
  std::vector<Real3> take() { return std::move(vertices_); }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct CellHash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t h = 0;
      for (const auto x : cell) {
        h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL;
        h ^= h >> 29;
      }
      return static_cast<std::size_t>(h);
    }
  };
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] Cell cell_of(const Real3& p) const {
    Cell cell{};
    for (std::size_t k = 0; k < 3; ++k) {
      cell[k] = static_cast<std::int64_t>(std::floor((p[k] - lower_[k]) / cell_edge_));
    }
    return cell;
  }

  /// The lowest number among the vertices within the tolerance.
  [[nodiscard]] std::optional<std::uint32_t> find(const Real3& p) const {
    const Real3 reach = {tolerance_, tolerance_, tolerance_};
    const Cell low = cell_of(subtract(p, reach)), high = cell_of(add(p, reach));
    std::uint32_t best = none;
    for (auto x = low[0]; x <= high[0]; ++x) {
      for (auto y = low[1]; y <= high[1]; ++y) {
        for (auto z = low[2]; z <= high[2]; ++z) {
          const auto entry = first_in_cell_.find({x, y, z});
          for (auto v = entry == first_in_cell_.end() ? none : entry->second; v != none; v = next_in_cell_[v]) {
            if (squared_length(subtract(vertices_[v], p)) <= tolerance_ * tolerance_) best = std::min(best, v);
          }
        }
      }
    }
    return best == none ? std::nullopt : std::optional(best);
  }

  Real3 lower_;
  double tolerance_, cell_edge_;
  std::vector<Real3> vertices_;
  std::vector<std::uint32_t> next_in_cell_;
  std::unordered_map<Cell, std::uint32_t, CellHash> first_in_cell_;
};

Bounds bounds_of(const TriangleSoup& soup, const std::string& name) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Bounds box{{inf, inf, inf}, {-inf, -inf, -inf}};
  for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
    for (const Real3& corner : soup.triangles[t]) {
      if (!is_finite(corner)) throw CaseError(name, soup.place(t) + ": a coordinate is not finite");
      for (std::size_t k = 0; k < 3; ++k) {
        box.lower[k] = std::min(box.lower[k], corner[k]);
        box.upper[k] = std::max(box.upper[k], corner[k]);
      }
    }
  }
  return box;
}

/// True when the three corners lie on one line within the tolerance.
bool is_flat(const Real3& a, const Real3& b, const Real3& c, double tolerance) {
  const Real3 ab = subtract(b, a), ac = subtract(c, a), bc = subtract(c, b);
  const double longest = std::sqrt(std::max({squared_length(ab), squared_length(ac), squared_length(bc)}));
  return length(cross(ab, ac)) <= tolerance * longest;
}

}  // namespace

TriangleMesh weld(const TriangleSoup& soup, const std::string& name, std::vector<std::string>& warnings) {
  if (soup.triangles.empty()) throw CaseError(name, "holds no triangle");
  const Bounds box = bounds_of(soup, name);
  const Real3 extent = subtract(box.upper, box.lower);
  const double tolerance = weld_fraction * std::max({extent[0], extent[1], extent[2]});
  if (!(tolerance > 0) || !std::isfinite(tolerance)) {
    throw CaseError(name, tolerance > 0 ? "is too large for numbers" : "all its triangles are one point");
  }
  VertexNumbers vertices(box.lower, tolerance);
  TriangleMesh mesh;
  std::size_t collapsed = 0, flat = 0, first_flat = 0;
  for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
    const auto& [a, b, c] = soup.triangles[t];
    const std::array<std::uint32_t, 3> corners = {vertices.number_of(a), vertices.number_of(b), vertices.number_of(c)};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
      ++collapsed;
    } else if (is_flat(a, b, c, tolerance)) {
      if (flat++ == 0) first_flat = t;
    } else {
      mesh.triangles.push_back(corners);
    }
  }
  if (flat > 0) {
    throw CaseError(name, soup.place(first_flat) + ": the triangle has no area, its corners lie on one line" +
                              (flat > 1 ? " (and " + std::to_string(flat - 1) + " more like it)" : ""));
  }
  if (mesh.triangles.empty()) throw CaseError(name, "holds no triangle with an area");
  if (collapsed > 0) {
    warnings.push_back(name + ": " + std::to_string(collapsed) + " triangles whose corners coincide were dropped");
  }
  mesh.vertices = vertices.take();
  return mesh;
}

}  // namespace scree::geometry
