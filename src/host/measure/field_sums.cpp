#include "host/measure/field_sums.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "host/geometry/real3.hpp"
#include "host/measure/cell_meters.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

using namespace geometry;
using spline::Axes;
using spline::Axis;

constexpr std::array<std::array<std::size_t, 2>, 6> symmetric{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

/// What a particle carries at its centre: number to fabric, as FieldSums::Quantity.
struct PointLoad {
  static constexpr std::size_t values = FieldSums::mass_slope;
  Real3 position{};
  std::array<double, values> carried{};
};
/// The half of a contact that belongs to a particle.
struct LineLoad {
  Real3 center{}, arm{};  ///< [m] of the particle; from there to the contact point
  Real3 force{};          ///< [N] on the particle
  /// where the force comes from: FieldSums::moment if from a particle that is seen, else boundary_force or other_force
  std::size_t source = FieldSums::moment;
};

/// Everything of one sample that reaches into the grid.
struct Sample {
  std::vector<PointLoad> points;
  std::vector<LineLoad> lines;
};

/// Ways to the images of a cell that may reach into the grid; just zero without a cell.
class Images {
 public:
  Images(const ProbeView& view, const Axes& axes) : view_(view) {
    for (std::size_t k = 0; k < 3; ++k) {
      low_[k] = axes[k].low - axes[k].width;
      high_[k] = axes[k].at(axes[k].cells) + axes[k].width;
    }
    if (!view.frame) { return; }
    const Real3 middle = scaled(add(low_, high_), 0.5);
    view.frame->visit_shifts(middle, 0.5 * length(subtract(high_, low_)), [&](const Real3& shift) {
      shifts_.push_back(shift);
      return true;
    });
  }
  /// Calls `visit(shift)` for each image of the way between two points that comes near the grid, by its shift [m].
  template <class Visit>
  void visit(const Real3& from, const Real3& to, Visit&& visit) const {
    if (!view_.frame) {
      if (is_near(from, to)) { visit(Real3{}); }
      return;
    }
    const Real3 back = subtract(view_.frame->folded(from), from);
    for (const Real3& image : shifts_) {
      const Real3 shift = add(back, image);
      if (is_near(add(from, shift), add(to, shift))) { visit(shift); }
    }
  }

 private:
  [[nodiscard]] bool is_near(const Real3& a, const Real3& b) const {
    for (std::size_t k = 0; k < 3; ++k) {
      if (std::fmax(a[k], b[k]) <= low_[k] || std::fmin(a[k], b[k]) >= high_[k]) { return false; }
    }
    return true;
  }

  const ProbeView& view_;
  Real3 low_{}, high_{};
  std::vector<Real3> shifts_;
};

void add_particles(const ProbeView& view, const Images& images, Sample& sample) {
  const std::size_t n = view.position.size();
  std::vector<double> contacts(n);
  std::vector<std::array<double, 6>> fabric(n);
  for (std::size_t c = 0; c < view.ends.size(); ++c) {
    for (const std::uint32_t i : view.ends[c]) {
      if (i == ProbeView::none) { continue; }
      contacts[i] += 1;
      const Real3& normal = view.contacts[c].normal;
      for (std::size_t k = 0; k < 6; ++k) { fabric[i][k] += normal[symmetric[k][0]] * normal[symmetric[k][1]]; }
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!view.sees(i)) { continue; }
    images.visit(view.position[i], view.position[i], [&](const Real3& shift) {
      const double m = view.mass[i], r = view.now.radius[i];
      Real3 v = view.now.velocity[i];
      if (view.cell) { v = add(v, mean_flow(*view.cell, shift)); }
      PointLoad load{add(view.position[i], shift), {}};
      load.carried[FieldSums::number] = 1;
      load.carried[FieldSums::volume] = 4.0 / 3.0 * std::numbers::pi * (r * r * r);
      load.carried[FieldSums::mass] = m;
      for (std::size_t k = 0; k < 3; ++k) { load.carried[FieldSums::momentum + k] = m * v[k]; }
      for (std::size_t k = 0; k < 6; ++k) {
        load.carried[FieldSums::flux + k] = m * v[symmetric[k][0]] * v[symmetric[k][1]];
        load.carried[FieldSums::fabric + k] = fabric[i][k];
      }
      load.carried[FieldSums::contacts] = contacts[i];
      sample.points.push_back(load);
    });
  }
}

void add_contacts(const ProbeView& view, const Images& images, Sample& sample) {
  for (std::size_t c = 0; c < view.ends.size(); ++c) {
    const TouchingContact& contact = view.contacts[c];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t i = view.ends[c][side], other = view.ends[c][1 - side];
      if (i == ProbeView::none || !view.sees(i)) { continue; }
      LineLoad load;
      load.arm = subtract(contact.point, view.position[i]);
      if (view.frame) { load.arm = view.frame->shortest(load.arm); }
      load.force = scaled(contact.force, side == 1 ? 1 : -1);
      if (contact.with_boundary) {
        load.source = FieldSums::boundary_force;
      } else if (other == ProbeView::none || !view.sees(other)) {
        load.source = FieldSums::other_force;
      }
      images.visit(view.position[i], add(view.position[i], load.arm), [&](const Real3& shift) {
        load.center = add(view.position[i], shift);
        sample.lines.push_back(load);
      });
    }
  }
}

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
        const double across = weight_[p] * on_line_[p][1][j] * on_line_[p][2][k];
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
  /// Finds the cells that a way reaches; false if none of them is in a row of this thread.
  bool take(const Real3& from, const Real3& to) {
    for (std::size_t k = 0; k < 3; ++k) {
      reach_[k] = axes_[k].reach(std::fmin(from[k], to[k]), std::fmax(from[k], to[k]));
      if (reach_[k].size() == 0) { return false; }
    }
    const std::size_t along_y = axes_[1].cells;
    return reach_[2].first * along_y + reach_[1].first < last_ &&
           (reach_[2].last - 1) * along_y + reach_[1].last > first_;
  }

  /// The Gauss rule of three points on pieces of at most half of the width. Whatever points are taken, the integral
  /// over all space is exact; the distribution in space is so up to some 1e-4 of its largest value.
  std::size_t place_points(const LineLoad& load) {
    static const double offset = 0.5 * std::sqrt(0.6);
    const std::array<double, 3> places{0.5 - offset, 0.5, 0.5 + offset}, weights{5.0 / 18, 8.0 / 18, 5.0 / 18};
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) { longest = std::fmax(longest, std::fabs(load.arm[k]) / axes_[k].width); }
    constexpr double most_pieces = 1000;
    const auto pieces = static_cast<std::size_t>(std::fmin(std::fmax(std::ceil(2 * longest), 1), most_pieces));
    const std::size_t points = 3 * pieces;
    if (on_line_.size() < points) { on_line_.resize(points); }
    weight_.resize(points);
    for (std::size_t p = 0; p < points; ++p) {
      const double s = (static_cast<double>(p / 3) + places[p % 3]) / static_cast<double>(pieces);
      weight_[p] = weights[p % 3] / static_cast<double>(pieces);
      for (std::size_t k = 0; k < 3; ++k) {
        axes_[k].shares(load.center[k] + s * load.arm[k], reach_[k], on_line_[p][k]);
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
  std::vector<double> row_, weight_;
  std::vector<std::array<std::vector<double>, 3>> on_line_;
};

}  // namespace

