#include "host/case/contact_values.hpp"

#include <algorithm>

#include "host/case/describe_case.hpp"

namespace scree {
namespace {

using enum LawKind;
using Laws = std::vector<LawKind>;

const Laws linear = {cundall_strack, linear_spring_dashpot};
const Laws dashpots = {linear_spring_dashpot};
const Laws hertz = {hertz_mindlin, hertz_mindlin_rescaled, hertz_mindlin_dmt, mindlin_reversal, jkr, jaeger};
const Laws damped = {
    hertz_mindlin, hertz_mindlin_rescaled, hertz_mindlin_dmt, mindlin_reversal, jkr, linear_spring_dashpot, jaeger};
const Laws remembering = {jaeger};
const Laws adhesive = {hertz_mindlin_dmt, jkr};

struct Value {
  const char* key;
  bool given;
  const Laws& laws;  ///< to which it applies
};

std::vector<Value> values_of(const ContactRule& r) {
  return {{"restitution", r.restitution.has_value(), damped},
          {"restitution_tangential", r.restitution_tangential.has_value(), damped},
          {"exact_restitution", r.exact_restitution.has_value(), dashpots},
          {"contact_time", r.contact_time.has_value(), dashpots},
          {"normal_stiffness", r.normal_stiffness.has_value(), linear},
          {"shear_stiffness", r.shear_stiffness.has_value(), linear},
          {"normal_damping", r.normal_damping.has_value(), dashpots},
          {"shear_damping", r.shear_damping.has_value(), dashpots},
          {"young_modulus", r.young_modulus.has_value(), hertz},
          {"shear_modulus", r.shear_modulus.has_value(), hertz},
          {"surface_energy", r.surface_energy.has_value(), adhesive},
          {"load_history", r.load_history.has_value(), remembering}};
}

bool is_among(LawKind law, const Laws& laws) { return std::find(laws.begin(), laws.end(), law) != laws.end(); }

std::string names_of(const Laws& laws) {
  std::string text;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == laws.size() ? " and " : ", ") + law_name(laws[i]);
  }
  return text;
}

}  // namespace

bool is_linear(LawKind law) { return is_among(law, linear); }

bool takes_rolling(LawKind law) { return law != jaeger; }

std::string law_name(LawKind law) {
  for (const auto& [name, value] : describe(Of<LawKind>{}).words) {
    if (value == law) return name;
  }
  return {};
}

bool needs_restitution(const ContactRule& rule) {
  return is_among(rule.law, damped) && !rule.normal_damping && !rule.shear_damping;
}

std::vector<std::pair<std::string, std::string>> wrong_values(const ContactRule& rule) {
  std::vector<std::pair<std::string, std::string>> wrong;
  for (const Value& value : values_of(rule)) {
    if (!value.given || is_among(rule.law, value.laws)) continue;
    wrong.emplace_back(value.key, "does not apply to " + law_name(rule.law) + ", only to " + names_of(value.laws));
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
  if (is_among(rule.law, adhesive) && !rule.surface_energy) {
    wrong.emplace_back("surface_energy", "is needed by " + law_name(rule.law));
  }
  return wrong;
}

}  // namespace scree
