#pragma once

#include "kernels/history/jaeger_segment.hpp"

/// Tractions over the contact circle and energies of a Jaeger contact, from its stack. Sources as in jaeger.hpp; Kuhn
/// 2011, eq. 21.
namespace scree::inline SCREE_BACKEND {

inline constexpr double jaeger_pi = 3.14159265358979323846;

/// [Pa] Hertz's pressure at the distance r [m] from the axis, for half overlap zeta [m] and mean radius R [m]: 3 N / (2
/// pi a^3) sqrt(a^2 - r^2) with a^2 = R zeta; 0 outside the contact circle.
SCREE_HD inline double jaeger_pressure(double hertz, double mean_radius, double zeta, double r) {
  const double square = mean_radius * zeta - r * r;
  return square > 0 ? 1.5 * hertz / (jaeger_pi * mean_radius * math::sqrt(mean_radius)) * math::sqrt(square) : 0.0;
}

/// [Pa] Tangential traction over mu at r [m], in the frame of the contact and in the direction of the tangential force:
/// sum of slope_i (p(r; z_i) - p(r; z_(i-1))). Its length never exceeds the pressure.
template <class R, class Stack>
SCREE_HD Vec2<double> jaeger_traction(const Stack& stack, double hertz, double mean_radius, double r) {
  Vec2<double> traction{0.0, 0.0};
  double before = 0;
  for (std::uint32_t i = 0; i < stack.size(); ++i) {
    const JaegerSegment<R> segment = stack.at(i);
    const double pressure = jaeger_pressure(hertz, mean_radius, segment.end(), r);
    traction += (pressure - before) * segment.slope();
    before = pressure;
  }
  return traction;
}

struct JaegerEnergies {
  double normal;      ///< [J] (4/5) A zeta^2.5
  double tangential;  ///< [J] kappa mu^2 times the integral of w(s) |u(s)|^2
};

/// Energies stored in the contact. With s = t^2 the tangential part is (3/2) A kappa mu^2 times the integral of |u|^2
/// dt. The integrand is a polynomial of degree 4 on each segment, for which three Gauss points are exact.
template <class R, class Stack>
SCREE_HD JaegerEnergies jaeger_energies(const Stack& stack, const JaegerValues<R>& of) {
  constexpr double place = 0.77459666924148337704;  // sqrt(3/5)
  Vec2<double> u{0.0, 0.0};                         // at the upper end of a segment
  double integral = 0;
  for (std::uint32_t i = stack.size(); i-- > 0;) {
    const JaegerSegment<R> segment = stack.at(i);
    const Vec2<double> slope = segment.slope();
    const double end = segment.end(), begin = i > 0 ? stack.at(i - 1).end() : 0.0;
    const double high = math::sqrt(end), low = math::sqrt(begin);
    const double middle = 0.5 * (high + low), half = 0.5 * (high - low);
    double sum = 0;
    for (int k = -1; k <= 1; ++k) {
      const double t = middle + double(k) * place * half;
      const Vec2<double> at = u + (end - t * t) * slope;
      sum += (k == 0 ? 8.0 / 9.0 : 5.0 / 9.0) * dot(at, at);
    }
    integral += half * sum;
    u += (end - begin) * slope;
  }
  const double zeta = stack.size() > 0 ? stack.top().end() : 0.0;
  return {0.8 * of.normal_force(zeta) * zeta,
          1.5 * double(of.hertz) * double(of.friction) / double(of.inverse_reach) * integral};
}

}  // namespace scree::inline SCREE_BACKEND
