#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/clumps/clump.hpp"
#include "host/clumps/sphere_overlaps.hpp"
#include "host/clumps/union_grid.hpp"
#include "host/clumps/union_slices.hpp"
#include "host/geometry/real3.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::clumps {
namespace {

using geometry::subtract;

/// The largest relative difference of two results, in volume or in second moments about the centre of the first.
double relative_difference(const Moments& a, const Moments& b) {
  const Real3 center = geometry::scaled(a.first, 1 / a.volume);
  const Moments at_a = moved(a, center), at_b = moved(b, center);
  double largest = std::fabs(b.volume / a.volume - 1);
  const double trace = at_a.second[0] + at_a.second[1] + at_a.second[2];
  for (std::size_t k = 0; k < 6; ++k)
    largest = std::max(largest, std::fabs(at_b.second[k] - at_a.second[k]) * 3 / trace);
  return largest;
}

/// The sum of the moments of all spheres about this origin. The spheres must not overlap, but may touch.
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

namespace {

UnionMoments exactly(const TwoRules& rules) {
  return {rules.fine, MassMethod::slices, relative_difference(rules.fine, rules.coarse) + 1e-14};
}

UnionMoments counted_on_grid(const std::vector<ClumpSphere>& spheres, std::size_t resolution) {
  const std::size_t n = resolution == 0 ? usual_resolution(spheres) : resolution;
  UnionMoments result = {on_grid(spheres, n), MassMethod::grid, 0};
  // The error of a grid varies irregularly with its resolution, so that one other grid could agree by chance.
  for (const std::size_t other : {n / 2, n * 5 / 8, n * 3 / 4}) {
    const Moments coarser = on_grid(spheres, std::max<std::size_t>(2, other));
    const double error = 2 * relative_difference(result.moments, coarser);
    result.error = std::isfinite(error) ? std::max(result.error, error) : std::numeric_limits<double>::infinity();
  }
  if (!(result.error <= worst_grid_error)) {
    const std::string off = "their relative error is about " + short_number_text(100 * result.error, 2) +
                            " %, and at most " + short_number_text(100 * worst_grid_error) + " % are accepted";
    if (resolution == 0) {
      throw CaseError("spheres", "have too many overlaps to find mass and inertia on a grid: " + off);
    }
    throw CaseError("resolution", "makes a grid that is too coarse for mass and inertia: " + off +
                                      "; give more cells along the shortest edge, or leave it out");
  }
  return result;
}

/// Moments of a union for which the user gave no resolution.
UnionMoments measured(const std::vector<ClumpSphere>& spheres) {
  if (spheres.size() <= most_exact_spheres) return exactly(by_slices(spheres));
  const EarlierOverlaps earlier = earlier_overlaps(spheres);
  std::size_t pairs = 0;
  for (const auto& of_one : earlier) pairs += of_one.size();
  return pairs <= most_exact_overlaps ? exactly(by_parts(spheres, earlier)) : counted_on_grid(spheres, 0);
}

}  // namespace

UnionMoments union_moments(const std::vector<ClumpSphere>& spheres, const MassChoice& choice) {
  SCREE_EXPECT(!spheres.empty(), "needs a sphere");
  const Real3 origin = origin_near(bounds_of(spheres));
  if (!any_overlap(spheres)) return {in_closed_form(spheres, origin), MassMethod::closed_form, 0};
  // Compute about the centre of the first sphere, so that rounding is small far from the origin.
  const Real3 near = spheres[0].center;
  std::vector<ClumpSphere> local = spheres;
  for (auto& sphere : local) sphere.center = subtract(sphere.center, near);
  UnionMoments result = choice.resolution == 0 ? measured(local) : counted_on_grid(local, choice.resolution);
  result.moments.origin = near;
  result.moments = moved(result.moments, subtract(origin, near));
  return result;
}

}  // namespace scree::clumps
