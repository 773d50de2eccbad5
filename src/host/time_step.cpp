#include "host/time_step.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/contact_values.hpp"
#include "host/meetings.hpp"
#include "host/packing/exact_math.hpp"
#include "host/text.hpp"
#include "scree/elasticity.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The contacts that "auto" allows for: see the measured ones in docs/theory.md.
constexpr double crowd_of_springs = 8, crowd_of_hertz = 5;  // equally stiff ones; under Hertz's force the others are softer than the stiffest
constexpr double crowd_overlap = 0.05;                      // [-] beyond it runs are warned that nothing can be trusted

/// The Rayleigh wave has the speed of the material, unless a pair states stiffer or softer moduli: then the time goes with
/// the square root of those of two spheres of this material over those of the pair.
double rayleigh_time(const Material& material, double radius, const MaterialPair& pair) {
  const double shear_modulus = material.young_modulus / (2 * (1 + material.poisson_ratio));
  const double time = std::numbers::pi * radius * std::sqrt(material.density / shear_modulus) /
                      (0.1631 * material.poisson_ratio + 0.8766);
  if (!pair.effective_young && !pair.effective_shear) return time;
  const EffectiveModuli own = effective_moduli(material, material, {});
  const EffectiveModuli used = effective_moduli(material, material, pair);
  return time * std::sqrt(std::min(own.young / used.young, own.shear / used.shear));
}

double in_series(double k1, double k2) { return k1 > 0 && k2 > 0 ? k1 * k2 / (k1 + k2) : 0; }

/// [N/m] of a bonded contact of a sphere with one that is not smaller, E A / d0.
double bond_stiffness(double young, double radius, double partner_radius) {
  return young * std::numbers::pi * radius * radius / (radius + partner_radius);
}

/// How much stiffer a body is held against rotation by rolling and twisting resistance, than by shear alone.
double rolling_factor(const RollingResistance& rolling, double radius, double partner_radius) {
  return 1 + std::max(rolling.stiffness, rolling.twisting_stiffness) * partner_radius / radius;
}

double sphere_mass(const Material& material, double radius) {
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * material.density;
}

/// Critical step of a mass (or inertia over r^2) between a spring and a dashpot that reach an equal partner:
/// (2/w) (sqrt(1 + z^2) - z) with w^2 = 2 K/m and z w = c/m. The velocity of the dashpot lags by half a step.
double critical_step(double mass, double stiffness, double dashpot) {
  if (!(stiffness > 0) && !(dashpot > 0)) return infinite;
  if (!(dashpot > 0)) return std::numbers::sqrt2 * std::sqrt(1 / (stiffness / mass));
  const double rate = dashpot / mass;
  return 2 / (std::sqrt(2 * stiffness / mass + rate * rate) + rate);
}

/// Springs and dashpots of one contact; those against rolling and twisting over the product of the radii.
struct ContactSprings {
  double normal = 0, shear = 0, normal_dashpot = 0, shear_dashpot = 0;
  double rolling = 0, twisting = 0, rolling_dashpot = 0, twisting_dashpot = 0;
};

/// Those of one contact of a sphere of `radius` with a partner, under a linear law or a bond; without rolling.
ContactSprings linear_springs(const Material& own, double radius, const Partner& partner, const MaterialPair& pair, bool bonded) {
  const LinearSprings& springs = pair.springs;
  const double mass = sphere_mass(own, radius);
  const double partner_mass = partner.wall ? infinite : sphere_mass(partner.material, partner.radius);
  const double effective_mass = partner.wall ? mass : mass * partner_mass / (mass + partner_mass);
  if (bonded) {
    const auto mean = [](double a, double b) { return 0.5 * (a + b); };
    const Material& other = partner.material;
    return {bond_stiffness(mean(own.young_modulus, other.young_modulus), radius, partner.radius),
            bond_stiffness(mean(own.poisson_ratio * own.young_modulus, other.poisson_ratio * other.young_modulus), radius, partner.radius)};
  }
  ContactSprings k{springs.stiffness + springs.stiffness_per_mass * effective_mass,
                   springs.shear_stiffness + springs.shear_per_mass * effective_mass};
  if (springs.from_moduli) {
    const double k1 = 2 * own.young_modulus * radius, k2 = 2 * partner.material.young_modulus * partner.radius;
    k.normal = in_series(k1, k2);
    k.shear = in_series(own.poisson_ratio * k1, partner.material.poisson_ratio * k2);
  }
  k.normal_dashpot = springs.dashpot + 2 * springs.damping_ratio * std::sqrt(k.normal * effective_mass);
  k.shear_dashpot = springs.shear_dashpot + 2 * springs.shear_damping_ratio * std::sqrt(2.0 / 7.0 * k.shear * effective_mass);
  return k;
}

