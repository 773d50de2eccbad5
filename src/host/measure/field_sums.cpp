#include "host/measure/field_sums.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/geometry/real3.hpp"
#include "host/measure/field_loads.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using spline::Axes;
using spline::Axis;

/// Adds loads to the rows of cells along x that one thread has: from `first` to `last` - 1, in the order of y, then z.
/// Every row gets all loads in their order, so that no sum depends on how rows are shared out.
class RowsOfThread {
 public:
  RowsOfThread(const Axes& axes, double* sums, std::size_t first, std::size_t last)
      : axes_(axes), sums_(sums), first_(first), last_(last) {}

  void add(const PointLoad& load) {
    if (!take(load.position, load.position)) { return; }
    for (std::size_t k = 0; k < 3; ++k) {
      axes_[k].shares(load.position[k], reach_[k], share_[k]);
      axes_[k].slopes(load.position[k], reach_[k], slope_[k]);
    }
    for_each_row([&](std::size_t j, std::size_t k, double* cell) {
      const double across = share_[1][j] * share_[2][k], up_y = slope_[1][j] * share_[2][k],
                   up_z = share_[1][j] * slope_[2][k];
      for (std::size_t i = 0; i < reach_[0].size(); ++i, cell += FieldSums::quantities) {
        const double share = share_[0][i] * across;
        for (std::size_t q = 0; q < PointLoad::values; ++q) { cell[q] += load.carried[q] * share; }
        const Real3 slope{slope_[0][i] * across, share_[0][i] * up_y, share_[0][i] * up_z};
        for (std::size_t q = 0; q < 4; ++q) {  // mass, and momentum behind it
          for (std::size_t d = 0; d < 3; ++d) {
            cell[FieldSums::mass_slope + 3 * q + d] += load.carried[FieldSums::mass + q] * slope[d];
          }
        }
      }
    });
  }

  void add(const LineLoad& load) {
    const Real3 end = geometry::add(load.center, load.arm);
    if (!take(load.center, end)) { return; }
    const std::size_t points = place_points(load), n = reach_[0].size();
    row_.resize(n);
    std::array<double, 9> moment{};
    for (std::size_t k = 0; k < 9; ++k) { moment[k] = load.force[k / 3] * load.arm[k % 3]; }
    for_each_row([&](std::size_t j, std::size_t k, double* cell) {
      std::fill(row_.begin(), row_.end(), 0.0);
      for (std::size_t p = 0; p < points; ++p) {
        const double across = rule_.weight[p] * on_line_[p][1][j] * on_line_[p][2][k];
        for (std::size_t i = 0; i < n; ++i) { row_[i] += across * on_line_[p][0][i]; }
      }
      for (std::size_t i = 0; i < n; ++i, cell += FieldSums::quantities) {
        for (std::size_t q = 0; q < 9; ++q) { cell[FieldSums::moment + q] += moment[q] * row_[i]; }
      }
    });
    if (load.source == FieldSums::moment) { return; }
    for (std::size_t k = 0; k < 3; ++k) { axes_[k].shares(end[k], reach_[k], share_[k]); }
    for_each_row([&](std::size_t j, std::size_t k, double* cell) {
      const double across = share_[1][j] * share_[2][k];
      for (std::size_t i = 0; i < n; ++i, cell += FieldSums::quantities) {
        for (std::size_t a = 0; a < 3; ++a) { cell[load.source + a] += load.force[a] * (across * share_[0][i]); }
      }
    });
  }

 private:
  /// Finds the cells that the kernel reaches along a line; returns false if none of them is in a row of this thread.
  bool take(const Real3& from, const Real3& to) {
    for (std::size_t k = 0; k < 3; ++k) {
      reach_[k] = axes_[k].reach(std::fmin(from[k], to[k]), std::fmax(from[k], to[k]));
      if (reach_[k].size() == 0) { return false; }
    }
    const std::size_t along_y = axes_[1].cells;
    return reach_[2].first * along_y + reach_[1].first < last_ &&
           (reach_[2].last - 1) * along_y + reach_[1].last > first_;
  }

  /// Finds the shares of the points along a line. Returns the number of points.
  std::size_t place_points(const LineLoad& load) {
    load.rule(axes_[0].width, rule_);
    const std::size_t points = rule_.place.size();
    if (on_line_.size() < points) { on_line_.resize(points); }
    for (std::size_t p = 0; p < points; ++p) {
      for (std::size_t k = 0; k < 3; ++k) {
        axes_[k].shares(load.center[k] + rule_.place[p] * load.arm[k], reach_[k], on_line_[p][k]);
      }
    }
    return points;
  }

  /// Calls `visit(j, k, cell)` for each row that is reached: its places among those reached, and the sums of its
  /// first cell there.
  template <class Visit>
  void for_each_row(Visit&& visit) const {
    for (std::size_t k = 0; k < reach_[2].size(); ++k) {
      for (std::size_t j = 0; j < reach_[1].size(); ++j) {
        const std::size_t row = (reach_[2].first + k) * axes_[1].cells + reach_[1].first + j;
        if (row >= first_ && row < last_) {
          visit(j, k, sums_ + (row * axes_[0].cells + reach_[0].first) * FieldSums::quantities);
        }
      }
    }
  }

  const Axes& axes_;
  double* sums_;
  std::size_t first_, last_;
  std::array<Axis::Reach, 3> reach_{};
  std::array<std::vector<double>, 3> share_, slope_;
  std::vector<double> row_;
  LineLoad::Rule rule_;
  std::vector<std::array<std::vector<double>, 3>> on_line_;
};

}  // namespace

FieldSums::FieldSums(const FieldGrid& grid, double width) {
  if (grid.cylinder) {
    round_.emplace(grid, width);
    axes_ = round_->axes();
  } else {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto n = static_cast<std::size_t>(grid.cells[k]);
      axes_[k] = {grid.box->min[k], (grid.box->max[k] - grid.box->min[k]) / static_cast<double>(n), n, width};
    }
  }
  sums_.assign(quantities * cells(), 0);
}

double FieldSums::cell_volume(std::size_t cell) const {
  const double product = axes_[0].edge * axes_[1].edge * axes_[2].edge;
  if (!round_) { return product; }
  const std::size_t ring = cell % axes_[0].cells;
  return product * 0.5 * (axes_[0].at(ring) + axes_[0].at(ring + 1));
}

void FieldSums::restore(std::vector<double> sums) {
  SCREE_EXPECT(sums.size() == sums_.size(), "as many sums as were saved");
  sums_ = std::move(sums);
}

void FieldSums::add(const ProbeView& view) {
  if (round_) {
    const auto [low, high] = round_->reach();
    return round_->add(field_loads(view, low, high), sums_);
  }
  Real3 low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] = axes_[k].low - axes_[k].width;
    high[k] = axes_[k].at(axes_[k].cells) + axes_[k].width;
  }
  const FieldLoads loads = field_loads(view, low, high);
  // Each part looks at all loads; a few parts per thread even out that some rows have more of them.
  const auto threads = static_cast<std::size_t>(std::max(omp_get_max_threads(), 1));
  const std::size_t rows = axes_[1].cells * axes_[2].cells, parts = std::min(rows, threads == 1 ? 1 : 3 * threads);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t part = 0; part < parts; ++part) {
    RowsOfThread own(axes_, sums_.data(), part * rows / parts, (part + 1) * rows / parts);
    for (const PointLoad& load : loads.points) { own.add(load); }
    for (const LineLoad& load : loads.lines) { own.add(load); }
  }
}

}  // namespace scree
