#include "host/scene/build_scene/attraction.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <string>

#include "host/case/laws.hpp"
#include "host/scene/contact_springs.hpp"
#include "host/scene/meetings.hpp"
#include "host/scene/time_step.hpp"
#include "host/text/text.hpp"
#include "scree/elasticity.hpp"

namespace scree {
namespace {

constexpr double most_overlap = 0.5;  ///< [-] of bodies at rest, over the effective radius

/// [N/m2] pull over R* u of small overlaps.
double pull_of(const LinearCohesion& cohesion) {
  const double circles = cohesion.area == CohesionArea::hertz ? 1 : (cohesion.area == CohesionArea::sjkr2 ? 4 : 2);
  return circles * std::numbers::pi * cohesion.energy_density;
}

/// What is wrong with the cohesion of spheres of two materials and a radius, or of one and a wall; empty: nothing.
std::string fault_of(const Scene& scene, std::size_t a, std::size_t b, double radius, bool wall) {
  const MaterialPair& pair = scene.pair(a, b);
  const double pull = pull_of(*pair.cohesion), effective_radius = wall ? radius : 0.5 * radius;
  const Material &own = scene.materials[a], &other = scene.materials[b];
  if (needs_of(scene.law_of(a, b)).held_by == HeldBy::springs) {
    const double infinite = std::numeric_limits<double>::infinity();
    const double stiffness = linear_springs(own, {radius, sphere_mass(own, radius)}, other,
                                            {radius, wall ? infinite : sphere_mass(other, radius)}, pair, false)
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

}  // namespace

void check_cohesion(const Scene& scene, std::vector<InputProblem>& problems) {
  const std::vector<RadiusRange> radii = radii_by_material(scene);
  const MeetingMaterials meeting = meeting_materials(scene);
  meeting.for_each_pair([&](std::size_t a, std::size_t b) {
    if (!scene.pair(a, b).cohesion || !radii[a].any()) { return; }
    for (const double radius : {radii[a].smallest, radii[a].largest}) {
      for (const bool wall : {false, true}) {
        if (wall ? !meeting.has_boundaries(b) : !meeting.has_particles(b)) { continue; }
        const std::string fault = fault_of(scene, a, b, radius, wall);
        if (fault.empty()) { continue; }
        problems.push_back({"contacts", "the cohesion of \"" + scene.material_names[a] + "\" and \"" +
                                            scene.material_names[b] + "\" is too strong for spheres of radius " +
                                            length_text(radius) + ": " + fault});
        return;
      }
    }
  });
}

}  // namespace scree
