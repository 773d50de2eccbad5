#include "host/clumps/fit_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <tuple>

#include "host/clumps/solid_mesh.hpp"
#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

using geometry::squared_length, geometry::subtract;

/// Points of a grid over a mesh, and how much of the cell around each is covered: of one that the surface of a sphere
/// cuts a part, so that volumes follow the spheres smoothly.
class CoveredGrid {
 public:
  CoveredGrid(const TriangleMesh& mesh, unsigned resolution) : surface_(mesh) {
    const auto& [low, high] = surface_.bounds();
    reach_ = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    edge_ = reach_ / resolution;
    for (std::size_t k = 0; k < 3; ++k) {
      cells_[k] = 2 + std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((high[k] - low[k]) / edge_ - 1e-9)));
      start_[k] = 0.5 * (low[k] + high[k]) - 0.5 * edge_ * static_cast<double>(cells_[k] - 1);
    }
    covered_.assign(cells_[0] * cells_[1] * cells_[2], 0);
  }

  [[nodiscard]] std::size_t size() const { return covered_.size(); }
  [[nodiscard]] double edge() const { return edge_; }
  [[nodiscard]] Real3 point(std::size_t at) const {
    return point(at % cells_[0], at / cells_[0] % cells_[1], at / cells_[0] / cells_[1]);
  }
  /// The largest sphere around a point that stays inside; radius 0 for a point outside. Looks as far as `reach` at
  /// first, since a wide reach meets many triangles.
  [[nodiscard]] ClumpSphere largest_at(const Real3& center, double reach) const {
    if (!surface_.encloses(center)) return {center, 0};
    for (;; reach *= 2) {
      const double squared = surface_.squared_distance_within(center, reach);
      if (squared < reach * reach || reach > reach_) return {center, std::sqrt(squared)};
    }
  }
  void clear() { std::fill(covered_.begin(), covered_.end(), 0.0); }
  void cover(const ClumpSphere& sphere) {
    for_each_in(sphere, [&](std::size_t at, double part) { covered_[at] = std::max(covered_[at], part); });
  }
  /// What the sphere adds to the union [cells].
  [[nodiscard]] double gain(const ClumpSphere& sphere) const {
    double sum = 0;
    for_each_in(sphere, [&](std::size_t at, double part) { sum += std::max(0.0, part - covered_[at]); });
    return sum;
  }

 private:
  template <class Take>
  void for_each_in(const ClumpSphere& sphere, Take&& take) const {
    if (!(sphere.radius > 0)) return;
    const double outer = sphere.radius + 0.5 * edge_, inner = std::max(0.0, sphere.radius - 0.5 * edge_);
    std::array<std::size_t, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double last = static_cast<double>(cells_[k]);
      low[k] =
          static_cast<std::size_t>(std::clamp(std::ceil((sphere.center[k] - outer - start_[k]) / edge_), 0.0, last));
      high[k] = static_cast<std::size_t>(
          std::clamp(std::floor((sphere.center[k] + outer - start_[k]) / edge_) + 1, 0.0, last));
    }
    for (auto z = low[2]; z < high[2]; ++z) {
      for (auto y = low[1]; y < high[1]; ++y) {
        for (auto x = low[0]; x < high[0]; ++x) {
          const std::size_t at = (z * cells_[1] + y) * cells_[0] + x;
          const double squared = squared_length(subtract(point(x, y, z), sphere.center));
          if (squared >= outer * outer) continue;
          take(at, squared <= inner * inner ? 1.0 : std::min(1.0, (outer - std::sqrt(squared)) / edge_));
        }
      }
    }
  }
  [[nodiscard]] Real3 point(std::size_t x, std::size_t y, std::size_t z) const {
    return {start_[0] + edge_ * static_cast<double>(x), start_[1] + edge_ * static_cast<double>(y),
            start_[2] + edge_ * static_cast<double>(z)};
  }

  geometry::MeshSurface surface_;
  double edge_ = 0, reach_ = 0;
  std::array<std::size_t, 3> cells_{};
  Real3 start_{};
  std::vector<double> covered_;
};

constexpr double least_gain = 0.5;  ///< [cells] less is not worth a sphere

/// A sphere and what it covers; of equal gains the larger sphere is better.
struct Candidate {
  ClumpSphere sphere;
  double gain = 0;
  [[nodiscard]] bool better_than(const Candidate& other) const {
    return std::tie(gain, sphere.radius) > std::tie(other.gain, other.sphere.radius);
  }
};

/// Moves the centre in shrinking steps while that is better: also along diagonals, since the radius has ridges.
Candidate moved_locally(const CoveredGrid& grid, Candidate best) {
  for (double step = 2 * grid.edge(); step > grid.edge() / 40;) {
    Candidate found = best;
    const double reach = best.sphere.radius + 2 * step;  // the surface is nearer than that after a move
    for (int k = 0; k < 27; ++k) {
      const std::array<int, 3> digits = {k % 3, k / 3 % 3, k / 9};
      const Real3 way = {digits[0] - 1.0, digits[1] - 1.0, digits[2] - 1.0};
      const Real3 center = geometry::along(best.sphere.center, step, way);
      Candidate next{grid.largest_at(center, reach)};
      next.gain = grid.gain(next.sphere);
      if (next.better_than(found)) found = next;
    }
    if (found.better_than(best)) {
      best = found;
    } else {
      step /= 2;
    }
  }
  return best;
}

