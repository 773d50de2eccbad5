#include "host/scene/contact_springs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "host/case/laws.hpp"
#include "host/geometry/sphere_volume.hpp"
#include "host/packing/exact_math.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

double in_series(double k1, double k2) { return k1 > 0 && k2 > 0 ? k1 * k2 / (k1 + k2) : 0; }

double effective_mass(const ContactSide& own, const ContactSide& partner) {
  return std::isinf(partner.mass) ? own.mass : own.mass * partner.mass / (own.mass + partner.mass);
}

/// [m] R* of two spheres, or of a sphere at a boundary, which has no curvature.
double effective_radius(const ContactSide& own, const ContactSide& partner) {
  return std::isinf(partner.mass) ? own.radius : own.radius * partner.radius / (own.radius + partner.radius);
}

/// [N/m] Stiffness E A / d0 of a bond between a sphere and one that is not smaller. Level-set grains may have a
/// stiffness per area [Pa/m] instead.
double bond_stiffness(double young, const std::optional<double>& per_area, double radius, double partner_radius) {
  return per_area.value_or(young / (radius + partner_radius)) * std::numbers::pi * radius * radius;
}

}  // namespace

double sphere_mass(const Material& material, double radius) {
  return geometry::sphere_volume(radius) * material.density;
}

double bridge_volume(const LiquidBridges& liquid, double radius) {
  if (liquid.volume) return *liquid.volume;
  return *liquid.volume_fraction * 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

void add_liquid(ContactSprings& springs, const MaterialPair& pair, const ContactSide& own, const ContactSide& partner) {
  if (!pair.liquid || !pair.liquid->viscosity) return;
  const double reduced = effective_radius(own, partner);
  const double drag = 6 * std::numbers::pi * *pair.liquid->viscosity * reduced,
               ratio = reduced / *pair.liquid->roughness;
  springs.normal_dashpot += drag * ratio;
  const double logarithm = 2 * (std::sqrt(std::max(ratio, 1.0)) - 1);  // upper bound of ln(ratio)
  springs.shear_dashpot += drag * (8.0 / 15 * logarithm + 0.9588);
}

double unloading_factor(const MaterialPair& pair) { return 1 / (1 - pair.plasticity.ratio); }

ContactSprings linear_springs(const Material& own_material, const ContactSide& own, const Material& partner_material,
                              const ContactSide& partner, const MaterialPair& pair, bool bonded) {
  const LinearSprings& springs = pair.springs;
  const double mass = effective_mass(own, partner);
  if (bonded) {
    const auto mean = [](double a, double b) { return 0.5 * (a + b); };
    const auto shear_modulus = [](const Material& m) { return m.poisson_ratio * m.young_modulus; };
    const Bond& bond = pair.bond;
    std::optional<double> shear = bond.shear_stiffness;
    if (!shear && bond.normal_stiffness) {
      shear = mean(own_material.poisson_ratio, partner_material.poisson_ratio) * *bond.normal_stiffness;
    }
    ContactSprings k{bond_stiffness(mean(own_material.young_modulus, partner_material.young_modulus),
                                    bond.normal_stiffness, own.radius, partner.radius),
                     bond_stiffness(mean(shear_modulus(own_material), shear_modulus(partner_material)), shear,
                                    own.radius, partner.radius)};
    k.normal_dashpot = 2 * bond.damping * std::sqrt(k.normal * mass);
    k.shear_dashpot = 2 * bond.damping * std::sqrt(k.shear * mass);
    return k;
  }
  ContactSprings k{springs.stiffness + springs.stiffness_per_mass * mass,
                   springs.shear_stiffness + springs.shear_per_mass * mass};
  if (springs.from_moduli) {
    const double k1 = 2 * own_material.young_modulus * own.radius,
                 k2 = 2 * partner_material.young_modulus * partner.radius;
    k.normal = in_series(k1, k2);
    k.shear = in_series(own_material.poisson_ratio * k1, partner_material.poisson_ratio * k2);
  }
  k.normal_dashpot = springs.dashpot + 2 * springs.damping_ratio * std::sqrt(k.normal * mass);
  k.shear_dashpot = springs.shear_dashpot + 2 * springs.shear_damping_ratio * std::sqrt(2.0 / 7.0 * k.shear * mass);
  k.normal *= unloading_factor(pair);
  return k;
}

ContactSprings hertz_springs(const EffectiveModuli& moduli, const ContactSide& own, const ContactSide& partner,
                             const MaterialPair& pair, double overlap) {
  const double mass = effective_mass(own, partner);
  const double contact_radius = std::sqrt(effective_radius(own, partner) * overlap);
  ContactSprings k{2 * moduli.young * contact_radius, 8 * moduli.shear * contact_radius};
  k.normal_dashpot = 2 * pair.damping_ratio * std::sqrt(mass * k.normal);
  k.shear_dashpot = 2 * pair.damping_ratio_shear.value_or(pair.damping_ratio) * std::sqrt(mass * k.shear);
  k.normal *= unloading_factor(pair);
  return k;
}

bool is_widened_by_adhesion(LawKind law, const MaterialPair& pair) {
  return needs_of(law).holds_apart && !pair.liquid && pair.surface_energy > 0;
}

/// Solves a^2/R* - sqrt(4 pi gamma a / E*) = overlap for s = sqrt(a) by Newton's method. The function is convex, and
/// the first value lies above the solution, so the values fall until they are as near as rounding allows.
double overlap_of_same_width(const EffectiveModuli& moduli, const ContactSide& own, const ContactSide& partner,
                             const MaterialPair& pair, double overlap) {
  const double radius = effective_radius(own, partner);
  const double pull = std::sqrt(4 * std::numbers::pi * pair.surface_energy / moduli.young);
  double root = std::sqrt(std::sqrt(radius * overlap)) + packing::exact_cbrt(radius * pull);
  for (;;) {
    const double cube = root * root * root;
    const double next = root - (cube * root / radius - pull * root - overlap) / (4 * cube / radius - pull);
    if (!(next < root)) { break; }
    root = next;
  }
  return root * root * root * root / radius;
}

void add_rolling(ContactSprings& springs, const RollingResistance& rolling, const ContactSide& own,
                 const ContactSide& partner) {
  const double product = own.radius * partner.radius, inertia = effective_mass(own, partner) * product;
  springs.rolling = rolling.stiffness * product * springs.shear;
  springs.twisting = rolling.twisting_stiffness * product * springs.shear;
  springs.rolling_dashpot = 2 * rolling.damping * std::sqrt(1.4 * inertia * springs.rolling);
  springs.twisting_dashpot = 2 * rolling.damping * std::sqrt(0.4 * inertia * springs.twisting);
}

}  // namespace scree
