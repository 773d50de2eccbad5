#include "host/clumps/union_grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "host/clumps/sphere_overlaps.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

/// A grid of equal cells over the bounding box of a union, which counts the cells in its spheres.
class UnionGrid {
 public:
  UnionGrid(const std::vector<ClumpSphere>& spheres, std::size_t n) : spheres_(spheres) {
    const geometry::Bounds box = bounds_of(spheres);
    const Real3 edges = geometry::subtract(box.upper, box.lower);
    const double edge = std::min({edges[0], edges[1], edges[2]}) / static_cast<double>(n);
    low_ = box.lower;
    for (std::size_t k = 0; k < 3; ++k) {
      cells_[k] = static_cast<std::size_t>(std::floor(edges[k] / edge + 0.5));
      step_[k] = edges[k] / static_cast<double>(cells_[k]);
    }
    expect_few(edge);
  }

  [[nodiscard]] Moments moments() {
    std::vector<Range> reach(spheres_.size());
    std::vector<std::size_t> order(spheres_.size()), present;
    for (std::size_t s = 0; s < spheres_.size(); ++s) reach[s] = range(0, spheres_[s].center[0], spheres_[s].radius);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return reach[a].from < reach[b].from; });
    Moments sum;
    std::size_t next = 0;
    for (std::size_t i = 0; i < cells_[0]; ++i) {
      if (present.empty()) {
        if (next == order.size()) break;
        i = std::max(i, reach[order[next]].from);
      }
      while (next < order.size() && reach[order[next]].from <= i) present.push_back(order[next++]);
      add_layer(i, present, sum);
      std::erase_if(present, [&](std::size_t s) { return reach[s].to <= i + 1; });
    }
    return sum;
  }

 private:
  struct Range {
    std::size_t from, to;  ///< first index, and last index plus 1
  };
  /// A range of cells in a column; `column` is the index of the column in its layer.
  struct Run {
    std::size_t column;
    Range cells;
  };

  [[nodiscard]] double middle(std::size_t axis, std::size_t i) const {
    return low_[axis] + (static_cast<double>(i) + 0.5) * step_[axis];
  }
  /// The cells whose middles may lie within `half` [m] of a place.
  [[nodiscard]] Range range(std::size_t axis, double place, double half) const {
    const double last = static_cast<double>(cells_[axis]);
    const double from = std::floor((place - half - low_[axis]) / step_[axis] - 0.5);
    const double to = std::floor((place + half - low_[axis]) / step_[axis] + 1.5);
    return {static_cast<std::size_t>(std::clamp(from, 0.0, last)), static_cast<std::size_t>(std::clamp(to, 0.0, last))};
  }

  void add_layer(std::size_t i, const std::vector<std::size_t>& present, Moments& sum) {
    const double x = middle(0, i), last = static_cast<double>(cells_[2]);
    runs_.clear();
    for (const std::size_t s : present) {
      const auto& [c, r] = spheres_[s];
      const auto [first, behind] = range(1, c[1], r);
      for (std::size_t j = first; j < behind; ++j) {
        const double y = middle(1, j);
        const double left = r * r - (x - c[0]) * (x - c[0]) - (y - c[1]) * (y - c[1]);
        if (left <= 0) continue;
        const double half = std::sqrt(left);
        const auto from =
            static_cast<std::size_t>(std::clamp(std::ceil((c[2] - half - low_[2]) / step_[2] - 0.5), 0.0, last));
        const auto to =
            static_cast<std::size_t>(std::clamp(std::floor((c[2] + half - low_[2]) / step_[2] + 0.5), 0.0, last));
        if (from < to) runs_.push_back({j, {from, to}});
      }
    }
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) {
      return std::tie(a.column, a.cells.from, a.cells.to) < std::tie(b.column, b.cells.from, b.cells.to);
    });
    for (auto run = runs_.begin(); run != runs_.end();) {
      const std::size_t j = run->column;
      const double y = middle(1, j);
      double count = 0, z1 = 0, z2 = 0;
      std::size_t done = 0;  // cells with a lower index have been counted
      for (; run != runs_.end() && run->column == j; ++run) {
        for (std::size_t m = std::max(done, run->cells.from); m < run->cells.to; ++m) {
          const double z = middle(2, m);
          count += 1, z1 += z, z2 += z * z;
        }
        done = std::max(done, run->cells.to);
      }
      // The second moment of the cells about their own centres.
      const auto own = [&](std::size_t k) { return count * step_[k] * step_[k] / 12; };
      sum.add({count,
               {count * x, count * y, z1},
               {count * x * x + own(0), count * y * y + own(1), z2 + own(2), y * z1, x * z1, count * x * y}},
              step_[0] * step_[1] * step_[2]);
    }
  }

  /// Throws CaseError (path: "resolution") if there are too many cells. Overlapping spheres count cells twice, but
  /// there are never more cells than in the box.
  void expect_few(double edge) const {
    constexpr double most_cells = 4e9;
    const double in_box =
        static_cast<double>(cells_[0]) * static_cast<double>(cells_[1]) * static_cast<double>(cells_[2]);
    double in_spheres = 0;
    for (const auto& sphere : spheres_) {
      const double across = 2 * sphere.radius / edge + 1;
      in_spheres += across * across * across;
    }
    const double all = std::min(in_box, in_spheres);
    if (all > most_cells) {
      throw CaseError("resolution", "makes a grid of " + short_number_text(all) +
                                        " cells over all spheres, more than " + short_number_text(most_cells) +
                                        "; give fewer along the shortest edge");
    }
  }

  const std::vector<ClumpSphere>& spheres_;
  Real3 low_{}, step_{};
  std::array<std::size_t, 3> cells_{};
  std::vector<Run> runs_;
};

}  // namespace

Moments on_grid(const std::vector<ClumpSphere>& spheres, std::size_t n) { return UnionGrid(spheres, n).moments(); }

std::size_t usual_resolution(const std::vector<ClumpSphere>& spheres) {
  constexpr double in_typical_radius = 32, most_cells = 5e8, most_in_shortest = 1e9;
  const geometry::Bounds box = bounds_of(spheres);
  const Real3 edges = geometry::subtract(box.upper, box.lower);
  const double shortest = std::min({edges[0], edges[1], edges[2]});
  double cubes = 0, fourth = 0;
  for (const auto& [center, r] : spheres) {
    cubes += r * r * r;
    fourth += r * r * r * r;
  }
  const double wanted = std::max<double>(default_resolution, std::ceil(in_typical_radius * shortest * cubes / fourth));
  const double affordable = std::floor(shortest / packing::exact_cbrt(8 * cubes / most_cells));
  return static_cast<std::size_t>(std::clamp(std::min(wanted, affordable), 2.0, most_in_shortest));
}

}  // namespace scree::clumps