/// The inscribed spheres around grid points by what they add. What a sphere adds only shrinks as others come, so that
/// one whose old count is the largest and still holds is the best. Of those that are as good, as in a plate, the one
/// that is farthest from all spheres so far is taken.
class Greedy {
 public:
  explicit Greedy(const CoveredGrid& grid) : grid_(grid) {
    for (std::size_t at = 0; at < grid.size(); ++at) {
      const ClumpSphere sphere = grid.largest_at(grid.point(at), 2 * grid.edge());
      if (!(sphere.radius > 0)) continue;
      const double reach = sphere.radius / grid.edge() + 0.5, bound = 4.2 * reach * reach * reach;
      queue_.push({bound, sphere.radius, at});
    }
  }
  Candidate next(const std::vector<ClumpSphere>& spheres) {
    std::vector<Entry> best;
    while (!queue_.empty()) {
      const auto [gain, radius, at] = queue_.top();
      if (!best.empty() && !is_as_good(queue_.top(), best.front())) break;
      queue_.pop();
      const double now = grid_.gain({grid_.point(at), radius});
      if (now == gain) {
        best.push_back({gain, radius, at});
      } else if (now >= least_gain) {
        queue_.push({now, radius, at});
      }
    }
    if (best.empty()) return {};
    const auto distance = [&](const Entry& entry) {
      double least = std::numeric_limits<double>::infinity();
      for (const ClumpSphere& s : spheres) {
        least = std::min(least, squared_length(subtract(grid_.point(std::get<2>(entry)), s.center)));
      }
      return least;
    };
    const auto farthest = std::max_element(best.begin(), best.end(),
                                           [&](const Entry& a, const Entry& b) { return distance(a) < distance(b); });
    std::swap(*farthest, best.front());
    for (std::size_t k = 1; k < best.size(); ++k) queue_.push(best[k]);
    const auto [gain, radius, at] = best.front();
    return {{grid_.point(at), radius}, gain};
  }

 private:
  using Entry = std::tuple<double, double, std::size_t>;  ///< gain by the last count, radius, grid point
  static bool is_as_good(const Entry& a, const Entry& b) {
    constexpr double rounding = 1e-9;
    return std::get<0>(a) >= (1 - rounding) * std::get<0>(b) && std::get<1>(a) >= (1 - rounding) * std::get<1>(b);
  }

  const CoveredGrid& grid_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

Moments mesh_moments(const TriangleMesh& mesh) {
  const Real3 origin = mesh.vertices.at(0);  // near the surface, so that little is lost to cancellation
  geometry::Bounds box{origin, origin};
  Moments sum;
  sum.origin = origin;
  for (const auto& corners : mesh.triangles) {
    std::array<Real3, 3> v{};
    Real3 all{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Real3& corner = mesh.vertices[corners[k]];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.lower[axis] = std::min(box.lower[axis], corner[axis]);
        box.upper[axis] = std::max(box.upper[axis], corner[axis]);
      }
      v[k] = subtract(corner, origin);
      all = geometry::add(all, v[k]);
    }
    // Of the tetrahedron with the origin: integral of x_i x_j = volume/20 (sum of the products of the corners + s_i
    // s_j).
    const double volume = geometry::dot(v[0], geometry::cross(v[1], v[2])) / 6;
    const auto second = [&](std::size_t i, std::size_t j) {
      return volume / 20 * (v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j] + all[i] * all[j]);
    };
    sum.add({volume,
             geometry::scaled(all, volume / 4),
             {second(0, 0), second(1, 1), second(2, 2), second(1, 2), second(2, 0), second(0, 1)}},
            1);
  }
  return moved(sum, subtract(origin_near(box), origin));
}

std::vector<ClumpSphere> fit_spheres(const TriangleMesh& mesh, const FitChoice& choice, const std::string& name) {
  expect_solid(mesh, name);
  CoveredGrid grid(mesh, choice.resolution);
  Greedy greedy(grid);
  std::vector<ClumpSphere> spheres;
  while (spheres.size() < choice.spheres) {
    const Candidate next = greedy.next(spheres);
    if (next.gain == 0) break;
    spheres.push_back(moved_locally(grid, next).sphere);
    grid.cover(spheres.back());
  }
  if (spheres.empty()) throw CaseError(name, "is too thin for the grid; choose a larger resolution");
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      grid.clear();
      for (std::size_t j = 0; j < spheres.size(); ++j) {
        if (j != i) grid.cover(spheres[j]);
      }
      spheres[i] = moved_locally(grid, {spheres[i], grid.gain(spheres[i])}).sphere;
    }
  }
  return spheres;
}

}  // namespace scree::clumps
