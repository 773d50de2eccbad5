#include "host/clumps/covered_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

/// The part of a cell that a sphere covers. `squared` is the squared distance between the cell and the centre of the
/// sphere; `outer` and `inner` are the radius of the sphere plus and minus half an edge.
double covered_part(double squared, double outer, double inner, double edge) {
  return squared <= inner * inner ? 1.0 : std::min(1.0, (outer - std::sqrt(squared)) / edge);
}

constexpr auto any_row = [](std::size_t, const auto&) { return true; };

/// The sum plus `count`, with the same bits as `count` additions of 1.
double with_ones(double sum, std::size_t count) {
  // While the exponent does not change, 1 is a multiple of the last bit, so no addition rounds.
  const double all = sum + static_cast<double>(count);
  if (std::ilogb(std::max(sum, 1.0)) == std::ilogb(std::max(all, 1.0))) return all;
  for (std::size_t k = 0; k < count; ++k) sum += 1;
  return sum;
}

}  // namespace

CoveredGrid::CoveredGrid(const TriangleMesh& mesh, unsigned resolution) : surface_(mesh) {
  const auto& [low, high] = surface_.bounds();
  reach_ = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  edge_ = reach_ / resolution;
  per_edge_ = 1 / edge_;
  for (std::size_t k = 0; k < 3; ++k) {
    cells_[k] = 2 + std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((high[k] - low[k]) / edge_ - 1e-9)));
    start_[k] = 0.5 * (low[k] + high[k]) - 0.5 * edge_ * static_cast<double>(cells_[k] - 1);
  }
  SCREE_EXPECT(cells_[0] < std::numeric_limits<std::uint16_t>::max(), "a row must have less than 65535 cells");
  covered_.assign(cells_[0] * cells_[1] * cells_[2], 0);
  open_.resize((cells_[0] + 1) * cells_[1] * cells_[2]);
  touched_.resize(open_.size());
  for (std::size_t row = 0; row < cells_[1] * cells_[2]; ++row) count_row(row);
}

Real3 CoveredGrid::point(std::size_t at) const {
  return {place(0, at % cells_[0]), place(1, at / cells_[0] % cells_[1]), place(2, at / cells_[0] / cells_[1])};
}

ClumpSphere CoveredGrid::largest_at(const Real3& center, double reach) const {
  if (!surface_.encloses(center)) return {center, 0};
  for (;; reach *= 2) {
    const double squared = surface_.squared_distance_within(center, reach);
    if (squared < reach * reach || reach > reach_) return {center, std::sqrt(squared)};
  }
}

CoveredGrid::Cells CoveredGrid::in_reach(const ClumpSphere& sphere, std::size_t axis) const {
  const double outer = sphere.radius + 0.5 * edge_, last = static_cast<double>(cells_[axis]);
  const double from = std::ceil((sphere.center[axis] - outer - start_[axis]) / edge_);
  const double to = std::floor((sphere.center[axis] + outer - start_[axis]) / edge_) + 1;
  return {static_cast<std::size_t>(std::clamp(from, 0.0, last)), static_cast<std::size_t>(std::clamp(to, 0.0, last))};
}

