#include "host/clumps/union_slices.hpp"

#include <algorithm>
#include <cmath>

#include "host/clumps/disc_union.hpp"
#include "host/clumps/gauss_rule.hpp"
#include "host/geometry/real3.hpp"

namespace scree::clumps {
namespace {

using geometry::dot, geometry::length, geometry::squared_length, geometry::subtract;

/// The heights at which the shape of a horizontal slice through a union changes: the lowest and highest points of
/// spheres and of the circles in which two spheres intersect, and the points in which three intersect. Points inside
/// another sphere are omitted. With `only_in_first`, points outside the first sphere are omitted too.
class CriticalHeights {
 public:
  explicit CriticalHeights(const std::vector<ClumpSphere>& spheres, bool only_in_first = false)
      : spheres_(spheres), only_in_first_(only_in_first) {
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      for (const double side : {-1.0, 1.0}) {
        Real3 pole = spheres[i].center;
        pole[2] += side * spheres[i].radius;
        add(pole, i, i, i);
      }
      for (std::size_t j = i + 1; j < spheres.size(); ++j) add_circle(i, j);
    }
    std::sort(heights_.begin(), heights_.end());
    heights_.erase(std::unique(heights_.begin(), heights_.end()), heights_.end());
  }
  [[nodiscard]] const std::vector<double>& sorted() const { return heights_; }

 private:
  void add(const Real3& point, std::size_t i, std::size_t j, std::size_t k) {
    if (only_in_first_) {
      const double r = spheres_[0].radius * (1 + 1e-9);
      if (squared_length(subtract(point, spheres_[0].center)) > r * r) return;
    }
    for (std::size_t m = only_in_first_ ? 1 : 0; m < spheres_.size(); ++m) {
      const double r = spheres_[m].radius * (1 - 1e-12);
      if (m != i && m != j && m != k && squared_length(subtract(point, spheres_[m].center)) < r * r) return;
    }
    heights_.push_back(point[2]);
  }

  void add_circle(std::size_t i, std::size_t j) {
    const ClumpSphere &a = spheres_[i], &b = spheres_[j];
    const Real3 way = subtract(b.center, a.center);
    const double d = length(way), reach = a.radius + b.radius;
    if (d >= reach || d <= std::fabs(a.radius - b.radius)) return;
    const double along = (d * d + (a.radius - b.radius) * reach) / (2 * d);
    const double radius = std::sqrt(std::max(0.0, (a.radius - along) * (a.radius + along)));
    const Real3 normal = geometry::scaled(way, 1 / d), center = geometry::along(a.center, along, normal);
    const double across2 = normal[0] * normal[0] + normal[1] * normal[1];
    const double rise = across2 < 1e-8 ? across2 : 1 - normal[2] * normal[2];  // a small difference loses its digits
    const Real3 steepest = geometry::unit({-normal[2] * normal[0], -normal[2] * normal[1], rise});
    for (const double side : {-1.0, 1.0}) add(geometry::along(center, side * radius, steepest), i, j, i);
    const Real3 across = geometry::any_normal_to(normal), third = geometry::cross(normal, across);
    for (std::size_t k = j + 1; k < spheres_.size(); ++k) {
      // The circle is p = center + radius (across cos t + third sin t). It meets sphere k where e cos t + f sin t = g.
      const Real3 offset = subtract(center, spheres_[k].center);
      const double e = 2 * radius * dot(offset, across), f = 2 * radius * dot(offset, third);
      const double g = spheres_[k].radius * spheres_[k].radius - radius * radius - squared_length(offset);
      const double h2 = e * e + f * f, root2 = h2 - g * g;
      if (!(root2 > 0)) continue;
      for (const double side : {-1.0, 1.0}) {
        const double root = side * std::sqrt(root2), cosine = (e * g - f * root) / h2, sine = (f * g + e * root) / h2;
        add(geometry::along(geometry::along(center, radius * cosine, across), radius * sine, third), i, j, k);
      }
    }
  }

  const std::vector<ClumpSphere>& spheres_;
  bool only_in_first_;
  std::vector<double> heights_;
};

/// Exact moments of the slice of a union at a height. Keeps its memory between slices.
class SliceOfUnion {
 public:
  Moments at(const std::vector<ClumpSphere>& spheres, double z) {
    cut_.clear();
    for (const auto& s : spheres) {
      const double up = z - s.center[2], r2 = (s.radius - up) * (s.radius + up);
      if (r2 > 0) cut_.push_back({s.center[0], s.center[1], std::sqrt(r2)});
    }
    const PlaneMoments p = discs_.moments(cut_);
    return {p.area, {p.x, p.y, z * p.area}, {p.xx, p.yy, z * z * p.area, z * p.y, z * p.x, p.xy}};
  }

 private:
  DiscUnion discs_;
  std::vector<Disc> cut_;
};

/// Integrates the slices `at(z)` between two heights by Gauss' rule. At both ends the slice grows as a power of the
/// root of the distance, so it is smooth as a function of u with z = a + (b - a) u^2 (3 - 2 u).
template <class SliceAt>
Moments between(double low, double high, const GaussRule& rule, SliceAt&& at) {
  Moments sum;
  for (std::size_t k = 0; k < rule.place.size(); ++k) {
    const double u = 0.5 + 0.5 * rule.place[k];
    const double z = low + (high - low) * (u * u * (3 - 2 * u));
    sum.add(at(z), 0.5 * rule.weight[k] * (high - low) * (6 * u * (1 - u)));
  }
  return sum;
}

template <class SliceAt>
TwoRules over_all(const std::vector<double>& heights, SliceAt&& at) {
  static const GaussRule fine(20), coarse(14);
  TwoRules sum;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    sum.fine.add(between(heights[k], heights[k + 1], fine, at), 1);
    sum.coarse.add(between(heights[k], heights[k + 1], coarse, at), 1);
  }
  return sum;
}

}  // namespace

TwoRules by_slices(const std::vector<ClumpSphere>& spheres) {
  SliceOfUnion slice;
  return over_all(CriticalHeights(spheres).sorted(), [&](double z) { return slice.at(spheres, z); });
}

TwoRules by_parts(const std::vector<ClumpSphere>& spheres, const EarlierOverlaps& earlier) {
  TwoRules sum;
  SliceOfUnion slice;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    // Compute about the centre of the sphere, so that rounding stays small in a long union.
    const auto& [center, radius] = spheres[i];
    std::vector<ClumpSphere> with = {{{}, radius}}, without;
    for (const std::uint32_t j : earlier[i]) {
      without.push_back({subtract(spheres[j].center, center), spheres[j].radius});
    }
    with.insert(with.end(), without.begin(), without.end());
    const TwoRules part = over_all(CriticalHeights(with, true).sorted(), [&](double z) {
      Moments uncovered = slice.at(with, z);
      uncovered.add(slice.at(without, z), -1);
      return uncovered;
    });
    sum.fine.add(moved(part.fine, geometry::scaled(center, -1)), 1);
    sum.coarse.add(moved(part.coarse, geometry::scaled(center, -1)), 1);
  }
  return sum;
}

}  // namespace scree::clumps