/// Critical step of one such contact.
double critical_step(const Material& own, double radius, const Partner& partner, const MaterialPair& pair, bool bonded) {
  const ContactSprings k = linear_springs(own, radius, partner, pair, bonded);
  const double mass = sphere_mass(own, radius);
  // Rotation: inertia 2/5 m r^2 against r^2 K_T.
  return std::min({critical_step(mass, k.normal, k.normal_dashpot), critical_step(mass, k.shear, k.shear_dashpot),
                   critical_step(0.4 * mass, rolling_factor(pair.rolling, radius, partner.radius) * k.shear, k.shear_dashpot)});
}

/// dt where dt^2 stiffness + 2 dt dashpot = 4, both over the mass.
double stable_step(double stiffness, double dashpot) { return 4 / (dashpot + std::sqrt(dashpot * dashpot + 4 * stiffness)); }

/// Critical step of a sphere with so many contacts with its like in all directions: (2/w)(sqrt(1 + z^2) - z) of translation and rotation.
double crowded_step(const ContactSprings& k, double mass, double contacts) {
  const double third = 2 * contacts / 3 / mass;  // a contact moves two bodies
  const auto turning = [](double shear, double rolling, double twisting) { return (2 * shear + 2 * rolling + twisting) / 0.4; };
  return std::min(stable_step(third * (k.normal + 2 * k.shear), third * (k.normal_dashpot + 2 * k.shear_dashpot)),
                  stable_step(third * turning(k.shear, k.rolling, k.twisting),
                              third * turning(k.shear_dashpot, k.rolling_dashpot, k.twisting_dashpot)));
}

/// Springs of the contact between two equal spheres with the smallest radius of the meeting. A Hertzian contact is taken
/// at this overlap over the radius.
ContactSprings springs_at(const Scene& scene, const Meeting& meeting, double overlap) {
  const Material& own = scene.materials[meeting.material];
  const double radius = meeting.radius, reduced = 0.5 * sphere_mass(own, radius);
  ContactSprings k;
  if (is_linear(meeting.law) || meeting.law == LawKind::bonded) {
    k = linear_springs(own, radius, meeting.partner, meeting.pair, meeting.law == LawKind::bonded);
  } else {
    const EffectiveModuli moduli = effective_moduli(own, meeting.partner.material, meeting.pair);
    const double contact_radius = radius * std::sqrt(0.5 * overlap);
    k.normal = 2 * moduli.young * contact_radius;
    k.shear = 8 * moduli.shear * contact_radius;
    k.normal_dashpot = 2 * meeting.pair.damping_ratio * std::sqrt(reduced * k.normal);
    k.shear_dashpot = 2 * meeting.pair.damping_ratio_shear.value_or(meeting.pair.damping_ratio) * std::sqrt(reduced * k.shear);
  }
  const RollingResistance& rolling = meeting.pair.rolling;
  k.rolling = rolling.stiffness * k.shear;
  k.twisting = rolling.twisting_stiffness * k.shear;
  k.rolling_dashpot = 2 * rolling.damping * std::sqrt(1.4 * reduced * k.rolling);
  k.twisting_dashpot = 2 * rolling.damping * std::sqrt(0.4 * reduced * k.twisting);
  return k;
}

}  // namespace

TimeStepLimit crowded_step_limit(const Scene& scene, const std::vector<std::string>& names) {
  TimeStepLimit limit{infinite, "nothing"};
  for (const Meeting& meeting : meetings(scene)) {
    if (meeting.boundary) { continue; }  // a particle has few contacts with them
    const bool hertz = !is_linear(meeting.law) && meeting.law != LawKind::bonded;
    const double contacts = hertz ? crowd_of_hertz : crowd_of_springs;
    const double value = crowded_step(springs_at(scene, meeting, crowd_overlap), sphere_mass(scene.materials[meeting.material], meeting.radius), contacts);
    if (!(value < limit.value)) { continue; }
    limit.value = value;
    limit.reason = "critical step of " + names[meeting.material] + " spheres of radius " + length_text(meeting.radius) + " with " +
                   short_number_text(contacts) + " contacts" + (hertz ? " that overlap by " + short_number_text(100 * crowd_overlap) + " % of it" : "");
  }
  return limit;
}

