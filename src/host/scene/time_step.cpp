#include "host/scene/time_step.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "host/case/laws.hpp"
#include "host/geometry/infinite.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/servo_goal.hpp"
#include "host/text/text.hpp"
#include "scree/elasticity.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

/// [s] The Rayleigh time of a sphere. If the pair states moduli of its own, the time is multiplied by the square root
/// of the effective modulus of two spheres of this material over that of the pair.
double rayleigh_time(const Material& material, double radius, const MaterialPair& pair) {
  const double shear_modulus = material.young_modulus / (2 * (1 + material.poisson_ratio));
  const double time = std::numbers::pi * radius * std::sqrt(material.density / shear_modulus) /
                      (0.1631 * material.poisson_ratio + 0.8766);
  if (!pair.effective_young && !pair.effective_shear) return time;
  const EffectiveModuli own = effective_moduli(material, material, {});
  const EffectiveModuli used = effective_moduli(material, material, pair);
  return time * std::sqrt(std::min(own.young / used.young, own.shear / used.shear));
}

/// [-] The factor by which rolling and twisting resistance stiffen the rotation of a body, compared to shear alone.
double rolling_factor(const RollingResistance& rolling, double radius, double partner_radius) {
  return 1 + std::max(rolling.stiffness, rolling.twisting_stiffness) * partner_radius / radius;
}

/// [s] Critical step of a mass (or inertia over r^2) that a spring and a dashpot connect to an equal mass:
/// (2/w) (sqrt(1 + z^2) - z) with w^2 = 2 K/m and z w = c/m. The damping ratio z enters because the velocity in the
/// dashpot lags by half a step.
double critical_step(double mass, double stiffness, double dashpot) {
  if (!(stiffness > 0) && !(dashpot > 0)) return infinite;
  if (!(dashpot > 0)) return std::numbers::sqrt2 * std::sqrt(1 / (stiffness / mass));
  const double rate = dashpot / mass;
  return 2 / (std::sqrt(2 * stiffness / mass + rate * rate) + rate);
}

ContactSide side_of(const Partner& partner) {
  return {partner.radius, partner.wall ? infinite : sphere_mass(partner.material, partner.radius)};
}

/// [-] The factor on the dashpots of a meeting. Springs and given dashpots of a grain grow with the area in contact.
/// But dashpots that follow from mass and stiffness take the mass over the sum of the weights of all nodes, so they
/// grow only with the square root of the area.
double dashpot_share(const Meeting& meeting) {
  const LinearSprings& springs = meeting.pair.springs;
  return springs.dashpot > 0 || springs.shear_dashpot > 0 ? 1 : 1 / std::sqrt(meeting.hold.area);
}

/// [s] Critical step of one contact of a sphere or grain with a partner, under a linear law or a bond.
double critical_step(const Material& own, const Meeting& meeting) {
  const double radius = meeting.radius, mass = sphere_mass(own, radius);
  const Partner& partner = meeting.partner;
  const ContactSide side{radius, mass}, other = side_of(partner);
  ContactSprings k =
      linear_springs(own, side, partner.material, other, meeting.pair, needs_of(meeting.law).makes_bonds());
  add_liquid(k, meeting.pair, side, other);
  const BodyHold& hold = meeting.hold;
  const double share = dashpot_share(meeting);
  k.normal_dashpot *= share, k.shear_dashpot *= share;
  // In rotation, the inertia of a sphere is 2/5 m r^2 and the stiffness r^2 K_T.
  return std::min(
      {critical_step(hold.normal * mass, k.normal, k.normal_dashpot),
       critical_step(hold.shear * mass, k.shear, k.shear_dashpot),
       critical_step(hold.turn * mass, rolling_factor(meeting.pair.rolling, radius, partner.radius) * k.shear,
                     k.shear_dashpot)});
}

