#include "host/grains/voxel_field.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"

namespace scree::grains {
namespace {

constexpr std::size_t no_voxel = std::numeric_limits<std::size_t>::max();

/// Calls visit(first) for the first voxel of every line along an axis.
template <class Visit>
void for_each_line_along(const VoxelBlock& block, std::size_t axis, Visit&& visit) {
  const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
  const auto step = block.stride();
  for (std::size_t v = 0; v < block.size[c]; ++v) {
    for (std::size_t u = 0; u < block.size[b]; ++u) visit(u * step[b] + v * step[c]);
  }
}

/// Finds the nearest voxel of one kind for each voxel: first along x, then in planes, then in space. On each line it
/// takes the lower envelope of the parabolas of squared distances.
class NearestVoxel {
 public:
  NearestVoxel(const VoxelBlock& block, bool wanted)
      : block_(block), nearest_(block.inside.size(), no_voxel), squared_(block.inside.size(), infinite) {
    for (std::size_t at = 0; at < nearest_.size(); ++at) {
      if (block.inside[at] == wanted) nearest_[at] = at, squared_[at] = 0;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for_each_line_along(block, axis, [&](std::size_t first) { follow(first, axis); });
    }
  }

  /// The distance [m] from the middle of a voxel to the face of the nearest voxel of the wanted kind.
  [[nodiscard]] double distance(std::size_t at) const {
    const double away = std::sqrt(squared_[at]);
    double half = 0;  // squared edge of the voxel along the way to the nearest voxel
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double part = offset(at, nearest_[at], axis) / away * block_.spacing[axis];
      half += part * part;
    }
    return away - 0.5 * std::sqrt(half);
  }

 private:
  [[nodiscard]] double offset(std::size_t from, std::size_t to, std::size_t axis) const {
    const auto place = [&](std::size_t at) { return at / block_.stride()[axis] % block_.size[axis]; };
    return (static_cast<double>(place(to)) - static_cast<double>(place(from))) * block_.spacing[axis];
  }

  void follow(std::size_t first, std::size_t axis) {
    const std::size_t n = block_.size[axis], step = block_.stride()[axis];
    const double h = block_.spacing[axis];
    parabolas_.clear();
    for (std::size_t q = 0; q < n; ++q) {
      const std::size_t at = first + q * step;
      if (squared_[at] == infinite) continue;
      const double x = h * static_cast<double>(q);
      double from = -infinite;
      while (!parabolas_.empty()) {
        const Parabola& last = parabolas_.back();
        from = (squared_[at] + x * x - last.height - last.x * last.x) / (2 * (x - last.x));
        if (from > last.from) break;
        parabolas_.pop_back();
        from = -infinite;
      }
      parabolas_.push_back({x, squared_[at], from, nearest_[at]});
    }
    if (parabolas_.empty()) return;
    for (std::size_t q = 0, p = 0; q < n; ++q) {
      const double x = h * static_cast<double>(q);
      while (p + 1 < parabolas_.size() && parabolas_[p + 1].from <= x) ++p;
      const double away = x - parabolas_[p].x;
      squared_[first + q * step] = parabolas_[p].height + away * away;
      nearest_[first + q * step] = parabolas_[p].voxel;
    }
  }

  struct Parabola {
    double x, height, from;
    std::size_t voxel;
  };
  const VoxelBlock& block_;
  std::vector<std::size_t> nearest_;
  std::vector<double> squared_;
  std::vector<Parabola> parabolas_;
};

/// Weights of four values in a row for the value and the slope at a place between the middle two.
struct CubicWeights {
  std::array<double, 4> value{}, slope{};
  explicit CubicWeights(double t) {
    const double t2 = t * t, t3 = t2 * t;
    value = {0.5 * (-t + 2 * t2 - t3), 0.5 * (2 - 5 * t2 + 3 * t3), 0.5 * (t + 4 * t2 - 3 * t3), 0.5 * (t3 - t2)};
    slope = {0.5 * (-1 + 4 * t - 3 * t2), 0.5 * (-10 * t + 9 * t2), 0.5 * (1 + 8 * t - 9 * t2), 0.5 * (3 * t2 - 2 * t)};
  }
};

}  // namespace