TimeStepLimit time_step_limit(const Scene& scene, const std::vector<std::string>& names) {
  TimeStepLimit limit{infinite, "nothing"};
  const auto lower_to = [&](double value, const std::string& what, const Meeting& meeting, const std::string& partner) {
    if (!(value < limit.value)) return;
    limit.value = value;
    limit.reason = what + " " + short_number_text(value, 3) + " s of " + names[meeting.material] + " spheres of radius " +
                   length_text(meeting.radius) + partner;
  };
  const auto partner_name = [&](const Meeting& meeting) {
    if (meeting.boundary) { return "boundary \"" + meeting.boundary->name + "\""; }
    return names[meeting.partner_material] + " spheres of radius " + length_text(meeting.partner.radius);
  };
  std::vector<double> rayleigh(scene.materials.size(), infinite);
  const std::vector<Meeting> all = meetings(scene);
  for (const Meeting& meeting : all) {
    const Material& own = scene.materials[meeting.material];
    if (is_linear(meeting.law) || meeting.law == LawKind::bonded) {
      lower_to(critical_step(own, meeting.radius, meeting.partner, meeting.pair, meeting.law == LawKind::bonded), "critical step", meeting,
               " in contact with " + partner_name(meeting));
    } else {
      rayleigh[meeting.material] =
          std::min(rayleigh[meeting.material],
                   rayleigh_time(own, meeting.radius, meeting.pair) /
                       std::sqrt(rolling_factor(meeting.pair.rolling, meeting.radius, meeting.partner.radius)));
    }
  }
  for (const Meeting& meeting : all) { lower_to(rayleigh[meeting.material], "Rayleigh time", meeting, ""); }
  return limit;
}

double largest_goal_of_stress(const Scene& scene) {
  double largest = 0;
  if (!scene.cell) return 0;
  for (const CellStage& stage : scene.cell->stages) {
    for (const CellGoal& goal : stage.goals) {
      largest = std::max(largest, std::fabs(goal.reverse_at_stress));
      for (const auto& row : goal.table) {
        if (goal.kind == CellGoal::Kind::stress) largest = std::max(largest, std::fabs(row[1]));
      }
    }
  }
  return largest;
}

namespace {

/// Roots that are the same with every C library; of what is out of range the library's will do.
double cube_root(double x) { return x > 0 && std::isnormal(x) ? packing::exact_cbrt(x) : std::cbrt(x); }
double squared_fifth_root(double x) {
  return x > 0 && std::isnormal(x) ? packing::exact_exp(0.4 * packing::exact_log(x)) : std::pow(x, 0.4);
}

}  // namespace

double pressed_step_limit(const Scene& scene, double pressure) {
  constexpr double solid = 0.6, coordination = 6, strong = 2, contacts = 8;
  double limit = infinite;
  for (const Meeting& meeting : meetings(scene)) {
    if (meeting.boundary || is_linear(meeting.law) || meeting.law == LawKind::bonded) continue;
    const EffectiveModuli moduli = effective_moduli(scene.materials[meeting.material], meeting.partner.material, meeting.pair);
    const double radius = meeting.radius, partner = meeting.partner.radius, effective_radius = radius * partner / (radius + partner);
    const double mass = sphere_mass(scene.materials[meeting.material], radius);
    const double force = strong * 4 * std::numbers::pi * radius * radius * pressure / (solid * coordination);
    const double contact_radius = cube_root(0.75 * force * effective_radius / moduli.young);
    const double normal = 2 * moduli.young * contact_radius, shear = 8 * moduli.shear * contact_radius;
    const auto lower = [&](double inertia, double stiffness, double dashpots) {
      const double z = meeting.pair.damping_ratio * std::sqrt(dashpots);
      limit = std::min(limit, std::sqrt(2 * inertia / stiffness) * (std::sqrt(1 + z * z) - z));
    };
    lower(mass, contacts / 3 * (normal + 2 * shear), contacts);
    lower(0.4 * mass, contacts * 2 / 3 * shear * rolling_factor(meeting.pair.rolling, radius, partner), contacts * 2 / 3 / 0.4);
  }
  return limit;
}

