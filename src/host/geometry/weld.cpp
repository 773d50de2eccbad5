#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

#include "host/geometry/mesh_io.hpp"
#include "host/geometry/real3.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::geometry {
namespace {

constexpr double weld_fraction = 1e-9;  // tolerance over the largest edge of the bounding box

/// Numbers distinct positions in the order in which they are added. A hash table finds vertices by their cell of a
/// grid. The table is only looked up and never iterated, so its order does not affect the result.
class VertexNumbers {
 public:
  VertexNumbers(const Real3& lower, double tolerance)
      : lower_(lower), tolerance_(tolerance), cell_edge_(4 * tolerance), table_(1024, none) {}

  std::uint32_t number_of(const Real3& p) {
    // A vertex at exactly p has the lowest number of all vertices near p: none was near when it was added, and later
    // vertices have higher numbers.
    const Cell home = cell_of(p);
    const auto same = first_in(home, [&](std::uint32_t v) { return vertices_[v] == p; });
    if (same != none) return same;
    const auto known = lowest_near(p);
    return known != none ? known : add(p, home);
  }
  std::vector<Real3> take() { return std::move(vertices_); }

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] static std::size_t hash(const Cell& cell) {
    std::uint64_t h = 0;
    for (const auto x : cell) {
      h = (h ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }

  [[nodiscard]] Cell cell_of(const Real3& p) const {
    Cell cell{};
    for (std::size_t k = 0; k < 3; ++k) {
      cell[k] = static_cast<std::int64_t>(std::floor((p[k] - lower_[k]) / cell_edge_));
    }
    return cell;
  }

  /// The first vertex stored for a cell for which `wanted` is true, or none. `wanted` may also see vertices of other
  /// cells.
  template <class Wanted>
  [[nodiscard]] std::uint32_t first_in(const Cell& cell, const Wanted& wanted) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t at = hash(cell) & mask; table_[at] != none; at = (at + 1) & mask) {
      if (wanted(table_[at])) return table_[at];
    }
    return none;
  }

  /// The lowest number of a vertex within the tolerance of p, or none.
  [[nodiscard]] std::uint32_t lowest_near(const Real3& p) const {
    const Real3 reach = {tolerance_, tolerance_, tolerance_};
    const Cell low = cell_of(subtract(p, reach)), high = cell_of(geometry::add(p, reach));
    std::uint32_t best = none;
    for (auto x = low[0]; x <= high[0]; ++x) {
      for (auto y = low[1]; y <= high[1]; ++y) {
        for (auto z = low[2]; z <= high[2]; ++z) {
          (void)first_in({x, y, z}, [&](std::uint32_t v) {
            if (squared_length(subtract(vertices_[v], p)) <= tolerance_ * tolerance_) best = std::min(best, v);
            return false;
          });
        }
      }
    }
    return best;
  }

  std::uint32_t add(const Real3& p, const Cell& home) {
    const auto fresh = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back(p);
    store(fresh, home);
    if (2 * vertices_.size() > table_.size()) {
      table_.assign(2 * table_.size(), none);
      for (std::uint32_t v = 0; v < vertices_.size(); ++v) store(v, cell_of(vertices_[v]));
    }
    return fresh;
  }

  void store(std::uint32_t vertex, const Cell& cell) {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(cell) & mask;
    while (table_[at] != none) at = (at + 1) & mask;
    table_[at] = vertex;
  }

  Real3 lower_;
  double tolerance_, cell_edge_;
  std::vector<Real3> vertices_;
  std::vector<std::uint32_t> table_;  ///< open addressing; its size is a power of two, and at most half of it is used
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

/// Whether the three corners lie on one line within the tolerance.
bool is_flat(const Real3& a, const Real3& b, const Real3& c, double tolerance) {
  const Real3 ab = subtract(b, a), ac = subtract(c, a), bc = subtract(c, b);
  const double longest = std::sqrt(std::max({squared_length(ab), squared_length(ac), squared_length(bc)}));
  return length(cross(ab, ac)) <= tolerance * longest;
}

/// Removes triangles that repeat an earlier one with the same orientation. Returns their number.
std::size_t drop_repeated(std::vector<std::array<std::uint32_t, 3>>& triangles) {
  std::set<std::array<std::uint32_t, 3>> known;
  const auto repeats = [&](std::array<std::uint32_t, 3> corners) {
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    return !known.insert(corners).second;
  };
  return std::erase_if(triangles, repeats);
}

}  // namespace

TriangleMesh weld(const TriangleSoup& soup, const std::string& name, std::vector<std::string>& warnings) {
  if (soup.triangles.empty()) throw CaseError(name, "holds no triangle");
  const Bounds box = bounds_of(soup, name);
  const Real3 extent = subtract(box.upper, box.lower);
  const double tolerance = weld_fraction * std::max({extent[0], extent[1], extent[2]});
  if (!(tolerance > 0) || !std::isfinite(tolerance)) {
    throw CaseError(name, tolerance > 0 ? "is larger than numbers can express" : "has only triangles of one point");
  }
  VertexNumbers vertices(box.lower, tolerance);
  TriangleMesh mesh;
  std::size_t collapsed = 0, flat = 0;
  for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
    const auto& [a, b, c] = soup.triangles[t];
    const std::array<std::uint32_t, 3> corners = {vertices.number_of(a), vertices.number_of(b), vertices.number_of(c)};
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) {
      ++collapsed;
    } else if (is_flat(a, b, c, tolerance)) {
      ++flat;
    } else {
      mesh.triangles.push_back(corners);
    }
  }
  if (mesh.triangles.empty()) throw CaseError(name, "holds no triangle with an area");
  if (collapsed > 0) {
    warnings.push_back(name + ": " + counted(collapsed, "triangle", "triangles") + " whose corners coincide " +
                       (collapsed == 1 ? "was" : "were") + " dropped");
  }
  if (flat > 0) {  // drawing programs leave such triangles where a corner of one face lies on an edge of another
    warnings.push_back(name + ": " + counted(flat, "triangle", "triangles") +
                       " without area, whose corners lie on one line, " + (flat == 1 ? "was" : "were") + " dropped");
  }
  if (const std::size_t repeated = drop_repeated(mesh.triangles); repeated > 0) {
    warnings.push_back(name + ": " + counted(repeated, "triangle", "triangles") + " listed twice " +
                       (repeated == 1 ? "was" : "were") + " dropped");
  }
  mesh.vertices = vertices.take();
  return mesh;
}

}  // namespace scree::geometry
