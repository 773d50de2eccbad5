#include "host/geometry/mesh_shells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "host/geometry/mesh_surface.hpp"
#include "host/geometry/mesh_topology.hpp"
#include "host/geometry/real3.hpp"

namespace scree::geometry {
namespace {

using Corners = std::array<std::uint32_t, 3>;

class Shell {
 public:
  Shell(const TriangleMesh& whole, const std::vector<Corners>& triangles)
      : mesh_(part_of(whole, triangles)), surface_(mesh_), volume_(signed_volume(mesh_)) {
    for (const auto& [a, b, c] : mesh_.triangles) {
      const Real3& p = mesh_.vertices[a];
      area_ += length(cross(subtract(mesh_.vertices[b], p), subtract(mesh_.vertices[c], p))) / 2;
      area_up_to_.push_back(area_);
    }
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() = default;

  [[nodiscard]] double volume() const { return std::fabs(volume_); }
  [[nodiscard]] double area() const { return area_; }
  [[nodiscard]] bool encloses(const Real3& point) const { return surface_.encloses(point); }
  [[nodiscard]] bool may_meet(const Shell& other) const {
    const Bounds &own = surface_.bounds(), &its = other.surface_.bounds();
    for (std::size_t k = 0; k < 3; ++k) {
      if (own.upper[k] < its.lower[k] || its.upper[k] < own.lower[k]) return false;
    }
    return true;
  }

  /// `count` pairs of points spread evenly over the surface: one point just above it, and one just below.
  [[nodiscard]] std::vector<std::array<Real3, 2>> points(std::size_t count) const {
    constexpr double off = 1e-6;  // distance from the surface over the root of twice the area of the triangle
    constexpr double u_step = 0.7548776662466927, v_step = 0.5698402909980532;  // R2 sequence (Roberts 2018)
    std::vector<std::array<Real3, 2>> points;
    for (std::size_t k = 0; k < count; ++k) {
      const double turn = static_cast<double>(k) + 0.5, share = area_ * turn / static_cast<double>(count);
      const auto after = std::upper_bound(area_up_to_.begin(), area_up_to_.end(), share) - area_up_to_.begin();
      const auto t = std::min(static_cast<std::size_t>(after), area_up_to_.size() - 1);
      double u = turn * u_step - std::floor(turn * u_step), v = turn * v_step - std::floor(turn * v_step);
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const auto& [a, b, c] = mesh_.triangles[t];
      const Real3& p = mesh_.vertices[a];
      const Real3 side = subtract(mesh_.vertices[b], p), other = subtract(mesh_.vertices[c], p);
      const Real3 twice = cross(side, other), place = along(along(p, u, side), v, other);
      const double way = off / std::sqrt(length(twice));
      points.push_back({along(place, way, twice), along(place, -way, twice)});
    }
    return points;
  }

 private:
  static TriangleMesh part_of(const TriangleMesh& whole, const std::vector<Corners>& triangles) {
    TriangleMesh part;
    std::map<std::uint32_t, std::uint32_t> number;
    for (const Corners& corners : triangles) {
      Corners& own = part.triangles.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [known, is_new] = number.try_emplace(corners[k], static_cast<std::uint32_t>(number.size()));
        if (is_new) part.vertices.push_back(whole.vertices[corners[k]]);
        own[k] = known->second;
      }
    }
    return part;
  }

  TriangleMesh mesh_;
  MeshSurface surface_;  // refers to mesh_
  double volume_, area_ = 0;
  std::vector<double> area_up_to_;  ///< [n_triangles] [m2] cumulative area, with this triangle
};

}  // namespace

ShellVolume shell_volume(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> shell_of = shells_of(mesh);
  const std::size_t count = shell_of.empty() ? 0 : *std::max_element(shell_of.begin(), shell_of.end()) + std::size_t{1};
  if (count < 2) return {std::fabs(signed_volume(mesh)), 0};
  std::vector<std::vector<Corners>> triangles(count);
  for (std::size_t t = 0; t < shell_of.size(); ++t) triangles[shell_of[t]].push_back(mesh.triangles[t]);
  std::vector<std::unique_ptr<const Shell>> shells;
  double area = 0;
  for (const auto& own : triangles) area += shells.emplace_back(std::make_unique<const Shell>(mesh, own))->area();
  constexpr double all_points = 20000, least_points = 100;
  ShellVolume sum;
  for (const auto& shell : shells) {
    const auto n = static_cast<std::size_t>(std::max(all_points * shell->area() / area, least_points));
    const auto points = shell->points(n);
    bool is_hole = false;
    std::size_t crossing = 0;
    for (const auto& other : shells) {
      if (other == shell || !shell->may_meet(*other)) continue;
      std::size_t inside = 0, outside = 0;
      for (const auto& [above, below] : points) {
        const bool first = other->encloses(above), second = other->encloses(below);
        inside += first && second ? 1 : 0;
        outside += first || second ? 0 : 1;  // points with different answers are on both surfaces, and do not count
      }
      if (inside > outside) is_hole = !is_hole;
      crossing = std::max(crossing, std::min(inside, outside));
    }
    sum.volume += is_hole ? -shell->volume() : shell->volume();
    sum.crossing += shell->area() / area * static_cast<double>(crossing) / static_cast<double>(n);
  }
  return sum;
}

}  // namespace scree::geometry
