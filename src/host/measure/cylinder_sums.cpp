#include "host/measure/cylinder_sums.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/measure/field_loads.hpp"

namespace scree {
namespace {

using geometry::along;
using geometry::cross;
using geometry::dot;
using geometry::scaled;
using geometry::subtract;
using geometry::unit;
using Tensor = std::array<Real3, 3>;

/// Weighted sums over the places in one cell: of the weights, and of the weights times c, s, c c, c s and s s, where c
/// and s are the cosine and the sine of the angle of a place.
struct Turns {
  double w = 0, c = 0, s = 0, cc = 0, cs = 0, ss = 0;
  void add(double weight, double cosine, double sine) {
    w += weight, c += weight * cosine, s += weight * sine;
    cc += weight * (cosine * cosine), cs += weight * (cosine * sine), ss += weight * (sine * sine);
  }
  /// Weighted sum, over the places, of the components of a vector along radius, angle and axis there.
  [[nodiscard]] Real3 turned(const Real3& v) const { return {v[0] * c + v[1] * s, v[1] * c - v[0] * s, v[2] * w}; }
  /// The same for a tensor.
  [[nodiscard]] Tensor turned(const Tensor& t) const {
    return {{{t[0][0] * cc + (t[0][1] + t[1][0]) * cs + t[1][1] * ss,
              t[0][1] * cc + (t[1][1] - t[0][0]) * cs - t[1][0] * ss, t[0][2] * c + t[1][2] * s},
             {t[1][0] * cc + (t[1][1] - t[0][0]) * cs - t[0][1] * ss,
              t[1][1] * cc - (t[0][1] + t[1][0]) * cs + t[0][0] * ss, t[1][2] * c - t[0][2] * s},
             {t[2][0] * c + t[2][1] * s, t[2][1] * c - t[2][0] * s, t[2][2] * w}}};
  }
};

/// A sector of a ring that a kernel reaches, with the weights of the kernel there, and of its derivatives along the two
/// axes across the cylinder.
struct Spot {
  std::size_t cell;
  Turns share{}, slope_x{}, slope_y{};
};

Tensor dyad(const Real3& a, const Real3& b) { return {scaled(b, a[0]), scaled(b, a[1]), scaled(b, a[2])}; }

}  // namespace

Real3 CylinderPlace::local(const Real3& vector) const {
  return {dot(axes[0], vector), dot(axes[1], vector), dot(axes[2], vector)};
}

/// Collects the contributions of loads to the cells. Threads compute them without touching the sums.
class CylinderSums::Deposits {
 public:
  explicit Deposits(const CylinderSums& grid) : grid_(grid) {}

  void clear() { entries_.clear(), values_.clear(); }

