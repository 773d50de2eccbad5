#include "host/clumps/fit_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <tuple>

#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

using geometry::squared_length, geometry::subtract;

/// Points inside the mesh, and by how many spheres each is covered.
class InsidePoints {
 public:
  InsidePoints(const TriangleMesh& mesh, unsigned resolution) : surface_(mesh) {
    const auto& [low, high] = surface_.bounds();
    const double longest = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
    edge_ = longest / resolution;
    reach_ = longest;
    for (std::size_t k = 0; k < 3; ++k) {
      cells_[k] = std::max<std::size_t>(1, static_cast<std::size_t>(std::floor((high[k] - low[k]) / edge_ + 0.5)));
      start_[k] = 0.5 * (low[k] + high[k]) - 0.5 * edge_ * static_cast<double>(cells_[k] - 1);
    }
    inside_.assign(cells_[0] * cells_[1] * cells_[2], 0);
    covered_.assign(inside_.size(), 0);
    for (std::size_t at = 0; at < inside_.size(); ++at) inside_[at] = surface_.encloses(point(at)) ? 1 : 0;
  }

  [[nodiscard]] std::size_t size() const { return inside_.size(); }
  [[nodiscard]] bool is_inside(std::size_t at) const { return inside_[at] != 0; }
  [[nodiscard]] double edge() const { return edge_; }
  [[nodiscard]] Real3 point(std::size_t at) const {
    const std::size_t x = at % cells_[0], y = at / cells_[0] % cells_[1], z = at / cells_[0] / cells_[1];
    return {start_[0] + edge_ * static_cast<double>(x), start_[1] + edge_ * static_cast<double>(y),
            start_[2] + edge_ * static_cast<double>(z)};
  }
  /// The largest sphere around a point that stays inside; radius 0 for a point outside.
  [[nodiscard]] ClumpSphere largest_at(const Real3& center) const {
    if (!surface_.encloses(center)) return {center, 0};
    for (double reach = 2 * edge_;; reach *= 2) {  // near triangles first: a wide reach looks at many
      const double squared = surface_.squared_distance_within(center, reach);
      if (squared < reach * reach || reach > reach_) return {center, std::sqrt(squared)};
    }
  }
  void cover(const ClumpSphere& sphere, int change) {
    for_each_in(sphere, [&](std::size_t at) { covered_[at] += change; });
  }
  /// Points in the sphere that no other covers.
  [[nodiscard]] std::size_t gain(const ClumpSphere& sphere) const {
    std::size_t count = 0;
    for_each_in(sphere, [&](std::size_t at) { count += inside_[at] != 0 && covered_[at] == 0 ? 1 : 0; });
    return count;
  }

 private:
  template <class Take>
  void for_each_in(const ClumpSphere& sphere, Take&& take) const {
    std::array<std::size_t, 3> low{}, high{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double last = static_cast<double>(cells_[k]);
      low[k] = static_cast<std::size_t>(
          std::clamp(std::ceil((sphere.center[k] - sphere.radius - start_[k]) / edge_), 0.0, last));
      high[k] = static_cast<std::size_t>(
          std::clamp(std::floor((sphere.center[k] + sphere.radius - start_[k]) / edge_) + 1, 0.0, last));
    }
    const double r2 = sphere.radius * sphere.radius;
    for (auto z = low[2]; z < high[2]; ++z) {
      for (auto y = low[1]; y < high[1]; ++y) {
        for (auto x = low[0]; x < high[0]; ++x) {
          const std::size_t at = (z * cells_[1] + y) * cells_[0] + x;
          if (squared_length(subtract(point(at), sphere.center)) <= r2) take(at);
        }
      }
    }
  }

  geometry::MeshSurface surface_;
  double edge_ = 0, reach_ = 0;
  std::array<std::size_t, 3> cells_{};
  Real3 start_{};
  std::vector<char> inside_;
  std::vector<int> covered_;
};

/// A sphere and what it covers; of equal gains the larger sphere is better.
struct Candidate {
  ClumpSphere sphere;
  std::size_t gain = 0;
  [[nodiscard]] bool better_than(const Candidate& other) const {
    return std::tie(gain, sphere.radius) > std::tie(other.gain, other.sphere.radius);
  }
};

/// Moves the centre along the axes in shrinking steps while that is better.
Candidate moved_locally(const InsidePoints& points, Candidate best) {
  for (double step = 2 * points.edge(); step > points.edge() / 40;) {
    Candidate found = best;
    for (std::size_t k = 0; k < 6; ++k) {
      Real3 center = best.sphere.center;
      center[k / 2] += k % 2 == 0 ? step : -step;
      Candidate next{points.largest_at(center)};
      next.gain = points.gain(next.sphere);
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
/// one whose old count is the largest and still holds is the best.
class Greedy {
 public:
  explicit Greedy(const InsidePoints& points) : points_(points) {
    for (std::size_t at = 0; at < points.size(); ++at) {
      if (!points.is_inside(at)) continue;
      const ClumpSphere sphere = points.largest_at(points.point(at));
      if (sphere.radius > 0) queue_.push({points.gain(sphere), sphere.radius, at});
    }
  }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  Candidate next() {
    while (!queue_.empty()) {
      auto [gain, radius, at] = queue_.top();
      queue_.pop();
      const ClumpSphere sphere{points_.point(at), radius};
      const std::size_t now = points_.gain(sphere);
      if (now == 0) continue;
      if (now == gain) return {sphere, gain};
      queue_.push({now, radius, at});
    }
    return {};
  }

 private:
  const InsidePoints& points_;
  std::priority_queue<std::tuple<std::size_t, double, std::size_t>> queue_;
};

}  // namespace

Moments mesh_moments(const TriangleMesh& mesh) {
  const Real3 origin = mesh.vertices.at(0);  // near the surface, so that little is lost to cancellation
  Moments sum;
  for (const auto& corners : mesh.triangles) {
    std::array<Real3, 3> v{};
    Real3 all{};
    for (std::size_t k = 0; k < 3; ++k) {
      v[k] = subtract(mesh.vertices[corners[k]], origin);
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
  return moved(sum, geometry::scaled(origin, -1));
}

std::vector<ClumpSphere> fit_spheres(const TriangleMesh& mesh, const FitChoice& choice, const std::string& name) {
  const auto faults = geometry::edge_faults(mesh);
  if (mesh.triangles.empty() || !faults.none()) {
    throw CaseError(name, "must be a closed surface to be filled with spheres: it has " + faults.text());
  }
  if (geometry::signed_volume(mesh) <= 0) throw CaseError(name, "has triangles that face inwards; turn them round");
  InsidePoints points(mesh, choice.resolution);
  Greedy greedy(points);
  if (greedy.empty()) throw CaseError(name, "is too thin for the grid; choose a larger resolution");
  std::vector<ClumpSphere> spheres;
  while (spheres.size() < choice.spheres) {
    const Candidate next = greedy.next();
    if (next.gain == 0) break;
    spheres.push_back(moved_locally(points, next).sphere);
    points.cover(spheres.back(), 1);
  }
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (auto& sphere : spheres) {
      points.cover(sphere, -1);
      sphere = moved_locally(points, {sphere, points.gain(sphere)}).sphere;
      points.cover(sphere, 1);
    }
  }
  return spheres;
}

}  // namespace scree::clumps
