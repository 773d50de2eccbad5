#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/clumps/clump.hpp"
#include "host/clumps/disc_union.hpp"
#include "host/clumps/gauss_rule.hpp"
#include "host/geometry/real3.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

using geometry::dot, geometry::length, geometry::squared_length, geometry::subtract;

/// Heights at which the shape of the slice through a union changes: the ends of spheres, of the circles in which two
/// meet, and the points in which three meet. Those inside another sphere change nothing.
class CriticalHeights {
 public:
  explicit CriticalHeights(const std::vector<ClumpSphere>& spheres) : spheres_(spheres) {
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
    for (std::size_t m = 0; m < spheres_.size(); ++m) {
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
    const Real3 steepest = geometry::unit({-normal[2] * normal[0], -normal[2] * normal[1], 1 - normal[2] * normal[2]});
    for (const double side : {-1.0, 1.0}) add(geometry::along(center, side * radius, steepest), i, j, i);
    const Real3 across = geometry::any_normal_to(normal), third = geometry::cross(normal, across);
    for (std::size_t k = j + 1; k < spheres_.size(); ++k) {
      // On the circle, p = center + radius (across cos t + third sin t); on sphere k too where e cos t + f sin t = g.
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
  std::vector<double> heights_;
};

Moments slice_at(const std::vector<ClumpSphere>& spheres, double z, DiscUnion& discs, std::vector<Disc>& cut) {
  cut.clear();
  for (const auto& s : spheres) {
    const double up = z - s.center[2], r2 = (s.radius - up) * (s.radius + up);
    if (r2 > 0) cut.push_back({s.center[0], s.center[1], std::sqrt(r2)});
  }
  const PlaneMoments p = discs.moments(cut);
  return {p.area, {p.x, p.y, z * p.area}, {p.xx, p.yy, z * z * p.area, z * p.y, z * p.x, p.xy}};
}

/// Gauss' rule between two heights. At both ends the slice grows as a power of the root of the distance: in u with
/// z = a + (b - a) u^2 (3 - 2 u) it is smooth.
Moments between(const std::vector<ClumpSphere>& spheres, double low, double high, const GaussRule& rule,
                DiscUnion& discs) {
  Moments sum;
  std::vector<Disc> cut;
  for (std::size_t k = 0; k < rule.place.size(); ++k) {
    const double u = 0.5 + 0.5 * rule.place[k];
    const double z = low + (high - low) * (u * u * (3 - 2 * u));
    sum.add(slice_at(spheres, z, discs, cut), 0.5 * rule.weight[k] * (high - low) * (6 * u * (1 - u)));
  }
  return sum;
}

/// How much two results differ, relative: the volumes, or the inertia about the centre of the first.
double relative_difference(const Moments& a, const Moments& b) {
  const Real3 center = geometry::scaled(a.first, 1 / a.volume);
  const Moments at_a = moved(a, center), at_b = moved(b, center);
  double largest = std::fabs(b.volume / a.volume - 1);
  const double trace = at_a.second[0] + at_a.second[1] + at_a.second[2];
  for (std::size_t k = 0; k < 6; ++k)
    largest = std::max(largest, std::fabs(at_b.second[k] - at_a.second[k]) * 3 / trace);
  return largest;
}

UnionMoments by_slices(const std::vector<ClumpSphere>& spheres) {
  const auto heights = CriticalHeights(spheres).sorted();
  const GaussRule fine(20), coarse(14);
  DiscUnion discs;
  Moments sum, check;
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    sum.add(between(spheres, heights[k], heights[k + 1], fine, discs), 1);
    check.add(between(spheres, heights[k], heights[k + 1], coarse, discs), 1);
  }
  return {sum, MassMethod::slices, relative_difference(sum, check) + 1e-14};
}

geometry::Bounds bounds_of(const std::vector<ClumpSphere>& spheres) {
  geometry::Bounds box{spheres[0].center, spheres[0].center};
  for (const auto& [c, r] : spheres) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = std::min(box.lower[k], c[k] - r);
      box.upper[k] = std::max(box.upper[k], c[k] + r);
    }
  }
  return box;
}

/// Sphere by sphere, about this origin; also where they touch.
Moments in_closed_form(const std::vector<ClumpSphere>& spheres, const Real3& origin) {
  Moments sum;
  sum.origin = origin;
  for (const auto& [center, r] : spheres) {
    const Real3 c = subtract(center, origin);
    const double volume = 4 * std::numbers::pi / 3 * r * r * r, own = volume * r * r / 5;
    sum.add({volume,
             geometry::scaled(c, volume),
             {volume * c[0] * c[0] + own, volume * c[1] * c[1] + own, volume * c[2] * c[2] + own, volume * c[1] * c[2],
              volume * c[2] * c[0], volume * c[0] * c[1]}},
            1);
  }
  return sum;
}

