#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "kernels/history/jaeger_traction.hpp"
#include "kernels/laws/jaeger.hpp"
#include "scree/tractions.hpp"

namespace scree::inline SCREE_BACKEND {

/// Adds the integral over a ring of the contact circle, from r^2 = `square` - v1^2 to `square` - v0^2, by 8 Gauss
/// points in v.
template <class Pressure, class Traction>
void add_ring(std::array<double, 3>& sum, double square, double v0, double v1, Pressure&& pressure,
              Traction&& traction) {
  constexpr std::array<double, 4> place = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                           0.9602898564975363};
  constexpr std::array<double, 4> weight = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                            0.1012285362903763};
  const double middle = 0.5 * (v0 + v1), half = 0.5 * (v1 - v0);
  for (int k = -4; k < 4; ++k) {
    const auto i = static_cast<std::size_t>(k < 0 ? -k - 1 : k);
    const double v = middle + half * (k < 0 ? -place[i] : place[i]);
    const double r = std::sqrt(std::max(square - v * v, 0.0));
    const double area = half * weight[i] * 2 * jaeger_pi * v;  // pi d(r^2)
    const Vec2<double> q = traction(r);
    sum[0] += area * pressure(r), sum[1] += area * q.x, sum[2] += area * q.y;
  }
}

/// Integrals [N] of pressure and traction over the contact circle. Both have kinks where segments end. Between two
/// kinks they are smooth functions of v, where v^2 is the difference of r^2 at the outer kink and r^2. The closer the
/// next kink outside is, the faster they change near v = 0, and the thinner the rings must be there.
template <class Pressure, class Traction>
std::array<double, 3> traction_sums(const std::vector<double>& square_radius, Pressure&& pressure,
                                    Traction&& traction) {
  constexpr int most_rings = 24;
  std::array<double, 3> sum{};
  double below = 0;
  for (std::size_t i = 0; i < square_radius.size(); ++i) {
    const double square = square_radius[i];
    const double after =
        i + 1 < square_radius.size() ? std::sqrt(std::max(square_radius[i + 1] - square, 0.0)) : std::sqrt(square);
    double outer = std::sqrt(std::max(square - below, 0.0));
    for (int k = 0; k < most_rings && outer > after; ++k) {
      add_ring(sum, square, 0.25 * outer, outer, pressure, traction);
      outer *= 0.25;
    }
    add_ring(sum, square, 0, outer, pressure, traction);
    below = square;
  }
  return sum;
}

/// The tractions of a contact with the segments `deep` below its record, from bottom to top. If `points` is 0, only
/// forces and segments are filled in.
template <class R>
ContactTractions tractions_of(const JaegerRecord<R>& history, std::vector<JaegerSegment<R>> deep,
                              const JaegerParams<R>& p, double effective_radius, const Vec3<R>& normal,
                              std::size_t points) {
  const JaegerTop<R> top = history.top();
  std::vector<JaegerSegment<R>> all = std::move(deep);
  if (top.end2 != 0) { all.push_back({top.end2, top.slope2}); }
  if (top.end1 != 0) { all.push_back({top.end1, top.slope1}); }
  const JaegerSpan<R> stack{all.data(), static_cast<std::uint32_t>(all.size())};

  const double friction = double(p.friction), mean_radius = 2 * effective_radius;
  const double zeta = all.empty() ? 0 : all.back().end();
  const double hertz = double(Jaeger<R>::hertz_constant(p, static_cast<R>(effective_radius)));
  const auto pressure = [&](double r) { return jaeger_pressure(hertz, mean_radius, zeta, r); };
  const auto traction = [&](double r) { return friction * jaeger_traction<R>(stack, hertz, mean_radius, r); };

  ContactTractions result;
  result.contact_radius = std::sqrt(mean_radius * zeta);
  result.friction = friction;
  result.normal_force = hertz * zeta * std::sqrt(zeta);
  const ContactFrame<R> frame = ContactFrame<R>::of(normal, history.e1);
  const auto real3 = [](const Vec3<R>& v) { return Real3{double(v.x), double(v.y), double(v.z)}; };
  result.normal = real3(normal);
  result.tangent = {real3(frame.e1), real3(frame.e2)};
  result.tangential_force = {friction * top.force.x, friction * top.force.y};
  std::vector<double> kinks;
  for (const JaegerSegment<R>& segment : all) {
    kinks.push_back(mean_radius * segment.end());
    const Vec2<double> slope = segment.slope();
    result.segments.push_back({std::sqrt(kinks.back()), {slope.x, slope.y}, segment.slips()});
  }
  if (points == 0) { return result; }
  const auto sums = traction_sums(kinks, pressure, traction);
  result.pressure_sum = sums[0];
  result.traction_sum = {sums[1], sums[2]};
  for (std::size_t k = 0; k < points; ++k) {
    const double r = result.contact_radius * double(k) / double(std::max<std::size_t>(points - 1, 1));
    const Vec2<double> q = traction(r);
    result.r.push_back(r);
    result.pressure.push_back(pressure(r));
    result.traction.push_back({q.x, q.y});
  }
  return result;
}

}  // namespace scree::inline SCREE_BACKEND