  void add(const PointLoad& load) {
    const Real3 at = grid_.place_.local(subtract(load.position, grid_.place_.origin));
    if (!take_heights(at[2], at[2])) { return; }
    find_spots(at);
    grid_.axes_[2].shares(at[2], heights_, share_);
    grid_.axes_[2].slopes(at[2], heights_, slope_);
    const Real3 momentum = grid_.place_.local(vector_of(load, FieldSums::momentum));
    const Tensor flux = local_tensor(load, FieldSums::flux), fabric = local_tensor(load, FieldSums::fabric);
    const double mass = load.carried[FieldSums::mass];
    for (const Spot& spot : spots_) {
      std::array<double, FieldSums::moment> whole{}, across{}, up{};
      for (const std::size_t q :
           {FieldSums::number, FieldSums::volume, FieldSums::mass, FieldSums::contacts, FieldSums::age}) {
        whole[q] = load.carried[q] * spot.share.w;
      }
      put(spot.share.turned(momentum), whole, FieldSums::momentum);
      put(spot.share.turned(flux), whole, FieldSums::flux);
      put(spot.share.turned(fabric), whole, FieldSums::fabric);
      // Gradients: the two derivatives across the axis are turned together; the third is along the axis.
      across[FieldSums::mass_slope] = mass * (spot.slope_x.c + spot.slope_y.s);
      across[FieldSums::mass_slope + 1] = mass * (spot.slope_y.c - spot.slope_x.s);
      up[FieldSums::mass_slope + 2] = mass * spot.share.w;
      const Tensor x = spot.slope_x.turned(dyad(momentum, {1, 0, 0})),
                   y = spot.slope_y.turned(dyad(momentum, {0, 1, 0}));
      const Real3 z = spot.share.turned(momentum);
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 2; ++j) { across[FieldSums::momentum_slope + 3 * i + j] = x[i][j] + y[i][j]; }
        up[FieldSums::momentum_slope + 3 * i + 2] = z[i];
      }
      for (std::size_t k = 0; k < heights_.size(); ++k) {
        double* const to = deposit(spot.cell, k, FieldSums::number, FieldSums::moment);
        for (std::size_t q = 0; q < FieldSums::moment; ++q) {
          to[q] = (whole[q] + across[q]) * share_[k] + up[q] * slope_[k];
        }
      }
    }
  }

  void add(const LineLoad& load) {
    const Real3 from = grid_.place_.local(subtract(load.center, grid_.place_.origin)),
                arm = grid_.place_.local(load.arm), end = geometry::add(from, arm),
                force = grid_.place_.local(load.force);
    if (!take_heights(from[2], end[2])) { return; }
    load.rule(grid_.axes_[2].width, rule_);
    const Tensor moment = dyad(force, arm);
    for (std::size_t p = 0; p < rule_.place.size(); ++p) {
      const Real3 at = along(from, rule_.place[p], arm);
      find_spots(at);
      grid_.axes_[2].shares(at[2], heights_, share_);
      for (const Spot& spot : spots_) {
        const Tensor turned = spot.share.turned(moment);
        for (std::size_t k = 0; k < heights_.size(); ++k) {
          double* const to = deposit(spot.cell, k, FieldSums::moment, 9);
          for (std::size_t q = 0; q < 9; ++q) { to[q] = rule_.weight[p] * share_[k] * turned[q / 3][q % 3]; }
        }
      }
    }
    if (load.source == FieldSums::moment) { return; }
    find_spots(end);
    grid_.axes_[2].shares(end[2], heights_, share_);
    for (const Spot& spot : spots_) {
      const Real3 turned = spot.share.turned(force);
      for (std::size_t k = 0; k < heights_.size(); ++k) {
        double* const to = deposit(spot.cell, k, load.source, 3);
        for (std::size_t q = 0; q < 3; ++q) { to[q] = turned[q] * share_[k]; }
      }
    }
  }

  /// Adds the contributions to the cells from `first` to `last` - 1 to `sums`, which has all cells.
  void add_to(double* sums, std::size_t first, std::size_t last) const {
    for (const Entry& entry : entries_) {
      if (entry.cell < first || entry.cell >= last) { continue; }
      double* const to = sums + entry.cell * FieldSums::quantities + entry.quantity;
      for (std::size_t q = 0; q < entry.count; ++q) { to[q] += values_[entry.at + q]; }
    }
  }

 private:
  struct Entry {
    std::size_t cell, quantity, count, at;  ///< at: of the first number among values_
  };

  [[nodiscard]] static Real3 vector_of(const PointLoad& load, std::size_t quantity) {
    return {load.carried[quantity], load.carried[quantity + 1], load.carried[quantity + 2]};
  }
  /// Components of a symmetric tensor along the axes of the cylinder.
  [[nodiscard]] Tensor local_tensor(const PointLoad& load, std::size_t quantity) const {
    Tensor whole{};
    for (std::size_t q = 0; q < symmetric.size(); ++q) {
      const auto [i, j] = symmetric[q];
      whole[i][j] = whole[j][i] = load.carried[quantity + q];
    }
    Tensor half{}, result{};
    for (std::size_t i = 0; i < 3; ++i) { half[i] = grid_.place_.local(whole[i]); }
    for (std::size_t j = 0; j < 3; ++j) {
      const Real3 column = grid_.place_.local({half[0][j], half[1][j], half[2][j]});
      for (std::size_t i = 0; i < 3; ++i) { result[i][j] = column[i]; }
    }
    return result;
  }
  template <class Values>
  static void put(const Real3& vector, Values& values, std::size_t quantity) {
    for (std::size_t k = 0; k < 3; ++k) { values[quantity + k] = vector[k]; }
  }
  template <class Values>
  static void put(const Tensor& tensor, Values& values, std::size_t quantity) {
    for (std::size_t q = 0; q < symmetric.size(); ++q) {
      values[quantity + q] = tensor[symmetric[q][0]][symmetric[q][1]];
    }
  }

  bool take_heights(double a, double b) {
    heights_ = grid_.axes_[2].reach(std::fmin(a, b), std::fmax(a, b));
    return heights_.size() > 0;
  }
  /// Makes room for `count` numbers of a cell and returns it.
  double* deposit(std::size_t cell, std::size_t k, std::size_t quantity, std::size_t count) {
    const auto& axes = grid_.axes_;
    entries_.push_back({(heights_.first + k) * axes[0].cells * axes[1].cells + cell, quantity, count, values_.size()});
    values_.resize(values_.size() + count);
    return values_.data() + entries_.back().at;
  }

  /// Finds the sectors that the kernel about a point reaches.
  void find_spots(const Real3& at) {
    spots_.clear();
    const spline::Axis &rings = grid_.axes_[0], &sectors = grid_.axes_[1];
    const double nearest = std::hypot(at[0], at[1]) - std::numbers::sqrt2 * rings.width;
    if (nearest > rings.at(rings.cells)) { return; }
    std::size_t last = 0;
    for (const Square& first : grid_.strips_) {
      for (const Square& second : grid_.strips_) {
        const double x = at[0] + first.offset, y = at[1] + second.offset, r = std::sqrt(x * x + y * y);
        const double ring = (r - rings.low) / rings.edge;
        if (!(ring >= 0) || ring >= static_cast<double>(rings.cells)) { continue; }
        std::size_t cell = static_cast<std::size_t>(ring);
        if (sectors.cells > 1) {
          const double angle = std::atan2(y, x), turn = angle < 0 ? angle + 2 * std::numbers::pi : angle;
          const auto sector = static_cast<std::size_t>(turn / sectors.edge);
          cell += rings.cells * std::min(sector, sectors.cells - 1);
        }
        if (last >= spots_.size() || spots_[last].cell != cell) {
          last = static_cast<std::size_t>(
              std::find_if(spots_.begin(), spots_.end(), [&](const Spot& spot) { return spot.cell == cell; }) -
              spots_.begin());
          if (last == spots_.size()) { spots_.push_back({cell}); }
        }
        Spot& spot = spots_[last];
        const double c = r > 0 ? x / r : 1, s = r > 0 ? y / r : 0;
        spot.share.add(first.share * second.share, c, s);
        spot.slope_x.add(first.slope * second.share, c, s);
        spot.slope_y.add(first.share * second.slope, c, s);
      }
    }
  }

  const CylinderSums& grid_;
  std::vector<Entry> entries_;
  std::vector<double> values_;
  std::vector<Spot> spots_;
  spline::Axis::Reach heights_;
  std::vector<double> share_, slope_;
  LineLoad::Rule rule_;
};

