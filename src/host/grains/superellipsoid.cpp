#include <algorithm>
#include <cmath>
#include <numbers>

#include "host/geometry/real3.hpp"
#include "host/grains/implicit_solid.hpp"
#include "host/packing/exact_math.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

/// x^p for x >= 0 and p > 0 with the same bits everywhere; 0 for x up to 1e-300.
double power(double x, double p) {
  if (!(x > 1e-300)) return 0;
  if (p == 1) return x;
  if (p == 2) return x * x;
  if (p == 0.5) return std::sqrt(x);
  const double exponent = p * packing::exact_log(x);
  return exponent < -690 ? 0 : packing::exact_exp(std::min(exponent, 690.0));
}

/// The logarithm of the gamma function for x > 0, by Stirling's series after a shift of x to at least 12.
double log_gamma(double x) {
  double product = 1;
  for (; x < 12; x += 1) product *= x;
  const double r = 1 / x, r2 = r * r;
  const double series =
      r *
      (1.0 / 12 - r2 * (1.0 / 360 - r2 * (1.0 / 1260 - r2 * (1.0 / 1680 - r2 * (1.0 / 1188 - r2 * 691.0 / 360360)))));
  return (x - 0.5) * packing::exact_log(x) - x + 0.5 * packing::exact_log(2 * std::numbers::pi) + series -
         packing::exact_log(product);
}

double beta(double a, double b) { return packing::exact_exp(log_gamma(a) + log_gamma(b) - log_gamma(a + b)); }

/// The factor by which a point must be divided to lie on the surface, minus 1, times the shortest half axis [m].
class Gauge final : public Implicit {
 public:
  Gauge(const Real3& half, double e1, double e2)
      : half_(half), e1_(e1), e2_(e2), scale_(std::min({half[0], half[1], half[2]})) {}

  ValueAndGradient at(const Real3& point) const override {
    const Parts p = parts_of(point);
    const double value = scale_ * (p.gauge - 1);
    if (!(p.all > 0)) return {value, {}};
    // d gauge / dx = gauge/all * in_plane/(u + v) * u/x, and so on: each quotient stays finite at x = 0.
    const double common = scale_ * p.gauge / p.all, in_plane = p.u + p.v > 0 ? p.in_plane / (p.u + p.v) : 0;
    const auto over = [](double part, double x) { return part > 0 ? part / x : 0; };
    return {value,
            {common * in_plane * over(p.u, point[0]), common * in_plane * over(p.v, point[1]),
             common * over(p.w, point[2])}};
  }

 private:
  struct Parts {
    double u, v, w, in_plane, all, gauge;
  };
  /// Divides the point by its largest coordinate, so that no power overflows.
  [[nodiscard]] Parts parts_of(const Real3& point) const {
    const double x = std::fabs(point[0] / half_[0]), y = std::fabs(point[1] / half_[1]),
                 z = std::fabs(point[2] / half_[2]), largest = std::max({x, y, z});
    if (!(largest > 1e-290)) return {0, 0, 0, 0, 0, 0};
    Parts p{};
    p.u = power(x / largest, 2 / e2_);
    p.v = power(y / largest, 2 / e2_);
    p.w = power(z / largest, 2 / e1_);
    p.in_plane = power(p.u + p.v, e2_ / e1_);
    p.all = p.in_plane + p.w;
    p.gauge = largest * power(p.all, e1_ / 2);
    return p;
  }

  Real3 half_;
  double e1_, e2_, scale_;
};

/// A grid for the triangles near the surface. It need not be finer along short axes, because triangles are only the
/// start of the search for the nearest point.
Grid grid_around(const Real3& half) {
  const double shortest = std::min({half[0], half[1], half[2]}), longest = std::max({half[0], half[1], half[2]});
  Grid grid;
  grid.spacing = std::max(std::min(shortest / 6, longest / 24), longest / 100);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double steps = std::ceil(half[axis] / grid.spacing) + 2;
    grid.size[axis] = static_cast<std::uint32_t>(2 * steps) + 1;
    grid.origin[axis] = -steps * grid.spacing;
  }
  return grid;
}

class Superellipsoid final : public Solid {
 public:
  Superellipsoid(const Real3& half, double e1, double e2)
      : half_(half), e1_(e1), e2_(e2), gauge_(half, e1, e2), surface_(gauge_, grid_around(half)) {}

  double distance(const Real3& point) const override { return surface_.distance(point); }
  double level(const Real3& point) const override { return gauge_.level(point); }
  /// Jaklic, Leonardis, Solina (2000), chapter 2.
  clumps::Moments moments() const override {
    const auto& [a, b, c] = half_;
    const double abc = a * b * c * e1_ * e2_,
                 across = 0.5 * abc * beta(1.5 * e2_, 0.5 * e2_) * beta(0.5 * e1_, 2 * e1_ + 1);
    return {
        2 * abc * beta(0.5 * e1_ + 1, e1_) * beta(0.5 * e2_, 0.5 * e2_),
        {},
        {across * a * a, across * b * b, abc * c * c * beta(0.5 * e2_, 0.5 * e2_) * beta(1.5 * e1_, e1_ + 1), 0, 0, 0}};
  }
  double reach(const Real3& d) const override {  // the bounding box gives an upper bound
    return half_[0] * std::fabs(d[0]) + half_[1] * std::fabs(d[1]) + half_[2] * std::fabs(d[2]);
  }
  double farthest(const Real3& from) const override {
    double squared = 0;
    for (const Real3& vertex : surface_.triangles().vertices) {
      squared = std::max(squared, geometry::squared_length(geometry::subtract(vertex, from)));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      Real3 end = from;
      end[axis] = std::fabs(end[axis]) + half_[axis];
      squared = std::max(squared, geometry::squared_length(end));
    }
    return std::sqrt(squared);
  }
  const TriangleMesh* triangles() const override { return &surface_.triangles(); }

 private:
  Real3 half_;
  double e1_, e2_;
  Gauge gauge_;
  ImplicitSurface surface_;
};

}  // namespace

SolidPointer make_superellipsoid(const Real3& half_axes, double e1, double e2) {
  SCREE_EXPECT(e1 >= least_exponent && e1 <= most_exponent && e2 >= least_exponent && e2 <= most_exponent,
               "needs exponents from 0.1 to 2");
  return std::make_unique<Superellipsoid>(half_axes, e1, e2);
}

}  // namespace scree::grains
