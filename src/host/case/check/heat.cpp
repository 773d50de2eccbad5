#include "host/case/check/heat.hpp"

#include "host/case/frame_fields.hpp"
#include "host/case/laws.hpp"

namespace scree {
namespace {

/// Complains about values of heat in a case without heat.
void check_no_heat(const Case& input, Problems& problems) {
  const auto needless = [&](bool given, const std::string& path) {
    if (given) problems.add(path, "has no effect without \"heat\"; add it, or leave this out");
  };
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    needless(input.particles[i].temperature.has_value(), "particles." + std::to_string(i) + ".temperature");
  }
  for (const auto& [name, boundary] : input.boundaries) {
    needless(boundary.temperature.has_value(), "boundaries." + name + ".temperature");
    needless(boundary.heat_flux.has_value(), "boundaries." + name + ".heat_flux");
  }
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    for (const auto& [name, boundary] : input.stages[k].boundaries) {
      const std::string path = "stages." + std::to_string(k) + ".boundaries." + name;
      needless(boundary.temperature.has_value(), path + ".temperature");
      needless(boundary.heat_flux.has_value(), path + ".heat_flux");
    }
  }
  for (const auto& path : paths_of_frame_fields(input, FieldNeeds::heat)) { needless(true, path); }
}

}  // namespace

void check_heat(const Case& input, Problems& problems) {
  if (!input.heat) return check_no_heat(input, problems);
  if (input.parcels && input.parcels->scale != 1) {
    problems.add("heat", "does not go with \"parcels\": their contacts do not conduct as those of their grains do");
  }
  for (const auto& [name, shape] : input.shapes) {
    if (!std::holds_alternative<LevelSetTemplate>(shape.kind)) continue;
    problems.add("shapes." + name,
                 "is a level-set grain, which has no temperature; \"heat\" is for spheres and clumps");
  }
  bool corrected = false;
  for (const auto& [name, material] : input.materials) {
    const std::string path = "materials." + name + ".thermal";
    if (!material.thermal) {
      problems.add(path, "is missing; \"heat\" needs it for each material");
      continue;
    }
    if (input.heat->radiation && !material.thermal->emissivity) {
      problems.add(path + ".emissivity", "is missing; \"heat.radiation\" needs it");
    }
    corrected = corrected || material.thermal->young_modulus.has_value();
  }
  for (std::size_t i = 0; corrected && i < input.contacts.size(); ++i) {
    if (needs_of(input.contacts[i].law).held_by == HeldBy::hertz) continue;
    problems.add("contacts." + std::to_string(i) + ".law",
                 "must have Hertz's force, since a material has a true modulus (thermal.young_modulus), got " +
                     law_name(input.contacts[i].law));
  }
}

}  // namespace scree
