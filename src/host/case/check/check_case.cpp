#include <set>

#include "host/case/check/breakage.hpp"
#include "host/case/check/fluid.hpp"
#include "host/case/check/heat.hpp"
#include "host/case/check/problems.hpp"
#include "host/case/contact_values.hpp"
#include "host/case/describe_case.hpp"
#include "host/case/films.hpp"
#include "host/case/laws.hpp"
#include "host/case/losses.hpp"
#include "host/case/meeting_materials.hpp"
#include "host/case/names.hpp"
#include "host/case/parcels.hpp"
#include "host/case/probe_region.hpp"
#include "host/case/rule_table.hpp"

namespace scree {
namespace {

/// Names of materials and shapes must be defined.
class NameCheck {
 public:
  NameCheck(const Case& input, Problems& problems)
      : input_(input), problems_(problems), materials_(names_of(input.materials)) {}

  void run() {
    for (const auto& name : materials_) {
      if (name == "*") problems_.add("materials.*", "a material must not be named \"*\", which means any material");
    }
    auto shapes = names_of(input_.shapes);
    shapes.insert(shapes.begin(), "sphere");
    const auto groups = names_of(input_.groups);
    for (std::size_t i = 0; i < input_.particles.size(); ++i) {
      const std::string path = "particles." + std::to_string(i);
      check_entry(path, input_.particles[i], shapes, groups);
    }
    for (const auto& [name, boundary] : input_.boundaries) {
      known_material("boundaries." + name + ".material", boundary.material);
    }
    if (input_.breakage) {
      for (const auto& [name, rule] : input_.breakage->materials) known_material("breakage.materials." + name, name);
    }
    for (std::size_t i = 0; i < input_.contacts.size(); ++i) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::string& name = input_.contacts[i].between[side];
        const std::string path = "contacts." + std::to_string(i) + ".between." + std::to_string(side);
        if (name != "*") known_material(path, name);
      }
    }
    visit_probes(input_, [&](const std::string& path, const ProbeOutput& probe) { check_probe(path, probe); });
    for (const auto& [name, fields] : input_.output.fields) {
      known_materials("output.fields." + name + ".materials", fields.materials);
      known_groups("output.fields." + name + ".groups", fields.groups);
    }
  }

 private:
  void check_entry(const std::string& path, const ParticleGroup& entry, const std::vector<std::string>& shapes,
                   const std::vector<std::string>& groups) {
    if (entry.material) known_material(path + ".material", *entry.material);
    known(path + ".shape", "shape", entry.shape, shapes);
    if (entry.group) { known(path + ".group", "group", *entry.group, groups); }
    if (entry.fill) { known_boundaries(path + ".fill.keep_out_of", entry.fill->keep_out_of); }
    if (entry.inlet) { known_boundaries(path + ".inlet.keep_out_of", entry.inlet->keep_out_of); }
    if (entry.membrane && entry.membrane->ends) {
      known(path + ".membrane.ends", "group", *entry.membrane->ends, groups);
    }
    for (std::size_t k = 0; k < entry.mixture.size(); ++k) {
      const MixturePart& part = entry.mixture[k];
      const std::string here = path + ".mixture." + std::to_string(k);
      known_material(here + ".material", part.material);
      known(here + ".shape", "shape", part.shape, shapes);
      if (part.group) { known(here + ".group", "group", *part.group, groups); }
    }
  }

  void check_probe(const std::string& path, const ProbeOutput& probe) {
    known_materials(path + ".materials", probe.materials);
    known_groups(path + ".groups", probe.groups);
    if (const auto* mixing = std::get_if<MixingProbe>(&probe.kind)) {
      known_materials(path + ".of.materials", mixing->of.materials);
      known_groups(path + ".of.groups", mixing->of.groups);
    }
  }

  void known_materials(const std::string& path, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) known_material(path + "." + std::to_string(i), names[i]);
  }

  void known_groups(const std::string& path, const std::vector<std::string>& names) {
    const auto groups = names_of(input_.groups);
    for (std::size_t i = 0; i < names.size(); ++i) known(path + "." + std::to_string(i), "group", names[i], groups);
  }

  void known_boundaries(const std::string& path, const std::vector<std::string>& names) {
    const auto all = names_of(input_.boundaries);
    for (std::size_t i = 0; i < names.size(); ++i) known(path + "." + std::to_string(i), "boundary", names[i], all);
  }

  void known(const std::string& path, const char* what, const std::string& name,
             const std::vector<std::string>& names) {
    if (!problems_.fine(path) || place_of_name(name, names)) return;
    // Other names stand for things that must be described. A group may be nothing but a name.
    const bool may_be_empty = what == std::string_view("group") && names.empty();
    problems_.add(path, unknown_name(what, name, names) +
                            (may_be_empty ? "; a group is named first: \"groups\": {\"" + name + "\": {}}" : ""));
  }

  void known_material(const std::string& path, const std::string& name) {
    // If the table itself has a problem, all names would be reported in addition.
    if (!input_.materials.empty()) known(path, "material", name, materials_);
  }

  const Case& input_;
  Problems& problems_;
  std::vector<std::string> materials_;
};

