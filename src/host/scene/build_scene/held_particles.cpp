#include "host/scene/build_scene/held_particles.hpp"

#include <cstdint>
#include <set>
#include <utility>

#include "host/case/laws.hpp"
#include "host/scene/build_scene/groups.hpp"

namespace scree {
namespace {

/// Whether the stiffness of a contact of two materials is proportional to the effective mass.
bool needs_mass(const Scene& scene, std::uint32_t a, std::uint32_t b) {
  const LinearSprings& springs = scene.pair(a, b).springs;
  return needs_of(scene.law_of(a, b)).held_by == HeldBy::springs && !springs.from_moduli &&
         springs.stiffness_per_mass > 0 && springs.stiffness == 0;
}

/// Pairs of group and material of particles whose centres are fixed, at the start or from some stage on.
std::set<std::pair<std::uint32_t, std::uint32_t>> held_kinds(const Scene& scene) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> kinds;
  const std::vector<bool> held = groups_that_ever(scene, [](const SceneGroup& group) { return group.is_held(); });
  const auto add = [&](std::uint32_t group, std::uint32_t material) {
    if (group < held.size() && held[group]) { kinds.emplace(group, material); }
  };
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    add(scene.particles.group.empty() ? 0 : scene.particles.group[i], scene.particles.material[i]);
  }
  for (const SceneInlet& inlet : scene.inlets) { add(inlet.group, inlet.material); }
  return kinds;
}

}  // namespace

void check_held_particles(const Scene& scene, std::vector<InputProblem>& problems) {
  for (const SceneBoundary& boundary : scene.boundaries) {
    if (!boundary.drive) { continue; }
    for (const auto& [group, material] : held_kinds(scene)) {
      if (!needs_mass(scene, material, boundary.material)) { continue; }
      problems.push_back({"boundaries." + boundary.name,
                          "would pass through the particles of group \"" + scene.groups[group].name +
                              "\": their centres are fixed, and \"contact_time\" makes springs by the mass that moves; "
                              "give \"normal_stiffness\" instead"});
      break;
    }
  }
}

}  // namespace scree