CylinderSums::CylinderSums(const FieldGrid& grid, double width) {
  const CylinderRegion& of = *grid.cylinder;
  const Real3 way = subtract(of.to, of.from);
  place_.origin = of.from;
  place_.axes[2] = unit(way);
  Real3 zero{};
  if (grid.zero) {
    zero = unit(*grid.zero);
  } else {
    std::size_t most = 0;
    for (std::size_t k = 1; k < 3; ++k) {
      if (std::fabs(place_.axes[2][k]) < std::fabs(place_.axes[2][most])) { most = k; }
    }
    zero[most] = 1;
  }
  place_.axes[0] = unit(along(zero, -dot(zero, place_.axes[2]), place_.axes[2]));
  place_.axes[1] = cross(place_.axes[2], place_.axes[0]);
  const auto n = [&](std::size_t k) { return static_cast<std::size_t>(grid.cells[k]); };
  axes_[0] = {of.inner_radius, (of.radius - of.inner_radius) / static_cast<double>(n(0)), n(0), width};
  axes_[1] = {0, 2 * std::numbers::pi / static_cast<double>(n(1)), n(1), width};
  axes_[2] = {0, geometry::length(way) / static_cast<double>(n(2)), n(2), width};
  const auto m = static_cast<std::size_t>(std::clamp(std::ceil(8 * width / axes_[0].edge), 8.0, 24.0));
  for (std::size_t i = 0; i < m; ++i) {
    const double low = 4 * static_cast<double>(i) / static_cast<double>(m) - 2,
                 high = 4 * static_cast<double>(i + 1) / static_cast<double>(m) - 2;
    const double scale = 2 / width;
    const auto at = [&](double u) { return std::fabs(u) < 2 ? scale * spline::value(std::fabs(u)) : 0; };
    strips_.push_back({0.5 * (low + high) / scale, spline::between(low, high), at(high) - at(low)});
  }
}

std::pair<Real3, Real3> CylinderSums::reach() const {
  const double around = axes_[0].at(axes_[0].cells) + std::numbers::sqrt2 * axes_[0].width;
  const double length = axes_[2].at(axes_[2].cells);
  Real3 low{}, high{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double up = place_.axes[2][k];
    const double aside = around * std::sqrt(std::fmax(1 - up * up, 0)) + axes_[2].width * std::fabs(up);
    low[k] = place_.origin[k] + std::fmin(length * up, 0) - aside;
    high[k] = place_.origin[k] + std::fmax(length * up, 0) + aside;
  }
  return {low, high};
}

/// Processes a few loads at a time: first the threads share the loads and compute their contributions, then each thread
/// adds the contributions to its own cells.
void CylinderSums::add(const FieldLoads& loads, std::vector<double>& sums) const {
  constexpr std::size_t at_a_time = 256;
  const std::size_t cells = axes_[0].cells * axes_[1].cells * axes_[2].cells;
  const auto threads = static_cast<std::size_t>(std::max(omp_get_max_threads(), 1));
  const std::size_t parts = std::min(cells, threads);
  std::vector<Deposits> deposits(at_a_time, Deposits(*this));
  const auto add_all = [&](const auto& of_kind) {
    for (std::size_t begin = 0; begin < of_kind.size(); begin += at_a_time) {
      const std::size_t count = std::min(at_a_time, of_kind.size() - begin);
#pragma omp parallel
      {
#pragma omp for schedule(dynamic, 8)
        for (std::size_t i = 0; i < count; ++i) {
          deposits[i].clear();
          deposits[i].add(of_kind[begin + i]);
        }
#pragma omp for schedule(static)
        for (std::size_t part = 0; part < parts; ++part) {
          for (std::size_t i = 0; i < count; ++i) {
            deposits[i].add_to(sums.data(), part * cells / parts, (part + 1) * cells / parts);
          }
        }
      }
    }
  };
  add_all(loads.points);
  add_all(loads.lines);
}

}  // namespace scree