/// [-] The effective mass at the stiffest spring of a Hertzian contact, over that of a sphere; at most 1.
double least_share(const BodyHold& hold) {
  return std::min({1.0, hold.normal, hold.shear, hold.turn / BodyHold{}.turn});
}

/// [s] Critical step of the dashpots of a viscous liquid alone; infinite without such a liquid.
double viscous_step(const Material& own, double radius, const Partner& partner, const MaterialPair& pair) {
  const ContactSide side{radius, sphere_mass(own, radius)};
  ContactSprings k;
  add_liquid(k, pair, side, side_of(partner));
  return std::min(critical_step(side.mass, 0, k.normal_dashpot), critical_step(0.4 * side.mass, 0, k.shear_dashpot));
}

}  // namespace

TimeStepLimit time_step_limit(const Scene& scene, const std::vector<std::string>& names) {
  TimeStepLimit limit{infinite, "nothing"};
  const auto lower_to = [&](double value, const std::string& what, const Meeting& meeting, const std::string& partner) {
    if (!(value < limit.value)) return;
    limit.value = value;
    limit.reason = what + " " + short_number_text(value, 3) + " s of " + names[meeting.material] +
                   (meeting.grain != nullptr ? " grains \"" + meeting.grain->name + "\"" : " spheres") + " of radius " +
                   length_text(meeting.radius) + partner;
  };
  const auto partner_name = [&](const Meeting& meeting) {
    if (meeting.boundary) { return "boundary \"" + meeting.boundary->name + "\""; }
    return names[meeting.partner_material] +
           (scene.is_of_grains(meeting.partner_material) ? " grains of radius " : " spheres of radius ") +
           length_text(meeting.partner.radius);
  };
  std::map<std::pair<std::size_t, const GrainShape*>, double> rayleigh;  // [s] least time by material and grain shape
  const std::vector<Meeting> all = meetings(scene);
  for (const Meeting& meeting : all) {
    const Material& own = scene.materials[meeting.material];
    if (needs_of(meeting.law).held_by != HeldBy::hertz) {
      lower_to(critical_step(own, meeting), "critical step", meeting, " in contact with " + partner_name(meeting));
    } else {
      double& least = rayleigh.try_emplace({meeting.material, meeting.grain}, infinite).first->second;
      double time = rayleigh_time(own, meeting.radius, meeting.pair) /
                    std::sqrt(unloading_factor(meeting.pair) *
                              rolling_factor(meeting.pair.rolling, meeting.radius, meeting.partner.radius));
      if (meeting.grain != nullptr) time *= std::sqrt(least_share(meeting.hold));
      least = std::min(least, time);
      lower_to(viscous_step(own, meeting.radius, meeting.partner, meeting.pair), "step of the viscous liquid", meeting,
               " in contact with " + partner_name(meeting));
    }
  }
  for (const Meeting& meeting : all) {
    const auto found = rayleigh.find({meeting.material, meeting.grain});
    if (found != rayleigh.end()) { lower_to(found->second, "Rayleigh time", meeting, ""); }
  }
  return limit;
}

namespace {

/// [m2] The area on which the force of a wall acts: the area of its servo, or the area that its mesh covers across its
/// direction; 0 if it is not known.
double area_under_force(const Scene& scene, const SceneBoundary& wall) {
  if (const double known = area_now(scene, *wall.servo, {}); known > 0) { return known; }
  double facing = 0, all = 0;  // an open surface has only a front; a closed one has a front and an equal back
  for (const auto& corners : wall.mesh.triangles) {
    const Real3& a = wall.mesh.vertices[corners[0]];
    const Real3 twice = geometry::cross(geometry::subtract(wall.mesh.vertices[corners[1]], a),
                                        geometry::subtract(wall.mesh.vertices[corners[2]], a));
    const double part = geometry::dot(twice, wall.servo->direction) / 2;
    facing += part;
    all += std::fabs(part);
  }
  return std::max(std::fabs(facing), all / 2);
}

}  // namespace

