#include "host/run/deepest_contact.hpp"

#include <optional>
#include <vector>

namespace scree {
namespace {

/// The one of two materials with the lower Young's modulus; the first if they do not tell.
std::uint32_t softer(const Scene& scene, std::uint32_t first, std::uint32_t second) {
  const auto &a = scene.materials.at(first).young_modulus, &b = scene.materials.at(second).young_modulus;
  return b < a ? second : first;
}

}  // namespace

std::string stiffer_key(const Scene& scene, std::optional<std::uint32_t> material) {
  if (!material && scene.material_names.size() == 1) { material = 0; }
  if (!material) { return "raise young_modulus of the material"; }
  const std::string name = scene.material_names.at(scene.case_material(*material));
  if (!scene.pairs.empty()) {
    const MaterialPair& pair = scene.pair(*material, *material);
    if (!pair.springs.from_moduli) {
      return "raise normal_stiffness or lower contact_time of \"" + name + "\" in contacts";
    }
    if (pair.effective_young) { return "raise young_modulus of \"" + name + "\" in contacts"; }
  }
  return "raise materials." + name + ".young_modulus";
}

std::optional<DeepestContact> deepest_contact(Engine& engine, const Scene& scene, std::uint32_t particle) {
  std::vector<ContactDetail> details;
  const std::vector<TouchingContact> contacts = engine.touching_contacts(&details);
  std::optional<std::size_t> deepest;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const bool has = contacts[c].second == particle || (!contacts[c].with_boundary && contacts[c].first == particle);
    if (!has || details[c].bonded || !(details[c].overlap > 0)) { continue; }
    if (!deepest || details[c].overlap > details[*deepest].overlap) { deepest = c; }
  }
  if (!deepest) { return std::nullopt; }
  const TouchingContact& contact = contacts[*deepest];
  const Snapshot now = engine.snapshot();
  const auto material_of = [&](std::uint32_t id) {
    const std::optional<std::size_t> place = now.place_of(id);
    return place ? now.material[*place] : 0;
  };
  DeepestContact result;
  std::uint32_t partner_material = 0;
  if (contact.with_boundary) {
    const SceneBoundary& boundary = scene.boundaries.at(contact.first);
    result.partner = "boundary \"" + boundary.name + "\"";
    partner_material = boundary.material;
  } else {
    const std::uint32_t other = contact.first == particle ? contact.second : contact.first;
    result.partner = "particle " + std::to_string(other);
    partner_material = material_of(other);
  }
  result.soft_material = softer(scene, material_of(particle), partner_material);
  return result;
}

}  // namespace scree