std::size_t keep_largest_piece(VoxelBlock& block) {
  std::vector<std::uint32_t> piece(block.inside.size(), 0);
  std::vector<std::size_t> waiting;
  std::uint32_t pieces = 0, best = 0;
  std::size_t largest = 0, all = 0;
  for (std::size_t seed = 0; seed < piece.size(); ++seed) {
    if (!block.inside[seed] || piece[seed] != 0) continue;
    std::size_t count = 0;
    piece[seed] = ++pieces;
    waiting.push_back(seed);
    while (!waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      ++count;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t step = block.stride()[axis], place = at / step % block.size[axis];
        const auto look = [&](bool is_there, std::size_t other) {
          if (!is_there || !block.inside[other] || piece[other] != 0) return;
          piece[other] = pieces;
          waiting.push_back(other);
        };
        look(place > 0, at - step);
        look(place + 1 < block.size[axis], at + step);
      }
    }
    all += count;
    if (count > largest) largest = count, best = pieces;
  }
  for (std::size_t at = 0; at < piece.size(); ++at) block.inside[at] = block.inside[at] && piece[at] == best;
  return all - largest;
}

std::vector<double> voxel_distances(const VoxelBlock& block) {
  const NearestVoxel outside(block, false), inside(block, true);
  std::vector<double> distances(block.inside.size());
  for (std::size_t at = 0; at < distances.size(); ++at) {
    distances[at] = block.inside[at] ? -outside.distance(at) : inside.distance(at);
  }
  return distances;
}

namespace {

constexpr double deviation = 1.5;          ///< [voxels]
constexpr std::ptrdiff_t gauss_reach = 6;  ///< [voxels] four deviations

/// Convolution with a Gaussian along all axes. Values outside the block equal those at its faces.
std::vector<double> gaussian(const VoxelBlock& block, std::vector<double> values) {
  std::array<double, gauss_reach + 1> weight{};
  double sum = 0;
  for (std::size_t n = 0; n < weight.size(); ++n) {
    weight[n] = packing::exact_exp(-0.5 * static_cast<double>(n * n) / (deviation * deviation));
    sum += (n == 0 ? 1 : 2) * weight[n];
  }
  std::vector<double> line;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto n = static_cast<std::ptrdiff_t>(block.size[axis]);
    const std::size_t step = block.stride()[axis];
    line.resize(block.size[axis]);
    for_each_line_along(block, axis, [&](std::size_t first) {
      for (std::size_t q = 0; q < line.size(); ++q) line[q] = values[first + q * step];
      for (std::ptrdiff_t q = 0; q < n; ++q) {
        double mean = 0;
        for (std::ptrdiff_t m = -gauss_reach; m <= gauss_reach; ++m) {
          const auto from = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(q + m, 0, n - 1));
          mean += weight[static_cast<std::size_t>(std::abs(m))] / sum * line[from];
        }
        values[first + static_cast<std::size_t>(q) * step] = mean;
      }
    });
  }
  return values;
}

}  // namespace

std::vector<double> smoothed(const VoxelBlock& block, const std::vector<double>& distances) {
  const auto once = gaussian(block, distances), twice = gaussian(block, once), thrice = gaussian(block, twice);
  std::vector<double> result(once.size());
  for (std::size_t at = 0; at < result.size(); ++at) result[at] = 3 * (once[at] - twice[at]) + thrice[at];
  return result;
}

VoxelField::VoxelField(const VoxelBlock& block, const Real3& origin, std::vector<double> values)
    : size_(block.size), spacing_(block.spacing), origin_(origin), values_(std::move(values)) {}

ValueAndGradient VoxelField::at(const Real3& point) const {
  std::array<std::array<std::size_t, 4>, 3> index{};
  std::array<CubicWeights, 3> weights = {CubicWeights(0), CubicWeights(0), CubicWeights(0)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double last = static_cast<double>(size_[axis]) - 1;
    const double place = std::clamp((point[axis] - origin_[axis]) / spacing_[axis], 0.0, last);
    const double cell = std::min(std::floor(place), last - 1);
    weights[axis] = CubicWeights(place - cell);
    for (std::size_t m = 0; m < 4; ++m) {
      index[axis][m] = static_cast<std::size_t>(std::clamp(cell + static_cast<double>(m) - 1, 0.0, last));
    }
  }
  ValueAndGradient sum;
  for (std::size_t c = 0; c < 4; ++c) {
    for (std::size_t b = 0; b < 4; ++b) {
      const double* const row = &values_[(index[2][c] * size_[1] + index[1][b]) * size_[0]];
      double value = 0, slope = 0;
      for (std::size_t a = 0; a < 4; ++a) {
        value += weights[0].value[a] * row[index[0][a]];
        slope += weights[0].slope[a] * row[index[0][a]];
      }
      sum.value += weights[2].value[c] * weights[1].value[b] * value;
      sum.gradient[0] += weights[2].value[c] * weights[1].value[b] * slope;
      sum.gradient[1] += weights[2].value[c] * weights[1].slope[b] * value;
      sum.gradient[2] += weights[2].slope[c] * weights[1].value[b] * value;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) sum.gradient[axis] /= spacing_[axis];
  return sum;
}

}  // namespace scree::grains