GoalOfStress largest_goal_of_stress(const Scene& scene) {
  GoalOfStress largest;
  const auto note = [&](double stress, bool of_servo) {
    if (std::fabs(stress) > largest.pressure) largest = {std::fabs(stress), of_servo};
  };
  const auto note_table = [&](const TimeTable& table, bool of_servo, double area = 1) {
    for (const auto& row : table) { note(row[1] / area, of_servo); }
  };
  for (std::uint32_t b = 0; b < scene.boundaries.size(); ++b) {
    const auto& servo = scene.boundaries[b].servo;
    if (!servo) continue;
    const double area = servo->stress ? 1 : area_under_force(scene, scene.boundaries[b]);
    if (!(area > 0)) continue;
    note_table(servo->stress ? *servo->stress : servo->force.value_or(TimeTable{}), true, area);
    for (const SceneStage& stage : scene.stages) {
      for (const SceneStagedBoundary& change : stage.boundaries) {
        if (change.boundary != b) continue;
        note_table((servo->stress ? change.stress : change.servo_force).value_or(TimeTable{}), true, area);
      }
    }
  }
  if (!scene.cell) return largest;
  for (const CellStage& stage : scene.cell->stages) {
    for (const CellGoal& goal : stage.goals) {
      note(goal.reverse_at_stress, false);
      if (goal.kind == CellGoal::Kind::stress) { note_table(goal.table, false); }
    }
  }
  return largest;
}

namespace {

/// Roots that have the same bits with every C library. For numbers outside of the range of the exact functions, such as
/// 0, they use the C library.
double cube_root(double x) { return x > 0 && std::isnormal(x) ? packing::exact_cbrt(x) : std::cbrt(x); }
double squared_fifth_root(double x) {
  return x > 0 && std::isnormal(x) ? packing::exact_exp(0.4 * packing::exact_log(x)) : std::pow(x, 0.4);
}

/// [m] Radius a of a contact of two spheres with the effective radius R* under a force F [N]: by Hertz, or with
/// adhesion by JKR, a^3 = (3 R*/4 E*) (F + P + sqrt(2 P F + P^2)) with P = 6 pi gamma R*.
double pressed_contact_radius(const Meeting& meeting, double effective_radius, double young, double force) {
  const MaterialPair& pair = meeting.pair;
  if (is_widened_by_adhesion(meeting.law, pair)) {
    const double pull = 6 * std::numbers::pi * pair.surface_energy * effective_radius;
    force += pull + std::sqrt(2 * pull * force + pull * pull);
  }
  return cube_root(0.75 * force * effective_radius / young);
}

}  // namespace

