#include "host/scene/linear_springs.hpp"

#include <cmath>
#include <numbers>

#include "host/case/laws.hpp"
#include "host/packing/exact_math.hpp"

namespace scree {
namespace {

using std::numbers::pi;

/// The argument between `low` and `high` at which a decreasing function has a given value, by bisection.
template <class F>
double where_falling(double low, double high, double value, F&& f) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (f(middle) > value ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

LinearDashpot attracting_dashpot(double restitution) {
  const double log = packing::exact_log(restitution), root = std::sqrt(pi * pi + log * log);
  return {-log / root, root};
}

LinearDashpot exact_dashpot(double restitution) {
  const double loss = -packing::exact_log(restitution);
  if (loss < 2) {
    const auto half_loss = [](double t) {
      const auto [s, c] = packing::exact_sine_cosine(t);
      return t * c / s;
    };
    const double t = where_falling(1e-6, 0.5 * pi, 0.5 * loss, half_loss);
    const auto [s, c] = packing::exact_sine_cosine(t);
    return {loss > 0 ? c : 0, 2 * t / s};
  }
  const auto sinh = [](double t) { return 0.5 * (packing::exact_exp(t) - packing::exact_exp(-t)); };
  const auto cosh = [](double t) { return 0.5 * (packing::exact_exp(t) + packing::exact_exp(-t)); };
  const double t = where_falling(1e-6, 1 + loss, -0.5 * loss, [&](double x) { return -x * cosh(x) / sinh(x); });
  return {cosh(t), 2 * t / sinh(t)};
}

LinearSprings linear_springs(const ContactRule& rule, double restitution, double restitution_tangential) {
  LinearSprings springs;
  const bool exact = rule.exact_restitution.value_or(false);
  const LinearDashpot normal = exact ? exact_dashpot(restitution) : attracting_dashpot(restitution);
  const LinearDashpot shear = attracting_dashpot(restitution_tangential);
  if (rule.contact_time) {
    const double time = *rule.contact_time;
    springs.stiffness_per_mass = normal.duration * normal.duration / (time * time);
    springs.shear_per_mass = 2.0 / 7.0 * shear.duration * shear.duration / (time * time);
  }
  springs.stiffness = rule.normal_stiffness.value_or(0);
  springs.shear_stiffness = rule.shear_stiffness.value_or(0);
  springs.from_moduli = !rule.contact_time && !rule.normal_stiffness && !rule.shear_stiffness;
  if (!needs_of(rule.law).dashpots) return springs;
  springs.dashpot = rule.normal_damping.value_or(0);
  springs.shear_dashpot = rule.shear_damping.value_or(0);
  if (!rule.normal_damping && !rule.shear_damping) {
    springs.damping_ratio = normal.damping_ratio;
    springs.shear_damping_ratio = shear.damping_ratio;
  }
  return springs;
}

}  // namespace scree