/// The cells along x, within `most`, whose squared distance from the centre is below `square`. With a positive `margin`
/// [cells] rounding omits none of them; with a negative margin rounding adds none.
CoveredGrid::Cells CoveredGrid::within(double square, double center, const Cells& most, double margin) const {
  if (!(square > 0)) return {most.from, most.from};
  const double half = std::sqrt(square) * per_edge_ + margin, middle = (center - start_[0]) * per_edge_;
  const double low = static_cast<double>(most.from), high = static_cast<double>(most.to);
  const double from = std::clamp(std::ceil(middle - half), low, high);
  const double to = std::clamp(std::floor(middle + half) + 1, from, high);
  return {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
}

template <class Wanted, class Take>
void CoveredGrid::for_each_row(const ClumpSphere& sphere, Wanted&& wanted, Take&& take) const {
  if (!(sphere.radius > 0)) return;
  constexpr double margin = 1e-3;
  const double outer = sphere.radius + 0.5 * edge_, outer2 = outer * outer * (1 + 1e-12);
  const Cells along_x = in_reach(sphere, 0), along_y = in_reach(sphere, 1), along_z = in_reach(sphere, 2);
  for (auto z = along_z.from; z < along_z.to; ++z) {
    const double up = place(2, z) - sphere.center[2], z2 = up * up;
    for (auto y = along_y.from; y < along_y.to; ++y) {
      if (!wanted(z * cells_[1] + y, along_x)) continue;
      const double side = place(1, y) - sphere.center[1], y2 = side * side;
      const Cells reached = within(outer2 - y2 - z2, sphere.center[0], along_x, margin);
      if (reached.from < reached.to) take(Row{z * cells_[1] + y, reached, y2, z2});
    }
  }
}

void CoveredGrid::put(const ClumpSphere& sphere) {
  const double outer = sphere.radius + 0.5 * edge_, inner = std::max(0.0, sphere.radius - 0.5 * edge_);
  for_each_row(sphere, any_row, [&](const Row& row) {
    for (auto x = row.reached.from; x < row.reached.to; ++x) {
      const double along = place(0, x) - sphere.center[0], squared = along * along + row.y2 + row.z2;
      if (squared >= outer * outer) continue;
      double& covered = covered_[row.row * cells_[0] + x];
      covered = std::max(covered, covered_part(squared, outer, inner, edge_));
    }
  });
}

void CoveredGrid::cover(const ClumpSphere& sphere) {
  put(sphere);
  for_each_row(sphere, any_row, [&](const Row& row) { count_row(row.row); });
}

void CoveredGrid::cover_only(const std::vector<ClumpSphere>& spheres, std::size_t except) {
  std::fill(covered_.begin(), covered_.end(), 0.0);
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (k != except) put(spheres[k]);
  }
  for (std::size_t row = 0; row < cells_[1] * cells_[2]; ++row) count_row(row);
}

void CoveredGrid::count_row(std::size_t row) {
  const double* const covered = &covered_[row * cells_[0]];
  std::uint16_t* const open = &open_[row * (cells_[0] + 1)];
  std::uint16_t* const touched = &touched_[row * (cells_[0] + 1)];
  std::uint16_t n_open = 0, n_touched = 0;
  for (std::size_t x = 0; x < cells_[0]; ++x) {
    open[x] = n_open, touched[x] = n_touched;
    n_open = static_cast<std::uint16_t>(n_open + (covered[x] < 1 ? 1 : 0));
    n_touched = static_cast<std::uint16_t>(n_touched + (covered[x] > 0 ? 1 : 0));
  }
  open[cells_[0]] = n_open, touched[cells_[0]] = n_touched;
}

double CoveredGrid::gain(const ClumpSphere& sphere) const {
  constexpr double margin = 1e-3;
  const double outer = sphere.radius + 0.5 * edge_, inner = std::max(0.0, sphere.radius - 0.5 * edge_);
  double sum = 0;
  const auto is_open = [&](std::size_t row, const Cells& cells) { return n_open(row, cells) > 0; };
  for_each_row(sphere, is_open, [&](const Row& row) {
    const std::uint16_t* const open = &open_[row.row * (cells_[0] + 1)];
    if (open[row.reached.from] == open[row.reached.to]) return;  // all cells are covered already
    const std::uint16_t* const touched = &touched_[row.row * (cells_[0] + 1)];
    const double* const covered = &covered_[row.row * cells_[0]];
    const auto add = [&](std::size_t from, std::size_t to) {
      for (auto x = from; x < to; ++x) {
        if (covered[x] >= 1) continue;
        const double along = place(0, x) - sphere.center[0], squared = along * along + row.y2 + row.z2;
        if (squared >= outer * outer) continue;
        sum += std::max(0.0, covered_part(squared, outer, inner, edge_) - covered[x]);
      }
    };
    const Cells whole = within(inner * inner - row.y2 - row.z2, sphere.center[0], row.reached, -margin);
    add(row.reached.from, whole.from);
    if (touched[whole.from] == touched[whole.to]) {
      sum = with_ones(sum, whole.to - whole.from);
    } else if (open[whole.from] != open[whole.to]) {
      for (auto x = whole.from; x < whole.to; ++x) sum += 1 - covered[x];
    }
    add(whole.to, row.reached.to);
  });
  return sum;
}

double CoveredGrid::most_gain(const ClumpSphere& sphere) const {
  std::size_t sum = 0;
  const auto is_open = [&](std::size_t row, const Cells& cells) { return n_open(row, cells) > 0; };
  for_each_row(sphere, is_open, [&](const Row& row) { sum += n_open(row.row, row.reached); });
  return static_cast<double>(sum) * (1 + 1e-9);
}

}  // namespace scree::clumps
