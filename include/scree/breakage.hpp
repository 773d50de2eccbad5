#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/values.hpp"

/// Spheres that break: each is replaced by smaller spheres when its mean stress reaches its strength.
namespace scree {

/// When a sphere of a material breaks, and into which fragments.
struct BreakageRule {
  double stress = 0;       ///< [Pa] octahedral shear stress that 37 % of the spheres of the given diameter survive
  double at_diameter = 0;  ///< [m]
  /// [-] exponent n of strength ~ diameter^-n; none: 3 / weibull_modulus, or 0 without a modulus
  std::optional<double> size_exponent{};
  std::optional<double> weibull_modulus{};  ///< [-] Weibull modulus of random factors on the strength; none: no scatter
  std::uint64_t fragments = 14;             ///< number of spheres that replace a sphere
  double smallest_radius = 0;               ///< [m] a sphere that would have a smaller fragment does not break
};

/// The spheres that break, and how often they are checked.
struct Breakage {
  std::optional<double> every{};            ///< [s] between two checks; none: 100 steps
  std::uint64_t most_particles = 10000000;  ///< a run ends before breakage makes more
  Named<BreakageRule> materials{};
};

/// The rule of a material in a scene.
struct SceneBreakageRule {
  std::uint32_t material = 0;        ///< index in Scene::materials
  double stress = 0;                 ///< [Pa] as in BreakageRule
  double at_diameter = 0;            ///< [m]
  double size_exponent = 0;          ///< [-]
  double inverse_modulus = 0;        ///< [-] 1 / Weibull's modulus; 0: no scatter
  std::uint32_t fragments = 14;      ///< number
  double smallest_radius = 0;        ///< [m] no fragment is smaller
  double largest_radius = 0;         ///< [m] no fragment is larger
  std::uint64_t most_particles = 0;  ///< number of particles if all spheres break as often as they can; 0: too many
};

/// The spheres that break in a run. Fragments come through Engine::insert(); an engine must know their materials and
/// sizes before the first step.
struct SceneBreakage {
  std::optional<double> every{};            ///< [s] none: every 100 steps
  std::uint32_t counter = 0;                ///< broken spheres are counted under Scene::outlet_names[counter]
  std::uint32_t most_particles = 10000000;  ///< a run ends before breakage makes more
  std::vector<SceneBreakageRule> rules{};

  /// The rule of a material; null if its spheres do not break.
  [[nodiscard]] const SceneBreakageRule* rule_of(std::uint32_t material) const {
    for (const SceneBreakageRule& rule : rules) {
      if (rule.material == material) { return &rule; }
    }
    return nullptr;
  }
};

/// Calls visit(radius [m], material) for the smallest and the largest fragment of each rule.
template <class Visit>
void visit_fragments(const std::optional<SceneBreakage>& breakage, Visit&& visit) {
  if (!breakage) { return; }
  for (const SceneBreakageRule& rule : breakage->rules) {
    visit(rule.smallest_radius, rule.material);
    visit(rule.largest_radius, rule.material);
  }
}

}  // namespace scree
