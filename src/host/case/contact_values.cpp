#include "host/case/contact_values.hpp"

#include "host/case/laws.hpp"

namespace scree {
namespace {

using Has = bool (*)(const LawNeeds&);

bool is_hertz(const LawNeeds& law) { return law.held_by == HeldBy::hertz; }
bool has_springs(const LawNeeds& law) { return law.held_by == HeldBy::springs; }
bool has_dashpots(const LawNeeds& law) { return law.dashpots; }
bool has_restitution(const LawNeeds& law) { return law.restitution; }
bool may_adhere(const LawNeeds& law) { return law.adhesion || law.plastic; }
bool may_attract(const LawNeeds& law) { return law.attraction; }
bool is_plastic(const LawNeeds& law) { return law.plastic; }
bool has_load_history(const LawNeeds& law) { return law.load_history; }

struct Value {
  const char* key;
  bool given;
  Has applies;  ///< whether the value applies to a law
};

std::vector<Value> values_of(const ContactRule& r) {
  return {{"restitution", r.restitution.has_value(), has_restitution},
          {"restitution_tangential", r.restitution_tangential.has_value(), has_restitution},
          {"exact_restitution", r.exact_restitution.has_value(), has_dashpots},
          {"contact_time", r.contact_time.has_value(), has_dashpots},
          {"normal_stiffness", r.normal_stiffness.has_value(), has_springs},
          {"shear_stiffness", r.shear_stiffness.has_value(), has_springs},
          {"normal_damping", r.normal_damping.has_value(), has_dashpots},
          {"shear_damping", r.shear_damping.has_value(), has_dashpots},
          {"young_modulus", r.young_modulus.has_value(), is_hertz},
          {"shear_modulus", r.shear_modulus.has_value(), is_hertz},
          {"surface_energy", r.surface_energy.has_value(), may_adhere},
          {"load_history", r.load_history.has_value(), has_load_history},
          {"cohesion", r.cohesion.has_value(), may_attract},
          {"liquid", r.liquid.has_value(), may_attract},
          {"plasticity", r.plasticity.has_value(), is_plastic}};
}

}  // namespace

bool needs_restitution(const ContactRule& rule) {
  return needs_of(rule.law).restitution && !rule.normal_damping && !rule.shear_damping;
}

std::vector<std::pair<std::string, std::string>> wrong_values(const ContactRule& rule) {
  std::vector<std::pair<std::string, std::string>> wrong;
  for (const Value& value : values_of(rule)) {
    if (!value.given || value.applies(needs_of(rule.law))) continue;
    wrong.emplace_back(value.key,
                       "does not apply to " + law_name(rule.law) + ", only to " + names_of_laws(value.applies));
  }
  if (!wrong.empty()) return wrong;

  const auto together = [&](const auto& a, const char* key_a, const auto& b, const char* key_b) {
    if (a && !b) wrong.emplace_back(key_b, std::string("is needed beside ") + key_a);
    if (b && !a) wrong.emplace_back(key_a, std::string("is needed beside ") + key_b);
  };
  const auto apart = [&](const auto& a, const char* key_a, const auto& b, const char* key_b) {
    if (a && b) wrong.emplace_back(key_a, std::string("excludes ") + key_b + "; give one of them");
  };
  together(rule.normal_stiffness, "normal_stiffness", rule.shear_stiffness, "shear_stiffness");
  together(rule.normal_damping, "normal_damping", rule.shear_damping, "shear_damping");
  apart(rule.contact_time, "contact_time", rule.normal_stiffness, "normal_stiffness");
  apart(rule.contact_time, "contact_time", rule.normal_damping, "normal_damping");
  apart(rule.restitution, "restitution", rule.normal_damping, "normal_damping");
  apart(rule.restitution_tangential, "restitution_tangential", rule.shear_damping, "shear_damping");
  apart(rule.exact_restitution, "exact_restitution", rule.normal_damping, "normal_damping");
  apart(rule.cohesion, "cohesion", rule.liquid, "liquid");
  if (needs_of(rule.law).plastic && !rule.plasticity) {
    wrong.emplace_back("plasticity", "is needed by " + law_name(rule.law));
  }
  if (rule.plasticity && rule.plasticity->adhesion > 0 && rule.surface_energy) {
    wrong.emplace_back("surface_energy", "excludes plasticity.adhesion; give one of them");
  }
  if (rule.plasticity && rule.plasticity->ratio == 0 && (rule.plasticity->adhesion > 0 || rule.surface_energy)) {
    wrong.emplace_back("plasticity.ratio", "must be above 0 for adhesion, which grows with the plastic overlap");
  }
  if (needs_of(rule.law).adhesion && !rule.surface_energy) {
    wrong.emplace_back("surface_energy", "is needed by " + law_name(rule.law));
  }
  return wrong;
}

}  // namespace scree
