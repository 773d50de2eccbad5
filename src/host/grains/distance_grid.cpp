#include "host/grains/distance_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/geometry/real3.hpp"
#include "scree/interpolation_bias.hpp"

namespace scree::grains {
namespace {

constexpr double unset = std::numeric_limits<double>::infinity();

/// [n_points] Whether each point of the grid lies within `width` [m] of the bounding box of a triangle.
std::vector<bool> near_triangles(const Placed& body, const Grid& grid, const TriangleMesh& mesh, double width) {
  std::vector<Real3> vertices;
  for (const Real3& vertex : mesh.vertices) vertices.push_back(body.in_body(vertex));
  std::vector<bool> near(grid.points(), false);
  for (const auto& [a, b, c] : mesh.triangles) {
    std::array<std::size_t, 3> low{}, high{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto [least, most] = std::minmax({vertices[a][axis], vertices[b][axis], vertices[c][axis]});
      const double last = grid.size[axis] - 1.0;
      const double from = (least - width - grid.origin[axis]) / grid.spacing;
      const double to = (most + width - grid.origin[axis]) / grid.spacing;
      low[axis] = static_cast<std::size_t>(std::clamp(std::ceil(from), 0.0, last + 1));
      high[axis] = static_cast<std::size_t>(std::clamp(std::floor(to) + 1, 0.0, last + 1));
    }
    for (std::size_t k = low[2]; k < high[2]; ++k) {
      for (std::size_t j = low[1]; j < high[1]; ++j) {
        for (std::size_t i = low[0]; i < high[0]; ++i) near[grid.index(i, j, k)] = true;
      }
    }
  }
  return near;
}

/// Continues distances from a band around the surface to the other points. A point also takes the sign of the neighbour
/// that is nearest to the surface, because the surface lies inside the band.
class Sweep {
 public:
  Sweep(const Grid& grid, const std::vector<bool>& fixed, std::vector<double>& values)
      : grid_(grid), fixed_(fixed), values_(values) {}

  void run() {
    for (int round = 0; round < 8; ++round) {
      double change = 0;
      for (unsigned way = 0; way < 8; ++way) change = std::max(change, one(way));
      if (!(change > 1e-9 * grid_.spacing)) return;
    }
  }

 private:
  double one(unsigned way) {
    double change = 0;
    const auto& n = grid_.size;
    for (std::size_t c = 0; c < n[2]; ++c) {
      const std::size_t k = (way & 4U) != 0 ? n[2] - 1 - c : c;
      for (std::size_t b = 0; b < n[1]; ++b) {
        const std::size_t j = (way & 2U) != 0 ? n[1] - 1 - b : b;
        for (std::size_t a = 0; a < n[0]; ++a) {
          const std::size_t i = (way & 1U) != 0 ? n[0] - 1 - a : a;
          change = std::max(change, update(i, j, k));
        }
      }
    }
    return change;
  }

  double update(std::size_t i, std::size_t j, std::size_t k) {
    const std::size_t at = grid_.index(i, j, k);
    if (fixed_[at]) return 0;
    std::array<double, 3> nearest{};
    double smallest = unset, side = 1;
    const std::array<std::size_t, 3> place = {i, j, k};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t step = grid_.stride()[axis];
      nearest[axis] = unset;
      const auto look = [&](double value) {
        nearest[axis] = std::min(nearest[axis], std::fabs(value));
        if (std::fabs(value) < smallest) smallest = std::fabs(value), side = value < 0 ? -1 : 1;
      };
      if (place[axis] > 0) look(values_[at - step]);
      if (place[axis] + 1 < grid_.size[axis]) look(values_[at + step]);
    }
    if (smallest == unset) return 0;
    const double fresh = solution(nearest), old = std::fabs(values_[at]);
    if (!(fresh < old)) return 0;
    values_[at] = side * fresh;
    return old - fresh;
  }

  /// The solution of |gradient| = 1 at a point with one neighbour along each axis; `a` has the values of the
  /// neighbours.
  [[nodiscard]] double solution(std::array<double, 3> a) const {
    std::sort(a.begin(), a.end());
    const double h = grid_.spacing;
    double u = a[0] + h;
    if (u > a[1]) {
      const double d = a[0] - a[1];
      u = 0.5 * (a[0] + a[1] + std::sqrt(std::max(0.0, 2 * h * h - d * d)));
      if (u > a[2]) {
        const double sum = a[0] + a[1] + a[2];
        const double root = sum * sum - 3 * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2] - h * h);
        u = (sum + std::sqrt(std::max(0.0, root))) / 3;
      }
    }
    return u;
  }

  const Grid& grid_;
  const std::vector<bool>& fixed_;
  std::vector<double>& values_;
};

}  // namespace

std::vector<double> sample_distance(const Placed& body, const Grid& grid, double layers) {
  std::vector<double> values(grid.points(), unset);
  const TriangleMesh* const mesh = body.solid.triangles();
  std::vector<bool> near;
  if (mesh != nullptr) near = near_triangles(body, grid, *mesh, layers * grid.spacing);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < grid.size[2]; ++k) {
    for (std::size_t j = 0; j < grid.size[1]; ++j) {
      for (std::size_t i = 0; i < grid.size[0]; ++i) {
        const std::size_t at = grid.index(i, j, k);
        if (near.empty() || near[at]) values[at] = body.distance(grid.place(i, j, k));
      }
    }
  }
  if (!near.empty()) Sweep(grid, near, values).run();
  return values;
}

UnbiasedGrid without_bias(const Grid& grid, const std::vector<double>& values) {
  UnbiasedGrid result;
  result.grid.spacing = grid.spacing;
  result.grid.origin = grid.place(1, 1, 1);
  for (std::size_t axis = 0; axis < 3; ++axis) result.grid.size[axis] = grid.size[axis] - 2;
  result.values.reserve(result.grid.points());
  const auto step = grid.stride();
  for_each_point(grid, 1, [&](std::size_t at, std::size_t, std::size_t, std::size_t) {
    double sum = 0;
    for (const std::size_t s : step) sum += values[at - s] + values[at + s];
    const double bias = interpolation_bias(sum - 6 * values[at], 1 / grid.spacing);
    result.values.push_back(static_cast<float>(values[at] - bias));
  });
  return result;
}

}  // namespace scree::grains
