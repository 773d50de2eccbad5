#pragma once

#include "kernels/heat/heat_model.hpp"
#include "kernels/math/functions.hpp"
#include "kernels/math/logarithm.hpp"

/// Conductances between two bodies. All of it is in double.
namespace scree::inline SCREE_BACKEND {

inline constexpr double stefan_boltzmann = 5.670374419e-8;  ///< [W/(m2 K4)]

/// [m] Radius of the circle in which bodies with this effective radius and overlap touch (Hertz); 0 if they do not.
SCREE_HD inline double contact_radius(double effective_radius, double overlap) {
  return math::sqrt(effective_radius * math::max(overlap, 0.0));
}

/// The gap between two spheres of one radius r, or between such a sphere and a plane, at a distance rho from the line
/// of their centres: D - m sqrt(r^2 - rho^2), with m = 2 spheres or 1, and D = m r + gap.
struct Gap {
  double radius;     ///< [m] r
  double at_centre;  ///< [m] the least gap; 0 for bodies that overlap, however deep
  double n_spheres;  ///< [-] m
};

/// The gap between two spheres. Those of different size count as two of their harmonic mean radius.
SCREE_HD inline Gap gap_of_pair(double radius1, double radius2, double gap) {
  return {2 * radius1 * radius2 / (radius1 + radius2), math::max(gap, 0.0), 2};
}
SCREE_HD inline Gap gap_at_wall(double radius, double gap) { return {radius, math::max(gap, 0.0), 1}; }

/// [W/K] Conductance of the gas in a gap, with straight lines of flow along the line of centres. It conducts where the
/// gap l is below the film's thickness L, outside of the circle of contact, and as if l were not below the least gap s:
/// the integral of 2 pi rho k / max(l, s). With u = sqrt(r^2 - rho^2) the part with l > s is 2 pi k times the integral
/// of u / (D - m u), which is -u / m - D / m^2 ln(D - m u). Where the film ends its conductance is 0, so nothing jumps.
/// All parts are computed, then chosen from, so that a vector loop can do it.
SCREE_HD inline double gas_conductance(const HeatModel& model, const Gap& gap, double contact_radius) {
  const double m = gap.n_spheres, r = gap.radius;
  const double widest = model.film * r;
  const double distance = m * r + gap.at_centre;
  const double nearest = math::max(gap.at_centre, model.least_gap);
  const double u_end = math::max((distance - widest) / m, 0.0);
  const double rest = math::sqrt(math::max(r * r - contact_radius * contact_radius, 0.0));
  const double u_least = math::min((distance - nearest) / m, r);
  const double circle = rest * rest - u_least * u_least;  // rho^2 up to the least gap, without the contact
  const double u_begin = math::min(u_least, rest);
  const double below = 0.5 * math::max(circle, 0.0) / nearest;
  const double ratio = (distance - m * u_end) / (distance - m * u_begin);
  const double above = distance / (m * m) * math::logarithm(ratio) - (u_begin - u_end) / m;
  const double integral = u_begin > u_end ? below + above : below;
  const double full_turn = gap.at_centre < widest ? 2 * 3.14159265358979323846 : 0;
  return full_turn * model.gas_conductivity * integral;
}

/// [m2] Area of a sphere times the share of its radiation that meets another one at a distance d of their centres, when
/// nothing stands between them: the leading term pi r1^2 r2^2 / d^2 for far spheres, and two terms that were fitted to
/// the double integral over the surfaces. It is within 2 % of it for all distances, and radii that differ up to
/// tenfold.
SCREE_HD inline double exchange_area(double radius1, double radius2, double distance) {
  const double a = radius1 * radius1, b = radius2 * radius2, d = distance * distance;
  const double x = (a + b) / d;
  return 3.14159265358979323846 * a * b / d * (1 + (0.21 + 0.355 * x) * x);
}

/// [W/K] Radiation over the difference of two temperatures [K], of grey bodies that see each other with this exchange
/// area: sigma (T1^2 + T2^2) (T1 + T2) over the sum of the resistances of the surfaces and of the space between them.
SCREE_HD inline double radiation_conductance(double exchange, double surface_resistances, double t1, double t2) {
  const double resistance = surface_resistances + 1 / exchange;
  return stefan_boltzmann * (t1 * t1 + t2 * t2) * (t1 + t2) / resistance;
}

/// [1/m2] Resistance of the surface of a grey sphere, (1 - e) / (e A).
SCREE_HD inline double surface_resistance(double emissivity, double radius) {
  return (1 - emissivity) / (emissivity * (4 * 3.14159265358979323846 * radius * radius));
}

}  // namespace scree::inline SCREE_BACKEND
