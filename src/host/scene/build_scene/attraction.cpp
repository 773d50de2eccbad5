#include "host/scene/build_scene/attraction.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "host/case/laws.hpp"
#include "host/geometry/infinite.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

constexpr double most_overlap = 0.5;  ///< [-] largest overlap of bodies at rest, over the effective radius

/// [N/m2] The pull over R* u at small overlaps u.
double pull_of(const LinearCohesion& cohesion) {
  const double circles = cohesion.area == CohesionArea::hertz ? 1 : (cohesion.area == CohesionArea::sjkr2 ? 4 : 2);
  return circles * std::numbers::pi * cohesion.energy_density;
}

/// A sentence about wrong cohesion between two spheres of these materials and radii; empty if it is right. A wall has
/// an infinite radius.
std::string fault_of(const Scene& scene, std::size_t a, double radius, std::size_t b, double other_radius) {
  const MaterialPair& pair = scene.pair(a, b);
  const bool wall = std::isinf(other_radius);
  const double pull = pull_of(*pair.cohesion);
  const double effective_radius = wall ? radius : radius * other_radius / (radius + other_radius);
  const Material &own = scene.materials[a], &other = scene.materials[b];
  if (needs_of(scene.law_of(a, b)).held_by == HeldBy::springs) {
    const double other_mass = wall ? other_radius : sphere_mass(other, other_radius);
    const double stiffness = linear_springs(own, {radius, sphere_mass(own, radius)}, other,
                                            {wall ? radius : other_radius, other_mass}, pair, false)
                                 .normal;
    if (pull * effective_radius < stiffness) { return ""; }
    return "the pull grows by " + short_number_text(pull * effective_radius) + " N/m with the overlap, the spring by " +
           short_number_text(stiffness) + " N/m: bodies would go through each other";
  }
  // 4/3 E* sqrt(R*) u^(3/2) = pull R* u
  const double root = 0.75 * pull / effective_moduli(own, other, pair).young, overlap = root * root;
  if (overlap <= most_overlap) { return ""; }
  return "bodies without load would overlap by " + short_number_text(overlap) + " effective radii, at most " +
         short_number_text(most_overlap) + " are allowed; give less cohesion or a larger Young's modulus";
}

/// Calls visit(a, radius, b, other_radius) for each pair of materials that can touch, with the radii [m] of their
/// smallest and largest spheres; a boundary has an infinite other_radius. If a call returns false, the other sizes of
/// this pair are skipped.
template <class Visit>
void for_each_size(const Scene& scene, Visit&& visit) {
  const std::vector<RadiusRange> radii = radii_by_material(scene);
  const MeetingMaterials meeting = meeting_materials(scene);
  const auto sizes_of = [&](std::size_t m) {
    return radii[m].any() ? std::vector<double>{radii[m].smallest, radii[m].largest} : std::vector<double>{};
  };
  meeting.for_each_pair([&](std::size_t a, std::size_t b) {
    for (const double radius : sizes_of(a)) {
      for (const double other : sizes_of(b)) {
        if (!visit(a, radius, b, other)) { return; }
      }
      if (meeting.has_boundaries(b) && !visit(a, radius, b, infinite)) { return; }
    }
    for (const double radius : sizes_of(b)) {
      if (meeting.has_boundaries(a) && !visit(b, radius, a, infinite)) { return; }
    }
  });
}

std::string who_text(const Scene& scene, std::size_t a, double radius, std::size_t b, double other_radius) {
  const std::string sizes = std::isinf(other_radius)
                                ? "radius " + length_text(radius) + " at a boundary"
                                : "the radii " + length_text(radius) + " and " + length_text(other_radius);
  return "\"" + scene.material_names[a] + "\" and \"" + scene.material_names[b] + "\", for spheres of " + sizes;
}

}  // namespace

void check_cohesion(const Scene& scene, std::vector<InputProblem>& problems) {
  for_each_size(scene, [&](std::size_t a, double radius, std::size_t b, double other_radius) {
    if (!scene.pair(a, b).cohesion) { return false; }
    const std::string fault = fault_of(scene, a, radius, b, other_radius);
    if (fault.empty()) { return true; }
    problems.push_back(
        {"contacts", "too much cohesion of " + who_text(scene, a, radius, b, other_radius) + ": " + fault});
    return false;
  });
}

void check_liquid(const Scene& scene, std::vector<std::string>& warnings, std::vector<InputProblem>& problems) {
  for_each_size(scene, [&](std::size_t a, double radius, std::size_t b, double other_radius) {
    if (!scene.pair(a, b).liquid) { return false; }
    const LiquidBridges& liquid = *scene.pair(a, b).liquid;
    const double smaller = std::min(radius, other_radius), volume = bridge_volume(liquid, smaller);
    const double sphere = bridge_volume({.volume_fraction = 1}, smaller);
    const double size = std::isinf(other_radius) ? 2 * radius : 2 * radius * other_radius / (radius + other_radius);
    if (volume > sphere) {
      problems.push_back({"contacts", "a bridge of " + who_text(scene, a, radius, b, other_radius) +
                                          ", has more liquid than the smaller sphere has volume"});
      return false;
    }
    if (liquid.roughness && *liquid.roughness > 0.1 * smaller) {
      problems.push_back({"contacts", "the roughness " + length_text(*liquid.roughness) + " in a bridge of " +
                                          who_text(scene, a, radius, b, other_radius) +
                                          ", is more than a tenth of the smaller radius"});
      return false;
    }
    if (volume > 0.1 * size * size * size) {
      warnings.push_back("contacts: bridges of " + who_text(scene, a, radius, b, other_radius) + ", have " +
                         short_number_text(volume / (size * size * size)) +
                         " R^3 of liquid; their force was fitted up to 0.1 R^3");
      return false;
    }
    return true;
  });
}

}  // namespace scree
