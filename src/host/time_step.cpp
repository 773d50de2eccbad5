#include "host/time_step.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>

#include "host/text.hpp"
#include "scree/errors.hpp"

namespace scree {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

struct RadiusRange {
  double smallest = infinite, largest = 0;
  [[nodiscard]] bool used() const { return largest > 0; }
};

std::vector<RadiusRange> radii_by_material(const Scene& scene) {
  std::vector<RadiusRange> ranges(scene.materials.size());
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    auto& range = ranges[scene.particles.material[i]];
    range.smallest = std::min(range.smallest, scene.particles.radius[i]);
    range.largest = std::max(range.largest, scene.particles.radius[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) {
    auto& range = ranges[inlet.material];
    range.smallest = std::min(range.smallest, inlet.smallest_radius);
    range.largest = std::max(range.largest, inlet.largest_radius);
  }
  return ranges;
}

double rayleigh_time(const Material& material, double radius) {
  const double shear_modulus = material.young_modulus / (2 * (1 + material.poisson_ratio));
  return std::numbers::pi * radius * std::sqrt(material.density / shear_modulus) /
         (0.1631 * material.poisson_ratio + 0.8766);
}

double in_series(double k1, double k2) { return k1 > 0 && k2 > 0 ? k1 * k2 / (k1 + k2) : 0; }

/// None where a scene of one law gives no values of pairs.
MaterialPair pair_of(const Scene& scene, std::size_t a, std::size_t b) { return scene.pairs.empty() ? MaterialPair{} : scene.pair(a, b); }

/// [N/m] of a bonded contact of a sphere with one that is not smaller, E A / d0.
double bond_stiffness(double young, double radius, double partner_radius) {
  return young * std::numbers::pi * radius * radius / (radius + partner_radius);
}

/// How much stiffer a body is held against rotation by rolling and twisting resistance, than by shear alone.
double rolling_factor(const RollingResistance& rolling, double radius, double partner_radius) {
  return 1 + std::max(rolling.stiffness, rolling.twisting_stiffness) * partner_radius / radius;
}

/// Critical step of one contact of a sphere of `radius` with a partner.
double critical_step(LawKind law, const MaterialPair& pair, const Material& own, double radius, const Material& partner,
                     double partner_radius) {
  const double k1 = 2 * own.young_modulus * radius, k2 = 2 * partner.young_modulus * partner_radius;
  double normal = in_series(k1, k2), shear = in_series(own.poisson_ratio * k1, partner.poisson_ratio * k2);
  if (law == LawKind::bonded) {
    const auto mean = [](double a, double b) { return 0.5 * (a + b); };
    normal = bond_stiffness(mean(own.young_modulus, partner.young_modulus), radius, partner_radius);
    shear = bond_stiffness(mean(own.poisson_ratio * own.young_modulus, partner.poisson_ratio * partner.young_modulus), radius,
                           partner_radius);
  }
  const double mass = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * own.density;
  // Rotation: inertia 2/5 m r^2 against r^2 K_T.
  const double worst = std::max(std::max(normal, shear) / mass, rolling_factor(pair.rolling, radius, partner_radius) * shear / (0.4 * mass));
  return std::numbers::sqrt2 * std::sqrt(1 / worst);
}

}  // namespace

TimeStepLimit time_step_limit(const Scene& scene, const std::vector<std::string>& names) {
  const auto ranges = radii_by_material(scene);
  TimeStepLimit limit{infinite, "nothing"};
  const auto lower_to = [&](double value, const std::string& what, std::size_t m, const std::string& partner) {
    if (!(value < limit.value)) return;
    limit.value = value;
    limit.reason = what + " " + short_number_text(value, 3) + " s of " + names[m] + " spheres of radius " +
                   length_text(ranges[m].smallest) + partner;
  };
  for (std::size_t m = 0; m < ranges.size(); ++m) {
    if (!ranges[m].used()) continue;
    const Material& own = scene.materials[m];
    const double radius = ranges[m].smallest;
    bool hertz = false;
    double rolling = 1;  // of the Hertz contacts
    for (std::size_t p = 0; p < ranges.size(); ++p) {
      if (!ranges[p].used()) continue;
      if (scene.law_of(m, p) == LawKind::hertz_mindlin) {
        hertz = true;
        rolling = std::max(rolling, rolling_factor(pair_of(scene, m, p).rolling, radius, ranges[p].largest));
        continue;
      }
      // Springs in series are stiffest with the largest partner, bonds with one of the own size.
      const bool bonded = scene.law_of(m, p) == LawKind::bonded;
      const double partner = bonded ? std::max(radius, ranges[p].smallest) : ranges[p].largest;
      lower_to(critical_step(scene.law_of(m, p), pair_of(scene, m, p), own, radius, scene.materials[p], partner), "critical step", m,
               " in contact with " + names[p] + " spheres of radius " + length_text(partner));
    }
    for (const auto& boundary : scene.boundaries) {
      if (scene.law_of(m, boundary.material) == LawKind::hertz_mindlin) {
        hertz = true;
        rolling = std::max(rolling, rolling_factor(pair_of(scene, m, boundary.material).rolling, radius, radius));
        continue;
      }
      lower_to(critical_step(scene.law_of(m, boundary.material), pair_of(scene, m, boundary.material), own, radius,
                             scene.materials[boundary.material], radius), "critical step", m,
               " in contact with boundary \"" + boundary.name + "\"");
    }
    if (hertz) lower_to(rayleigh_time(own, radius) / std::sqrt(rolling), "Rayleigh time", m, "");
  }
  return limit;
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

std::string length_text(double value) {
  const double size = std::fabs(value);
  if (size == 0 || size >= 0.1) return short_number_text(value) + " m";
  return size >= 1e-4 ? short_number_text(value * 1e3) + " mm" : short_number_text(value * 1e6) + " um";
}

}  // namespace scree
