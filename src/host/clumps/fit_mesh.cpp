#include "host/clumps/fit_mesh.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>

#include "host/clumps/covered_grid.hpp"
#include "host/clumps/solid_mesh.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

using geometry::squared_length, geometry::subtract;

constexpr double least_gain = 0.5;  ///< [cells] a sphere must add at least this volume

/// A sphere and the volume that it would add to the union. If gains are equal, the larger sphere is better.
struct Candidate {
  ClumpSphere sphere;
  double gain = 0;
  [[nodiscard]] bool better_than(const Candidate& other) const {
    return std::tie(gain, sphere.radius) > std::tie(other.gain, other.sphere.radius);
  }
};

/// Moves the centre in shrinking steps while the candidate improves. Steps also follow diagonals, because the radius
/// has ridges as a function of the centre.
Candidate moved_locally(const CoveredGrid& grid, Candidate best) {
  for (double step = 2 * grid.edge(); step > grid.edge() / 40;) {
    Candidate found = best;
    const double reach = best.sphere.radius + 2 * step;  // after a move the surface is nearer than this
    for (int k = 0; k < 27; ++k) {
      const std::array<int, 3> digits = {k % 3, k / 3 % 3, k / 9};
      const Real3 way = {digits[0] - 1.0, digits[1] - 1.0, digits[2] - 1.0};
      const Real3 center = geometry::along(best.sphere.center, step, way);
      Candidate next{grid.largest_at(center, reach)};
      if (grid.most_gain(next.sphere) < found.gain) continue;
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

/// Finds the inscribed sphere around a grid point with the largest gain. The gain of a sphere only falls as other
/// spheres are chosen, so an earlier gain is an upper bound. A queue orders spheres by their bounds. The first sphere
/// is examined: first its number of open cells, which is cheap, then its gain. If its gain is still the largest value,
/// it is the best sphere. Among equally good spheres, as in a plate, the one farthest from all chosen spheres is taken.
class Greedy {
 public:
  explicit Greedy(const CoveredGrid& grid) : grid_(grid) {
    SCREE_EXPECT(grid.size() < std::numeric_limits<std::uint32_t>::max(), "too many points");
    std::vector<Entry> all;
    std::vector<double> last(grid.in_layer());  // radius at the last point with these x and y
    for (std::size_t at = 0; at < grid.size(); ++at) {
      // The distance to the surface differs between neighbouring points by at most an edge.
      const std::size_t here = at % last.size();
      const double reach_here = (std::min(last[here], last[here == 0 ? 0 : here - 1]) + grid.edge()) * (1 + 1e-6);
      const ClumpSphere sphere = grid.largest_at(grid.point(at), reach_here);
      last[here] = sphere.radius;
      if (!(sphere.radius > 0)) continue;
      const double reach = sphere.radius / grid.edge() + 0.5, bound = 4.2 * reach * reach * reach;
      all.push_back({bound, sphere.radius, static_cast<std::uint32_t>(at), never});
    }
    queue_ = std::priority_queue<Entry>(std::less<Entry>{}, std::move(all));
  }
  Candidate next(const std::vector<ClumpSphere>& spheres) {
    std::vector<Entry> best;
    while (!queue_.empty()) {
      Entry entry = queue_.top();
      if (!best.empty() && !(entry.gain >= (1 - rounding) * best.front().gain)) break;
      const bool is_known = entry.looked == gain_known(spheres.size());
      if (!best.empty() && is_known && !(entry.radius >= (1 - rounding) * best.front().radius)) break;
      queue_.pop();
      if (is_known) {
        best.push_back(entry);
      } else if (look(entry, spheres.size())) {
        queue_.push(entry);
      }
    }
    if (best.empty()) return {};
    const auto distance = [&](const Entry& entry) {
      double least = std::numeric_limits<double>::infinity();
      for (const ClumpSphere& s : spheres) {
        least = std::min(least, squared_length(subtract(grid_.point(entry.at), s.center)));
      }
      return least;
    };
    const auto farthest = std::max_element(best.begin(), best.end(),
                                           [&](const Entry& a, const Entry& b) { return distance(a) < distance(b); });
    std::swap(*farthest, best.front());
    for (std::size_t k = 1; k < best.size(); ++k) queue_.push(best[k]);
    return {{grid_.point(best.front().at), best.front().radius}, best.front().gain};
  }

 private:
  static constexpr double rounding = 1e-9;
  struct Entry {
    double gain;  ///< [cells] or an upper bound
    double radius;
    std::uint32_t at;      ///< grid point
    std::uint32_t looked;  ///< when the gain was computed, and how: never, cells_known() or gain_known()
    bool operator<(const Entry& other) const {
      return std::tie(gain, radius, at) < std::tie(other.gain, other.radius, other.at);
    }
  };
  static constexpr std::uint32_t never = 0;
  /// Values of Entry::looked if the number of open cells, or the gain, was computed with `n` spheres.
  static std::uint32_t cells_known(std::size_t n) { return static_cast<std::uint32_t>(2 * n + 1); }
  static std::uint32_t gain_known(std::size_t n) { return static_cast<std::uint32_t>(2 * n + 2); }

  /// Improves the bound of an entry. Returns false if its gain is too small for a sphere.
  bool look(Entry& entry, std::size_t n) const {
    const ClumpSphere sphere{grid_.point(entry.at), entry.radius};
    const double most = entry.looked == cells_known(n) ? entry.gain : grid_.most_gain(sphere);
    if (most < entry.gain) {
      entry.gain = most;
      entry.looked = cells_known(n);
    } else {
      entry.gain = grid_.gain(sphere);
      entry.looked = gain_known(n);
    }
    return entry.gain >= least_gain;
  }

  const CoveredGrid& grid_;
  std::priority_queue<Entry> queue_;
};

}  // namespace

Moments mesh_moments(const TriangleMesh& mesh) {
  const Real3 origin = mesh.vertices.at(0);  // is near the surface, which keeps cancellation small
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
    // The triangle and the origin make a tetrahedron. Its integral of x_i x_j is volume/20 (sum of the products of the
    // corners + s_i s_j), where s is the sum of the corners.
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
      grid.cover_only(spheres, i);
      spheres[i] = moved_locally(grid, {spheres[i], grid.gain(spheres[i])}).sphere;
    }
  }
  return spheres;
}

}  // namespace scree::clumps
