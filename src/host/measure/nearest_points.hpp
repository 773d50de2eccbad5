#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "host/geometry/box_of_most.hpp"
#include "host/geometry/real3.hpp"

namespace scree {

/// Finds the points nearest to one of them. Points are sorted into cubes, about two to each; those outside of
/// box_of_most() belong to the cubes at its border.
class NearestPoints {
 public:
  /// Refers to the points [m].
  explicit NearestPoints(const std::vector<Real3>& points) : points_(points) {
    if (points.empty()) { return; }
    const geometry::Bounds box = geometry::box_of_most(points);
    low_ = box.lower;
    // Points in a plane or on a line have no volume: their box counts as at least a thousandth as thick as it is long.
    const Real3 size = geometry::subtract(box.upper, box.lower);
    const double longest = std::fmax(size[0], std::fmax(size[1], size[2]));
    double volume = 1;
    for (const double edge : size) { volume *= std::fmax(edge, 1e-3 * longest); }
    edge_ = std::fmax(std::cbrt(2 * volume / static_cast<double>(points.size())), 1e-3 * longest);
    if (!(edge_ > 0)) { edge_ = 1; }
    for (std::size_t k = 0; k < 3; ++k) { cubes_[k] = 1 + static_cast<std::int64_t>(size[k] / edge_); }
    first_.assign(static_cast<std::size_t>(cubes_[0] * cubes_[1] * cubes_[2]) + 1, 0);
    for (const Real3& x : points) { ++first_[number_of(cube_of(x)) + 1]; }
    for (std::size_t c = 1; c < first_.size(); ++c) { first_[c] += first_[c - 1]; }
    inside_.resize(points.size());
    std::vector<std::size_t> next = first_;
    for (std::size_t i = 0; i < points.size(); ++i) { inside_[next[number_of(cube_of(points[i]))]++] = i; }
  }

  /// The `count` points nearest to point `i`, without itself; of equally near ones those of lower numbers.
  void of(std::size_t i, std::size_t count, std::vector<std::size_t>& result) const {
    std::vector<std::pair<double, std::size_t>> found;
    const Cube middle = cube_of(points_[i]);
    for (std::int64_t shell = 0;; ++shell) {
      bool any = false;
      visit_shell(middle, shell, [&](std::size_t cube) {
        any = true;
        for (std::size_t k = first_[cube]; k < first_[cube + 1]; ++k) {
          const std::size_t j = inside_[k];
          if (j != i) { found.emplace_back(geometry::squared_length(geometry::subtract(points_[j], points_[i])), j); }
        }
      });
      // What lies in further shells is further away than `shell` edges.
      const double seen = static_cast<double>(shell) * edge_;
      if (any && found.size() < count) { continue; }
      const std::size_t n = std::min(count, found.size());
      if (n > 0) { std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n - 1), found.end()); }
      if (any && n > 0 && found[n - 1].first > seen * seen) { continue; }
      found.resize(n);
      break;
    }
    result.clear();
    for (const auto& [distance, j] : found) { result.push_back(j); }
  }

 private:
  using Cube = std::array<std::int64_t, 3>;
  [[nodiscard]] Cube cube_of(const Real3& x) const {
    Cube cube{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double place = (x[k] - low_[k]) / edge_, last = static_cast<double>(cubes_[k] - 1);
      cube[k] = static_cast<std::int64_t>(std::fmin(std::fmax(place, 0), last));
    }
    return cube;
  }
  [[nodiscard]] std::size_t number_of(const Cube& cube) const {
    return static_cast<std::size_t>((cube[2] * cubes_[1] + cube[1]) * cubes_[0] + cube[0]);
  }
  /// Visits the cubes whose largest distance from `middle` along an axis is `shell` cubes.
  template <class Visit>
  void visit_shell(const Cube& middle, std::int64_t shell, const Visit& visit) const {
    const auto from = [&](std::size_t k) { return std::max<std::int64_t>(middle[k] - shell, 0); };
    const auto to = [&](std::size_t k) { return std::min(middle[k] + shell, cubes_[k] - 1); };
    for (std::int64_t z = from(2); z <= to(2); ++z) {
      for (std::int64_t y = from(1); y <= to(1); ++y) {
        const bool whole = std::abs(z - middle[2]) == shell || std::abs(y - middle[1]) == shell;
        for (std::int64_t x = from(0); x <= to(0); ++x) {
          if (whole || std::abs(x - middle[0]) == shell) { visit(number_of({x, y, z})); }
        }
      }
    }
  }

  const std::vector<Real3>& points_;
  Real3 low_{};
  double edge_ = 1;
  Cube cubes_{};
  std::vector<std::size_t> first_, inside_;  ///< [n_cubes + 1], [n_points] sorted by their cubes
};

}  // namespace scree
