#include <algorithm>
#include <set>

#include "host/case_io/problems.hpp"
#include "host/contact_values.hpp"
#include "host/describe_case.hpp"

namespace scree {
namespace {

template <class T> std::vector<std::string> names_of(const Named<T>& named) {
  std::vector<std::string> names;
  for (const auto& [name, value] : named) names.push_back(name);
  return names;
}

bool matches(const ContactRule& rule, const std::string& a, const std::string& b) {
  const auto fits = [](const std::string& pattern, const std::string& name) {
    return pattern == "*" || pattern == name;
  };
  return (fits(rule.between[0], a) && fits(rule.between[1], b)) ||
         (fits(rule.between[0], b) && fits(rule.between[1], a));
}

bool matches_all(const ContactRule& rule) { return rule.between[0] == "*" && rule.between[1] == "*"; }

/// Names of materials and shapes must be defined.
class NameCheck {
 public:
  NameCheck(const Case& input, Problems& problems)
      : input_(input), problems_(problems), materials_(names_of(input.materials)) {}

  void run() {
    for (const auto& name : materials_) {
      if (name == "*") problems_.add("materials.*", "a material must not be named \"*\", which means any material");
    }
    for (std::size_t i = 0; i < input_.particles.size(); ++i) {
      const std::string path = "particles." + std::to_string(i);
      known_material(path + ".material", input_.particles[i].material);
      auto shapes = names_of(input_.shapes);
      shapes.insert(shapes.begin(), "sphere");
      if (problems_.fine(path + ".shape") && std::find(shapes.begin(), shapes.end(), input_.particles[i].shape) == shapes.end()) {
        problems_.add(path + ".shape", unknown("shape", input_.particles[i].shape, shapes));
      }
      const auto& group = input_.particles[i].group;
      const auto groups = names_of(input_.groups);
      if (group && problems_.fine(path + ".group") && std::find(groups.begin(), groups.end(), *group) == groups.end()) {
        problems_.add(path + ".group", unknown("group", *group, groups));
      }
    }
    for (const auto& [name, boundary] : input_.boundaries) {
      known_material("boundaries." + name + ".material", boundary.material);
    }
    for (std::size_t i = 0; i < input_.contacts.size(); ++i) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::string& name = input_.contacts[i].between[side];
        const std::string path = "contacts." + std::to_string(i) + ".between." + std::to_string(side);
        if (name != "*") known_material(path, name);
      }
    }
  }

 private:
  static std::string unknown(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
    return "unknown " + what + " \"" + name + "\"; " + suggestion(name, known);
  }

  void known_material(const std::string& path, const std::string& name) {
    if (!problems_.fine(path) || std::find(materials_.begin(), materials_.end(), name) != materials_.end()) return;
    // Where the table itself is broken every name in it would be reported as well.
    if (input_.materials.empty()) return;
    problems_.add(path, unknown("material", name, materials_));
  }

  const Case& input_;
  Problems& problems_;
  std::vector<std::string> materials_;
};

/// Pairs of materials that can meet: particles with particles and with boundaries; no pair twice.
std::vector<std::pair<std::string, std::string>> meeting_pairs(const Case& input) {
  std::vector<std::string> grains;
  std::vector<std::string> all;
  const auto note = [](std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  for (const auto& group : input.particles) {
    note(grains, group.material);
    note(all, group.material);
  }
  for (const auto& [name, boundary] : input.boundaries) note(all, boundary.material);
  std::vector<std::pair<std::string, std::string>> pairs;
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& a : grains) {
    for (const auto& b : all) {
      if (seen.insert(std::minmax(a, b)).second) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

/// A rule whose pairs are all taken by earlier rules has no effect. A last rule for any pair may stand as a safeguard.
void check_rules_match(const Case& input, Problems& problems) {
  const auto materials = names_of(input.materials);
  std::set<std::pair<std::string, std::string>> taken;
  bool all_taken = false;
  for (std::size_t i = 0; i < input.contacts.size(); ++i) {
    const ContactRule& rule = input.contacts[i];
    const std::string path = "contacts." + std::to_string(i);
    bool any = false;
    for (const auto& a : materials) {
      for (const auto& b : materials) {
        if (matches(rule, a, b)) any = taken.insert(std::minmax(a, b)).second || any;
      }
    }
    const bool useless = matches_all(rule) ? all_taken : !any;
    all_taken = all_taken || matches_all(rule);
    if (useless && problems.fine(path + ".between")) {
      problems.add(path, "matches no pair of materials that an earlier rule has not matched");
    }
  }
}

void check_pairs(const Case& input, Problems& problems) {
  const ContactRule standard;
  const auto material = [&](const std::string& name) -> const Material* {
    for (const auto& [key, value] : input.materials) {
      if (key == name) return &value;
    }
    return nullptr;
  };
  for (const auto& [a, b] : meeting_pairs(input)) {
    const Material* first = material(a);
    const Material* second = material(b);
    if (first == nullptr || second == nullptr) continue;  // reported where the name stands
    const auto rule = std::find_if(input.contacts.begin(), input.contacts.end(),
                                   [&, &a = a, &b = b](const ContactRule& r) { return matches(r, a, b); });
    const std::string pair = "\"" + a + "\" and \"" + b + "\"";
    if (!input.contacts.empty() && rule == input.contacts.end()) {
      problems.add("contacts", "no rule matches " + pair + "; add one, or a last rule between \"*\" and \"*\"");
      continue;
    }
    const ContactRule& used = input.contacts.empty() ? standard : *rule;
    if (!needs_restitution(used) || used.restitution || first->restitution || second->restitution) continue;
    if (a == b) {
      problems.add("materials." + a + ".restitution", "is missing; " + law_name(used.law) + " needs it for " + pair);
    } else {
      problems.add("contacts",
                   law_name(used.law) + " needs a restitution for " + pair + ": give it in their rule or materials");
    }
  }
}

/// The cell of a start is known when its checkpoint is read; all else about cells is checked here.
void check_cell(const Case& input, Problems& problems) {
  const Domain& domain = input.domain;
  if (input.start) {
    if (domain.periodic) problems.add("domain.periodic", "is not allowed with \"start\", which brings the cell");
    return;
  }
  if (!domain.periodic) {
    const auto needless = [&](bool given, const std::string& key) {
      if (given && problems.fine(key)) problems.add(key, "needs \"periodic\", the cell that it deforms");
    };
    needless(domain.velocity_gradient.has_value(), "domain.velocity_gradient");
    needless(!domain.control.empty(), "domain.control");
    for (const auto& path : uses_of_cell(input)) problems.add(path, "needs \"domain.periodic\", the cell that it means");
    return;
  }
  for (std::size_t i = 0; i < input.particles.size(); ++i) {
    if (input.particles[i].inlet) problems.add("particles." + std::to_string(i) + ".inlet", "is not possible in a periodic cell");
  }
}

}  // namespace

void check_case(const Case& input, Problems& problems) {
  NameCheck(input, problems).run();
  check_cell(input, problems);
  if (!problems.fine("contacts") || !problems.fine("materials")) return;
  check_rules_match(input, problems);
  check_pairs(input, problems);
}

}  // namespace scree
