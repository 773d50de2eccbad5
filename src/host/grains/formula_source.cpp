#include "host/grains/formula_source.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "host/grains/implicit_solid.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

namespace scree::grains {
namespace {

/// The options of each formula.
const std::map<std::string, std::vector<std::string>>& formulas() {
  static const std::map<std::string, std::vector<std::string>> all = {
      {"sphere", {"--radius"}},
      {"box", {"--half-edges"}},
      {"capsule", {"--radius", "--half-length"}},
      {"cylinder", {"--radius", "--half-height"}},
      {"torus", {"--major-radius", "--minor-radius"}},
      {"superellipsoid", {"--half-axes", "--exponents"}}};
  return all;
}

/// The options that a source needs; none for a file.
std::vector<std::string> options_of(const GrainSource& source) {
  const auto found = formulas().find(source.name);
  return found == formulas().end() ? std::vector<std::string>{} : found->second;
}

/// The values of the options that are set, by the names of the options.
std::map<std::string, std::vector<double>> given_values(const GrainSource& source) {
  std::map<std::string, std::vector<double>> given;
  const auto add = [&](const char* option, const std::optional<double>& value) {
    if (value) given[option] = {*value};
  };
  add("--radius", source.radius);
  add("--half-length", source.half_length);
  add("--half-height", source.half_height);
  add("--major-radius", source.major_radius);
  add("--minor-radius", source.minor_radius);
  if (source.half_edges) given["--half-edges"].assign(source.half_edges->begin(), source.half_edges->end());
  if (source.half_axes) given["--half-axes"].assign(source.half_axes->begin(), source.half_axes->end());
  if (source.exponents) given["--exponents"].assign(source.exponents->begin(), source.exponents->end());
  return given;
}

/// The values of the options that a source needs. Throws CaseError (path: option) if one is missing, wrong or not
/// needed.
std::vector<double> checked_values(const GrainSource& source) {
  const auto needed = options_of(source);
  const auto given = given_values(source);
  for (const auto& [option, values] : given) {
    if (std::find(needed.begin(), needed.end(), option) == needed.end()) {
      throw CaseError(option, "does not apply to " + source.name);
    }
    for (const double value : values) {
      if (!(value > 0 && value <= 1e30)) throw CaseError(option, "must be > 0 and finite, got " + number_text(value));
    }
  }
  std::vector<double> all;
  for (const std::string& option : needed) {
    const auto found = given.find(option);
    if (found == given.end()) throw CaseError(option, "is missing: a " + source.name + " needs it");
    all.insert(all.end(), found->second.begin(), found->second.end());
  }
  return all;
}

}  // namespace

bool is_formula(const std::string& name) { return formulas().contains(name); }

const std::vector<std::string>& formula_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, options] : formulas()) all.push_back(name);
    return all;
  }();
  return names;
}

void check_lengths(const GrainSource& source) { static_cast<void>(checked_values(source)); }

std::string formula_text(const GrainSource& source) {
  const auto given = given_values(source);
  std::string text = source.name;
  for (const std::string& option : options_of(source)) {
    text += text == source.name ? " " : ", ";
    for (const char c : option.substr(2)) text += c == '-' ? ' ' : c;
    for (const double value : given.at(option)) text += " " + number_text(value);
    if (option != "--exponents") text += " m";
  }
  return text;
}

SolidPointer formula_solid(const GrainSource& source) {
  const std::string& name = source.name;
  const std::vector<double> v = checked_values(source);
  if (name == "sphere") return make_sphere(v[0]);
  if (name == "box") return make_box({v[0], v[1], v[2]});
  if (name == "capsule") return make_capsule(v[0], v[1]);
  if (name == "cylinder") return make_cylinder(v[0], v[1]);
  if (name == "torus") {
    if (!(v[1] < v[0]))
      throw CaseError("--minor-radius", "must be less than the major radius, got " + number_text(v[1]));
    return make_torus(v[0], v[1]);
  }
  for (const double e : {v[3], v[4]}) {
    if (e < least_exponent || e > most_exponent) {
      throw CaseError("--exponents", "must be from " + number_text(least_exponent) + " to " +
                                         number_text(most_exponent) + ", got " + number_text(e));
    }
  }
  return make_superellipsoid({v[0], v[1], v[2]}, v[3], v[4]);
}

}  // namespace scree::grains
