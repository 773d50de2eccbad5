#include "host/grains/contour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/geometry/real3.hpp"

namespace scree::grains {
namespace {

using geometry::dot, geometry::subtract;

constexpr std::uint32_t no_crossing = std::numeric_limits<std::uint32_t>::max();
constexpr double sharp_cosine = 0.6;  ///< a cell has an edge if two of its normals differ by more than 53 degrees
constexpr double small_step = 1e-3;   ///< [spacings] step of differences

/// Where the surface cuts an edge of the grid.
struct Crossing {
  Real3 place{}, normal{};
};

/// A cell that the surface cuts, with its lowest corner and the crossings on its edges.
struct CutCell {
  std::array<std::size_t, 3> corner{};
  std::array<std::uint32_t, 12> crossings{};
  std::size_t count = 0;
};

/// The root between a point inside and a point outside, by the Illinois variant of regula falsi.
Real3 root_between(const Level& level, Real3 inside, double below, Real3 outside, double above, double spacing) {
  int held = 0;
  Real3 middle = outside;
  for (int round = 0; round < 60; ++round) {
    const double part = above > below ? below / (below - above) : 0.5;
    middle = geometry::along(inside, part, subtract(outside, inside));
    const double value = level(middle);
    if (std::fabs(value) <= 1e-12 * spacing) break;
    if (value < 0) {
      inside = middle, below = value;
      if (held == -1) above /= 2;
      held = -1;
    } else {
      outside = middle, above = value;
      if (held == 1) below /= 2;
      held = 1;
    }
    if (geometry::length(subtract(outside, inside)) <= 1e-12 * spacing) break;
  }
  return middle;
}

class Contour {
 public:
  Contour(const Grid& grid, const std::vector<double>& values, const Level& level)
      : grid_(grid), values_(values), level_(level), cell_at_(grid.points(), no_crossing) {}

  Surface make() {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for_each_point(grid_, 1, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
        if (is_inside(at) != is_inside(at + grid_.stride()[axis])) add_crossing({i, j, k}, axis);
      });
    }
    // Number vertices in the order of their cells, so that neighbours in space are near in memory.
    std::vector<std::uint32_t> number(cells_.size());
    for (const std::uint32_t cell : cell_at_) {
      if (cell == no_crossing) continue;
      number[cell] = static_cast<std::uint32_t>(surface_.vertex.size());
      place_vertex(cells_[cell]);
    }
    for (auto& quad : quads_) {
      for (auto& corner : quad) corner = number[corner];
      split(quad);
    }
    return std::move(surface_);
  }

 private:
  using Place = std::array<std::size_t, 3>;

  [[nodiscard]] bool is_inside(std::size_t at) const { return values_[at] < 0; }

  /// Adds the crossing on the edge from a point along an axis to the four cells around it, whose vertices make a quad.
  void add_crossing(const Place& at, std::size_t axis) {
    const std::size_t low = grid_.index(at[0], at[1], at[2]), high = low + grid_.stride()[axis];
    const Real3 from = grid_.place(at[0], at[1], at[2]);
    Real3 to = from;
    to[axis] += grid_.spacing;
    const bool outwards = is_inside(low);
    Crossing crossing;
    crossing.place = outwards ? root_between(level_, from, values_[low], to, values_[high], grid_.spacing)
                              : root_between(level_, to, values_[high], from, values_[low], grid_.spacing);
    crossing.normal = geometry::unit(gradient_of(level_, crossing.place, small_step * grid_.spacing));
    const auto number = static_cast<std::uint32_t>(crossings_.size());
    crossings_.push_back(crossing);
    const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
    std::array<std::uint32_t, 4> quad{};
    for (std::size_t corner = 0; corner < 4; ++corner) {  // counter-clockwise seen from the end of the edge
      Place cell = at;
      cell[b] -= corner == 0 || corner == 3 ? 1 : 0;
      cell[c] -= corner < 2 ? 1 : 0;
      quad[outwards ? corner : 3 - corner] = note(cell, number);
    }
    quads_.push_back(quad);
  }

  std::uint32_t note(const Place& cell, std::uint32_t crossing) {
    std::uint32_t& number = cell_at_[grid_.index(cell[0], cell[1], cell[2])];
    if (number == no_crossing) {
      number = static_cast<std::uint32_t>(cells_.size());
      cells_.push_back({cell, {}, 0});
    }
    CutCell& cut = cells_[number];
    cut.crossings[cut.count++] = crossing;
    return number;
  }