AdaptiveStep adaptive_step(const Scene& scene, double safety, double free_limit) {
  AdaptiveStep rule;
  rule.safety = safety;
  rule.free_limit = free_limit;
  for (const Meeting& meeting : meetings(scene)) {
    const Material& own = scene.materials[meeting.material];
    const Partner& partner = meeting.partner;
    if (is_linear(meeting.law) || meeting.law == LawKind::bonded) {
      rule.impact_limit = std::min(
          rule.impact_limit, critical_step(own, meeting.radius, partner, meeting.pair, meeting.law == LawKind::bonded));
      continue;
    }
    const EffectiveModuli moduli = effective_moduli(own, partner.material, meeting.pair);
    const double mass = sphere_mass(own, meeting.radius);
    const double partner_mass = sphere_mass(partner.material, partner.radius);
    const double effective_mass = partner.wall ? mass : mass * partner_mass / (mass + partner_mass);
    const double effective_radius = partner.wall ? meeting.radius : meeting.radius * partner.radius / (meeting.radius + partner.radius);
    const double rotation = 0.4 * 2 * moduli.young / (8 * moduli.shear * rolling_factor(meeting.pair.rolling, meeting.radius, partner.radius));
    const auto limit_at = [&](double contact_radius) {
      return std::numbers::sqrt2 * std::sqrt(mass / (2 * moduli.young * contact_radius) * std::min(1.0, rotation));
    };
    // Largest overlap of an impact at 1 m/s: u^(5/2) = 15 m* v^2 / (16 E* sqrt(R*)).
    const double overlap = squared_fifth_root(15 * effective_mass / (16 * moduli.young * std::sqrt(effective_radius)));
    rule.impact_limit_at_unit_speed = std::min(rule.impact_limit_at_unit_speed, limit_at(std::sqrt(effective_radius * overlap)));
    // An overlap of a millionth of the radius holds nothing: no step is longer than its stiffness allows.
    double least = 1e-3 * effective_radius;
    if (meeting.law == LawKind::jkr) {  // begins with a contact of finite size: a^3 = 4 pi gamma R*^2 / E*
      const double gamma = meeting.pair.surface_energy;
      least = std::max(least, cube_root(4 * std::numbers::pi * gamma * effective_radius * effective_radius / moduli.young));
    }
    rule.impact_limit = std::min(rule.impact_limit, limit_at(least));
  }
  return rule;
}

double rounded_down(double value) {
  SCREE_EXPECT(std::isfinite(value) && value > 0, "needs a positive number");
  std::array<char, 64> text{};
  const auto print = [&](int digits) {
    return std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific, digits).ptr;
  };
  double rounded = 0;
  std::from_chars(text.data(), print(2), rounded);
  if (rounded <= value) return rounded;
  // Rounded up: cut "d.ddddd...e-nn" after the third digit instead.
  const char* end = print(30);
  const auto exponent = std::find(text.data(), text.data() + text.size(), 'e');
  const auto cut = std::string(text.data(), 4) + std::string(static_cast<const char*>(exponent), end);
  std::from_chars(cut.data(), cut.data() + cut.size(), rounded);
  return rounded;
}

std::uint64_t steps_for(double duration, double time_step) {
  SCREE_EXPECT(time_step > 0 && duration >= 0 && duration / time_step < 0x1p53, "a countable number of steps");
  const double quotient = duration / time_step;
  const double nearest = std::round(quotient);
  const bool whole = std::abs(quotient - nearest) <= 1e-9 * std::max(1.0, nearest);
  return static_cast<std::uint64_t>(whole ? nearest : std::ceil(quotient));
}

std::string length_text(double value) {
  const double size = std::fabs(value);
  if (size == 0 || size >= 0.1) return short_number_text(value) + " m";
  return size >= 1e-4 ? short_number_text(value * 1e3) + " mm" : short_number_text(value * 1e6) + " um";
}

}  // namespace scree