FieldSums::FieldSums(const FieldGrid& grid, double width) {
  for (std::size_t k = 0; k < 3; ++k) {
    const auto n = static_cast<std::size_t>(grid.cells[k]);
    axes_[k] = {grid.box.min[k], (grid.box.max[k] - grid.box.min[k]) / static_cast<double>(n), n, width};
  }
  sums_.assign(quantities * cells(), 0);
}

void FieldSums::restore(std::vector<double> sums) {
  SCREE_EXPECT(sums.size() == sums_.size(), "as many sums as were saved");
  sums_ = std::move(sums);
}

void FieldSums::add(const ProbeView& view) {
  Sample sample;
  const Images images(view, axes_);
  add_particles(view, images, sample);
  add_contacts(view, images, sample);
  // Each part looks at all loads; a few parts per thread even out that some rows have more of them.
  const auto threads = static_cast<std::size_t>(std::max(omp_get_max_threads(), 1));
  const std::size_t rows = axes_[1].cells * axes_[2].cells, parts = std::min(rows, threads == 1 ? 1 : 3 * threads);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t part = 0; part < parts; ++part) {
    RowsOfThread own(axes_, sums_.data(), part * rows / parts, (part + 1) * rows / parts);
    for (const PointLoad& load : sample.points) { own.add(load); }
    for (const LineLoad& load : sample.lines) { own.add(load); }
  }
}

}  // namespace scree