/// Equal cells that fill the box exactly, `n` on its shortest edge; a cell counts when its centre is in a sphere.
Moments on_grid(const std::vector<ClumpSphere>& spheres, unsigned n) {
  Real3 low = spheres[0].center, high = low, step{};
  for (const auto& s : spheres) {
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], s.center[k] - s.radius);
      high[k] = std::max(high[k], s.center[k] + s.radius);
    }
  }
  const double edge = std::min({high[0] - low[0], high[1] - low[1], high[2] - low[2]}) / n;
  std::array<std::size_t, 3> cells{};
  for (std::size_t k = 0; k < 3; ++k) {
    cells[k] = static_cast<std::size_t>(std::floor((high[k] - low[k]) / edge + 0.5));
    step[k] = (high[k] - low[k]) / static_cast<double>(cells[k]);
  }
  constexpr double most_cells = 4e9;
  const double all = static_cast<double>(cells[0]) * static_cast<double>(cells[1]) * static_cast<double>(cells[2]);
  if (all > most_cells) {
    throw CaseError("resolution", "makes a grid of " + short_number_text(all) + " cells over all spheres, more than " +
                                      short_number_text(most_cells) + "; give fewer along the shortest edge");
  }
  const double cell = step[0] * step[1] * step[2];
  const auto middle = [&](std::size_t axis, std::size_t i) {
    return low[axis] + (static_cast<double>(i) + 0.5) * step[axis];
  };
  std::vector<char> filled(cells[2]);
  Moments sum;
  for (std::size_t i = 0; i < cells[0]; ++i) {
    for (std::size_t j = 0; j < cells[1]; ++j) {
      const double x = middle(0, i), y = middle(1, j);
      std::fill(filled.begin(), filled.end(), 0);
      for (const auto& [c, r] : spheres) {
        const double left = r * r - (x - c[0]) * (x - c[0]) - (y - c[1]) * (y - c[1]);
        if (left <= 0) continue;
        const double half = std::sqrt(left), last = static_cast<double>(cells[2]);
        const auto from =
            static_cast<std::size_t>(std::clamp(std::ceil((c[2] - half - low[2]) / step[2] - 0.5), 0.0, last));
        const auto to =
            static_cast<std::size_t>(std::clamp(std::floor((c[2] + half - low[2]) / step[2] + 0.5), 0.0, last));
        for (std::size_t m = from; m < to; ++m) filled[m] = 1;
      }
      double count = 0, z1 = 0, z2 = 0;
      for (std::size_t m = 0; m < cells[2]; ++m) {
        if (filled[m] == 0) continue;
        const double z = middle(2, m);
        count += 1, z1 += z, z2 += z * z;
      }
      const auto own = [&](std::size_t k) { return count * step[k] * step[k] / 12; };  // of a cell about its centre
      sum.add({count,
               {count * x, count * y, z1},
               {count * x * x + own(0), count * y * y + own(1), z2 + own(2), y * z1, x * z1, count * x * y}},
              cell);
    }
  }
  return sum;
}

}  // namespace

void Moments::add(const Moments& other, double factor) {
  volume += factor * other.volume;
  for (std::size_t k = 0; k < 3; ++k) first[k] += factor * other.first[k];
  for (std::size_t k = 0; k < 6; ++k) second[k] += factor * other.second[k];
}

Moments moved(const Moments& m, const Real3& by) {
  Moments r = m;
  r.origin = geometry::add(m.origin, by);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    r.first[k] = m.first[k] - m.volume * by[k];
    r.second[k] = m.second[k] - 2 * by[k] * m.first[k] + m.volume * by[k] * by[k];
    r.second[3 + k] = m.second[3 + k] - by[i] * m.first[j] - by[j] * m.first[i] + m.volume * by[i] * by[j];
  }
  return r;
}

Real3 origin_near(const geometry::Bounds& box) {
  Real3 origin{};
  for (std::size_t k = 0; k < 3; ++k) {
    const double far = 4 * (box.upper[k] - box.lower[k]);
    origin[k] = std::clamp(0.0, box.lower[k] - far, box.upper[k] + far);
  }
  return origin;
}

bool any_overlap(const std::vector<ClumpSphere>& spheres) {
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (std::size_t j = i + 1; j < spheres.size(); ++j) {
      const ClumpSphere &a = spheres[i], &b = spheres[j];
      const double gap = length(subtract(b.center, a.center)) - a.radius - b.radius;
      if (gap < -1e-12 * std::min(a.radius, b.radius)) return true;
    }
  }
  return false;
}

UnionMoments union_moments(const std::vector<ClumpSphere>& spheres, const MassChoice& choice) {
  SCREE_EXPECT(!spheres.empty(), "needs a sphere");
  const Real3 origin = origin_near(bounds_of(spheres));
  if (!any_overlap(spheres)) return {in_closed_form(spheres, origin), MassMethod::closed_form, 0};
  // First about the first centre, so that little is lost to rounding far from the origin.
  const Real3 near = spheres[0].center;
  std::vector<ClumpSphere> local = spheres;
  for (auto& sphere : local) sphere.center = subtract(sphere.center, near);
  UnionMoments result;
  if (choice.resolution == 0 && spheres.size() <= most_exact_spheres) {
    result = by_slices(local);
  } else {
    const unsigned n = choice.resolution == 0 ? default_resolution : choice.resolution;
    result = {on_grid(local, n), MassMethod::grid, 0};
    // Errors of a grid jump up and down with its resolution, so that one other grid could agree by chance.
    for (const unsigned other : {n / 2, n * 5 / 8, n * 3 / 4}) {
      result.error =
          std::max(result.error, 2 * relative_difference(result.moments, on_grid(local, std::max(2U, other))));
    }
  }
  result.moments.origin = near;
  result.moments = moved(result.moments, subtract(origin, near));
  return result;
}

}  // namespace scree::clumps