  void place_vertex(const CutCell& cell) {
    Real3 mean{};
    double least = 1;
    for (std::size_t m = 0; m < cell.count; ++m) {
      const Crossing& a = crossings_[cell.crossings[m]];
      mean = geometry::along(mean, 1.0 / static_cast<double>(cell.count), a.place);
      for (std::size_t n = 0; n < m; ++n) least = std::min(least, dot(a.normal, crossings_[cell.crossings[n]].normal));
    }
    const bool is_sharp = least < sharp_cosine;
    const Real3 vertex = is_sharp ? corner_of(cell, mean) : mean;
    surface_.vertex.push_back(onto_surface(level_, vertex, grid_.spacing));
    surface_.is_sharp.push_back(is_sharp);
  }

  /// The point nearest to the tangential planes of all crossings, by least squares, clamped to the cell. Damped steps
  /// begin at the mean of the crossings, so that the point does not move along directions that no plane determines.
  [[nodiscard]] Real3 corner_of(const CutCell& cell, const Real3& mean) const {
    constexpr double hold = 0.05;
    Real3 x = mean;
    for (int round = 0; round < 20; ++round) {
      std::array<Real3, 3> m = {Real3{hold, 0, 0}, Real3{0, hold, 0}, Real3{0, 0, hold}};
      Real3 right{};
      for (std::size_t n = 0; n < cell.count; ++n) {
        const Crossing& crossing = crossings_[cell.crossings[n]];
        const double off = dot(crossing.normal, subtract(crossing.place, x));
        right = geometry::along(right, off, crossing.normal);
        for (std::size_t row = 0; row < 3; ++row) {
          m[row] = geometry::along(m[row], crossing.normal[row], crossing.normal);
        }
      }
      const Real3 yz = geometry::cross(m[1], m[2]), zx = geometry::cross(m[2], m[0]), xy = geometry::cross(m[0], m[1]);
      const double det = dot(m[0], yz);  // symmetric: rows are columns
      x = geometry::add(x, {dot(right, yz) / det, dot(right, zx) / det, dot(right, xy) / det});
    }
    const Real3 low = grid_.place(cell.corner[0], cell.corner[1], cell.corner[2]);
    for (std::size_t axis = 0; axis < 3; ++axis) x[axis] = std::clamp(x[axis], low[axis], low[axis] + grid_.spacing);
    return x;
  }

  /// Splits a quad along the diagonal that lies nearer to the surface, or along the shorter one if both are as near.
  void split(const std::array<std::uint32_t, 4>& q) {
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      return geometry::scaled(geometry::add(surface_.vertex[a], surface_.vertex[b]), 0.5);
    };
    const double off_first = std::fabs(level_(middle(q[0], q[2]))), off_second = std::fabs(level_(middle(q[1], q[3])));
    bool first = off_first < off_second;
    if (std::fabs(off_first - off_second) < 0.03 * grid_.spacing) {
      first = geometry::squared_length(subtract(surface_.vertex[q[0]], surface_.vertex[q[2]])) <=
              geometry::squared_length(subtract(surface_.vertex[q[1]], surface_.vertex[q[3]]));
    }
    if (first) {
      surface_.triangle.push_back({q[0], q[1], q[2]});
      surface_.triangle.push_back({q[0], q[2], q[3]});
    } else {
      surface_.triangle.push_back({q[0], q[1], q[3]});
      surface_.triangle.push_back({q[1], q[2], q[3]});
    }
  }

  const Grid& grid_;
  const std::vector<double>& values_;
  const Level& level_;
  std::vector<std::uint32_t> cell_at_;
  std::vector<CutCell> cells_;
  std::vector<Crossing> crossings_;
  std::vector<std::array<std::uint32_t, 4>> quads_;
  Surface surface_;
};

}  // namespace

Real3 gradient_of(const Level& level, const Real3& at, double step) {
  Real3 gradient{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Real3 before = at, behind = at;
    before[axis] -= step;
    behind[axis] += step;
    gradient[axis] = (level(behind) - level(before)) / (2 * step);
  }
  return gradient;
}

Real3 onto_surface(const Level& level, const Real3& from, double spacing) {
  Real3 at = from;
  for (int round = 0; round < 8; ++round) {
    const double value = level(at);
    if (std::fabs(value) <= 1e-10 * spacing) break;
    const Real3 gradient = gradient_of(level, at, small_step * spacing);
    const double squared = geometry::squared_length(gradient);
    if (!(squared > 1e-4)) break;  // on a ridge the gradient gives no direction
    at = geometry::along(at, -value / squared, gradient);
  }
  return at;
}

Surface contour(const Grid& grid, const std::vector<double>& values, const Level& level) {
  return Contour(grid, values, level).make();
}

}  // namespace scree::grains
