#include "host/scene/build_scene/grain_bonds.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "host/case/laws.hpp"
#include "host/scene/contact_rules.hpp"
#include "host/scene/meetings.hpp"
#include "host/text/text.hpp"

namespace scree {
namespace {

bool has_values_of_grains(const Bond& bond) { return bond.gap || bond.normal_stiffness || bond.shear_stiffness; }

/// [m] A width by which the grid of every grain of a material reaches beyond the grain; infinite if it has no grains.
double margin_of(const Scene& scene, std::size_t material) {
  double least = std::numeric_limits<double>::infinity();
  for (const Clump& clump : scene.particles.clumps) {
    const ClumpShape& shape = scene.clump_shapes.at(clump.shape);
    if (!shape.grain || scene.particles.material.at(clump.first) != material) { continue; }
    least = std::min(least, clump.size * scene.grain_shapes.at(*shape.grain).spacing);
  }
  return least;
}

/// A sentence that says why two materials of grains cannot have their bonds; empty if they can.
std::string fault_of_bond(const Scene& scene, std::size_t a, std::size_t b) {
  const Bond& bond = scene.pair(a, b).bond;
  const std::string pair = scene.material_names[a] + " and " + scene.material_names[b];
  if (!bond.gap) {
    return "the bond of " + pair +
           " needs a gap, the largest distance of a bonded node of a level-set grain from the "
           "other surface";
  }
  if (!scene.grain_contacts.by_area) {
    return "bonds of level-set grains have a stiffness per area, so they do not go with by_area = false of "
           "grain_contacts";
  }
  const double margin = std::min(margin_of(scene, a), margin_of(scene, b));
  if (*bond.gap > margin) {
    return "the gap of the bond of " + pair + ", " + number_text(*bond.gap) +
           " m, must not exceed the grid spacing of the grains, " + number_text(margin) +
           " m: farther from a grain its grid says nothing";
  }
  if (!bond.shear_stiffness && scene.materials[a].poisson_ratio + scene.materials[b].poisson_ratio == 0) {
    return "the bond of " + pair + " needs a shear_stiffness, since Poisson's ratio is 0";
  }
  return "";
}

}  // namespace

void check_bonds(Scene& scene, std::vector<InputProblem>& problems) {
  if (!scene.has_bonds()) { return; }
  const MeetingMaterials meeting = meeting_materials(scene);
  const std::size_t n = scene.materials.size();
  std::set<std::string> said;
  const auto refuse = [&](const std::string& why) {
    if (said.insert(why).second) { problems.push_back({"contacts", why}); }
  };
  bool spheres = false, grains = false;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!needs_of(scene.law_of(a, b)).makes_bonds() || !meeting.can_touch(a, b)) { continue; }
      const bool of_grains = scene.is_of_grains(a) || scene.is_of_grains(b);
      (of_grains ? grains : spheres) = true;
      if (!scene.is_of_grains(a) || !scene.is_of_grains(b) || b < a) { continue; }
      const std::string fault = fault_of_bond(scene, a, b);
      if (!fault.empty()) { refuse(fault); }
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      if (!needs_of(scene.law_of(a, b)).makes_bonds()) { continue; }
      Bond& bond = scene.pairs[a * n + b].bond;
      if (spheres && !grains && has_values_of_grains(bond)) {
        refuse("gap, normal_stiffness and shear_stiffness of a bond are for level-set grains, of which none meet here");
      }
      if (grains && !spheres && bond.form == BondForm::near) {
        refuse("form \"near\" of a bond is for spheres; level-set grains are bonded at the start");
      }
      if (grains && !spheres && (bond.interaction_range != 1 || bond.strain != NormalStrain::linear)) {
        refuse(
            "interaction_range and strain of a bond are for spheres; level-set grains have a gap and linear springs");
      }
      if (!scene.is_of_grains(a) && !scene.is_of_grains(b)) {
        bond.gap = bond.normal_stiffness = bond.shear_stiffness = std::nullopt;
      } else if (bond.form == BondForm::near) {
        bond.form = BondForm::start;
      }
    }
  }
}

double bond_range(const Scene& scene) {
  constexpr double most_stretch = 0.2;  // of the sum of the radii: the search need not find bonds that stretch farther
  const std::vector<RadiusRange> radii = radii_by_material(scene);
  double range = 1;
  for (std::size_t a = 0; a < scene.materials.size(); ++a) {
    for (std::size_t b = 0; b < scene.materials.size(); ++b) {
      if (!scene.is_of_grains(a) || !scene.is_of_grains(b) || !radii[a].any() || !radii[b].any() ||
          !needs_of(scene.law_of(a, b)).makes_bonds()) {
        continue;
      }
      const Bond& bond = scene.pair(a, b).bond;
      const Material &one = scene.materials[a], &two = scene.materials[b];
      const double length = radii[a].smallest + radii[b].smallest;
      // Without a given stiffness, it is Young's modulus over a length, which is at most the sum of the radii of the
      // balls.
      const double normal = bond.normal_stiffness.value_or(0.5 * (one.young_modulus + two.young_modulus) / length);
      const double shear = bond.shear_stiffness.value_or(0.5 * (one.poisson_ratio + two.poisson_ratio) * normal);
      const double stretch = most_scatter(bond) * (bond.tensile_strength / normal + bond.cohesion / shear);
      range = std::max(range, 1 + (bond.gap.value_or(0) + 1.05 * std::min(stretch, most_stretch * length)) / length);
    }
  }
  return range;
}

}  // namespace scree