double pressed_step_limit(const Scene& scene, double pressure) {
  constexpr double solid = 0.6, coordination = 6, strong = 2, contacts = 8;
  double limit = infinite;
  for (const Meeting& meeting : meetings(scene)) {
    if (meeting.boundary || needs_of(meeting.law).held_by != HeldBy::hertz) continue;
    const EffectiveModuli moduli =
        effective_moduli(scene.materials[meeting.material], meeting.partner.material, meeting.pair);
    const double radius = meeting.radius, partner = meeting.partner.radius,
                 effective_radius = radius * partner / (radius + partner);
    const double mass = sphere_mass(scene.materials[meeting.material], radius);
    const double force = strong * 4 * std::numbers::pi * radius * radius * pressure / (solid * coordination);
    const double contact_radius = pressed_contact_radius(meeting, effective_radius, moduli.young, force);
    const double normal = 2 * moduli.young * contact_radius * unloading_factor(meeting.pair),
                 shear = 8 * moduli.shear * contact_radius;
    const auto lower = [&](double inertia, double stiffness, double dashpots) {
      const double z = meeting.pair.damping_ratio * std::sqrt(dashpots);
      limit = std::min(limit, std::sqrt(2 * inertia / stiffness) * (std::sqrt(1 + z * z) - z));
    };
    const double translation = std::min(meeting.hold.normal, meeting.hold.shear);
    lower(translation * mass, contacts / 3 * (normal + 2 * shear), contacts);
    lower(meeting.hold.turn * mass, contacts * 2 / 3 * shear * rolling_factor(meeting.pair.rolling, radius, partner),
          contacts * 2 / 3 / 0.4);
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
    const LawNeeds& law = needs_of(meeting.law);
    if (law.held_by != HeldBy::hertz) {
      rule.impact_limit = std::min(rule.impact_limit, critical_step(own, meeting));
      continue;
    }
    const EffectiveModuli moduli = effective_moduli(own, partner.material, meeting.pair);
    const double mass = sphere_mass(own, meeting.radius);
    const double partner_mass = sphere_mass(partner.material, partner.radius);
    const double effective_mass = partner.wall ? mass : mass * partner_mass / (mass + partner_mass);
    const double effective_radius =
        partner.wall ? meeting.radius : meeting.radius * partner.radius / (meeting.radius + partner.radius);
    const BodyHold& hold = meeting.hold;
    const double rotation = hold.turn * 2 * moduli.young /
                            (8 * moduli.shear * rolling_factor(meeting.pair.rolling, meeting.radius, partner.radius));
    const auto limit_at = [&](double contact_radius) {
      return std::numbers::sqrt2 * std::sqrt(mass / (2 * moduli.young * contact_radius) *
                                             std::min({hold.normal / unloading_factor(meeting.pair), rotation,
                                                       hold.shear * 2 * moduli.young / (8 * moduli.shear)}));
    };
    // Largest overlap of an impact at 1 m/s: u^(5/2) = 15 m* v^2 / (16 E* sqrt(R*)).
    const double overlap = squared_fifth_root(15 * effective_mass / (16 * moduli.young * std::sqrt(effective_radius)));
    rule.impact_limit_at_unit_speed =
        std::min(rule.impact_limit_at_unit_speed, limit_at(std::sqrt(effective_radius * overlap)));
    // Bounds the step at small overlaps. Below an overlap of a millionth of the radius forces are negligible, so the
    // stiffness at that overlap gives the longest step.
    double least = 1e-3 * effective_radius;
    if (law.holds_apart) {  // a new contact has a finite radius a at once, with a^3 = 4 pi gamma R*^2 / E*
      const double gamma = meeting.pair.surface_energy;
      least =
          std::max(least, cube_root(4 * std::numbers::pi * gamma * effective_radius * effective_radius / moduli.young));
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
  // It was rounded up: cut "d.ddddd...e-nn" after the third digit instead.
  const char* end = print(30);
  const auto exponent = std::find(text.data(), text.data() + text.size(), 'e');
  const auto cut = std::string(text.data(), 4) + std::string(static_cast<const char*>(exponent), end);
  std::from_chars(cut.data(), cut.data() + cut.size(), rounded);
  return rounded;
}

std::uint64_t first_step_at(double time, double time_step) {
  SCREE_EXPECT(time_step > 0 && time >= 0, "a time since the start");
  const double quotient = time / time_step;
  if (!(quotient < 0x1p53)) return std::numeric_limits<std::uint64_t>::max();
  const double nearest = std::round(quotient);
  const bool whole = std::abs(quotient - nearest) <= 1e-9 * std::max(1.0, nearest);
  return static_cast<std::uint64_t>(whole ? nearest : std::ceil(quotient));
}

std::uint64_t steps_for(double duration, double time_step) {
  SCREE_EXPECT(time_step > 0 && duration / time_step < 0x1p53, "a countable number of steps");
  return std::max<std::uint64_t>(first_step_at(duration, time_step), duration > 0 ? 1 : 0);
}

std::string length_text(double value) {
  const double size = std::fabs(value);
  if (size == 0 || size >= 0.1) return short_number_text(value) + " m";
  return size >= 1e-4 ? short_number_text(value * 1e3) + " mm" : short_number_text(value * 1e6) + " um";
}

}  // namespace scree