/// Complains about rules without effect: earlier rules match all their pairs. A last rule for any pair is allowed as a
/// safeguard.
void check_rules_match(const Case& input, const RuleTable& table, Problems& problems) {
  const std::set<std::string> names = [&] {
    const auto list = names_of(input.materials);
    return std::set<std::string>(list.begin(), list.end());
  }();
  const auto known = [&](const std::string& name) { return name == "*" || names.contains(name); };
  for (std::size_t i = 0; i < input.contacts.size(); ++i) {
    const std::string path = "contacts." + std::to_string(i);
    const auto& [first, second] = input.contacts[i].between;
    if (table.counts(i) || !known(first) || !known(second)) continue;
    problems.add(path, "matches no pair of materials that an earlier rule has not matched");
  }
}

/// Complains about missing rules and missing restitutions of pairs of materials that can touch.
void check_pairs(const Case& input, const RuleTable& table, Problems& problems) {
  constexpr std::size_t most_reports = 20;
  const ContactRule standard;
  std::size_t found = 0;
  const auto report = [&](const std::string& path, const std::string& message) {
    if (++found <= most_reports) problems.add(path, message);
  };
  meeting_materials(input).for_each_pair([&](std::size_t a, std::size_t b) {
    const auto& [first_name, first] = input.materials[a];
    const auto& [second_name, second] = input.materials[b];
    const auto rule = input.contacts.empty() ? std::nullopt : table.rule_for(a, b);
    const std::string pair = "\"" + first_name + "\" and \"" + second_name + "\"";
    if (!input.contacts.empty() && !rule) {
      return report("contacts", "no rule matches " + pair + "; add one, or a last rule between \"*\" and \"*\"");
    }
    const ContactRule& used = rule ? input.contacts[*rule] : standard;
    if (!needs_restitution(used) || used.restitution || first.restitution || second.restitution) return;
    if (a == b) {
      report("materials." + first_name + ".restitution", "is missing; " + law_name(used.law) + " needs it for " + pair);
    } else {
      report("contacts",
             law_name(used.law) + " needs a restitution for " + pair + ": give it in their rule or materials");
    }
  });
  if (found > most_reports) {
    problems.add("contacts", "and " + std::to_string(found - most_reports) + " more pairs like these");
  }
}

/// Complains about bonds that only a checkpoint can have, in a case without one.
void check_kept_bonds(const Case& input, Problems& problems) {
  if (input.start) return;
  for (std::size_t k = 0; k < input.contacts.size(); ++k) {
    const auto& bond = input.contacts[k].bond;
    if (bond && bond->form == BondForm::kept) {
      problems.add("contacts." + std::to_string(k) + ".bond.form",
                   "\"kept\" needs \"start\": it keeps the bonds of that checkpoint");
    }
  }
}

/// Checks the periodic cell. With a start, the cell becomes known only when the checkpoint is read; its size is checked
/// then.
void check_cell(const Case& input, Problems& problems) {
  const Domain& domain = input.domain;
  const bool deforms = domain.velocity_gradient || !domain.control.empty();
  for (std::size_t i = 0; deforms && i < input.particles.size(); ++i) {
    if (!input.particles[i].inlet) { continue; }
    problems.add("particles." + std::to_string(i) + ".inlet", "is not possible in a cell that deforms");
  }
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
    for (const auto& path : uses_of_cell(input)) {
      problems.add(path, "needs \"domain.periodic\", which defines the cell");
    }
    return;
  }
  if (deforms) {
    for (const auto& [name, boundary] : input.boundaries) {
      const auto* mesh = std::get_if<MeshBoundary>(&boundary.shape);
      if (mesh == nullptr || !mesh->facets) { continue; }
      problems.add("boundaries." + name + ".facets", "is not possible in a cell that deforms");
    }
  }
}

void check_losses(const Case& input, Problems& problems) {
  for (const auto& [name, shape] : input.shapes) {
    if (!std::holds_alternative<LevelSetTemplate>(shape.kind)) { continue; }
    std::vector<std::string> paths = uses_of_losses(input);
    if (input.output.collisions) { paths.emplace_back("output.collisions"); }
    for (const std::string& path : paths) {
      problems.add(path,
                   "is not possible with level-set grains, such as \"" + name + "\", whose losses are not summed up");
    }
    return;
  }
}

}  // namespace

void check_case(const Case& input, Problems& problems) {
  if (input.materials.size() > most_materials) {
    problems.add("materials", "must be at most " + std::to_string(most_materials) +
                                  ", since a table holds every pair of them, got " +
                                  std::to_string(input.materials.size()));
    return;
  }
  NameCheck(input, problems).run();
  check_kept_bonds(input, problems);
  for (const auto& [name, boundary] : input.boundaries) {
    if (!boundary.from_start || input.start) { continue; }
    problems.add("boundaries." + name + ".from_start",
                 "needs \"start\": the boundary begins where that run has left it");
  }
  check_cell(input, problems);
  check_parcels(input, problems);
  check_heat(input, problems);
  check_fluid(input, problems);
  check_breakage(input, problems);
  check_losses(input, problems);
  check_films(input, problems);
  for (const auto& path : faces_beside_inlets(input)) {
    problems.add(path, "is a surface without a volume; only inlets can have it");
  }
  if (!problems.fine("contacts") || !problems.fine("materials")) return;
  const RuleTable table(names_of(input.materials), input.contacts);
  check_rules_match(input, table, problems);
  check_pairs(input, table, problems);
}

void check_contacts(const Case& input, Problems& problems) {
  check_pairs(input, RuleTable(names_of(input.materials), input.contacts), problems);
}

}  // namespace scree
