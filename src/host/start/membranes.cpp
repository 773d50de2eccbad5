#include <algorithm>
#include <cmath>
#include <string>

#include "host/case/describe_goals.hpp"
#include "host/case/particle_kinds.hpp"
#include "host/checkpoint/membrane_arrays.hpp"
#include "host/packing/sizes.hpp"
#include "host/scene/build_scene/groups.hpp"
#include "host/scene/build_scene/membranes.hpp"
#include "host/scene/build_scene/problems.hpp"
#include "host/start/start_from.hpp"
#include "host/text/text.hpp"
#include "scree/errors.hpp"

/// Membranes that go on: the entry of the case with the name of a membrane of the old run gives its pressure and its
/// groups, the checkpoint gives its nodes and bonds.
namespace scree {

const StartPoint::OldMembrane* StartPoint::old_membrane(const std::string& name) const {
  const auto found = std::find_if(old_membranes_.begin(), old_membranes_.end(),
                                  [&](const OldMembrane& old) { return old.name == name; });
  return found == old_membranes_.end() ? nullptr : &*found;
}

/// Needs the new ids.
void StartPoint::read_membranes(const Json& there) {
  std::vector<Json> entries;
  if (there.contains("particles") && there["particles"].is_array()) {
    for (const Json& entry : there["particles"]) {
      if (entry.is_object() && entry.contains("membrane")) { entries.push_back(entry["membrane"]); }
    }
  }
  if (entries.empty()) { return; }
  const auto saved = saved_membranes(checkpoint_.state);
  if (!saved) {
    throw CaseError("start", "is not possible from " + file_.string() +
                                 ": it is of an older version, which does not tell where the nodes of membranes are");
  }
  if (saved->size() != entries.size()) { throw StateError("membranes/nodes are not those of its case"); }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const auto& [first, around, rings] = (*saved)[k];
    const std::uint64_t nodes = std::uint64_t{around} * rings;
    if (around < 3 || rings < 2 || nodes - 1 > new_id_.back().first) {
      throw StateError("the array membranes/nodes: row " + std::to_string(k) +
                       " must be the first id, at least 3 nodes of a ring and at least 2 rings, and all nodes must be "
                       "particles of the run, got " +
                       std::to_string(first) + ", " + std::to_string(around) + ", " + std::to_string(rings));
    }
    if (!entries[k].is_object() || !entries[k].contains("name") || !entries[k]["name"].is_string()) {
      throw StateError("the membranes of its case cannot be read");
    }
    const std::string name = entries[k]["name"].get<std::string>();
    const auto begin =
        std::lower_bound(new_id_.begin(), new_id_.end(), std::pair<std::uint32_t, std::uint32_t>{first, 0});
    std::uint64_t there_are = 0;
    for (auto node = begin; node != new_id_.end() && node->first - first < nodes; ++node) {
      if (node->second != gone) { ++there_are; }
    }
    if (there_are < nodes) {
      throw CaseError("start", "is not possible from " + file_.string() + ": " +
                                   counted(nodes - there_are, "node", "nodes") + " of its membrane \"" + name +
                                   "\" have left that run, so that the sheet has holes");
    }
    old_membranes_.push_back({name, entries[k], begin->second, {around, rings}});
  }
}

/// The groups of nodes are those of the entry.
void StartPoint::take_membranes(const Case& input) {
  for (const OldMembrane& old : old_membranes_) {
    const auto entry = std::find_if(input.particles.begin(), input.particles.end(), [&](const ParticleGroup& own) {
      return own.membrane && own.membrane->name == old.name;
    });
    if (entry == input.particles.end()) {
      throw CaseError("start", file_.string() + " has the membrane \"" + old.name +
                                   "\", but \"particles\" has none of this name: give its entry, with the pressure of "
                                   "this run");
    }
    if (input.groups.empty()) { continue; }
    const std::uint32_t around = old.lattice.around, nodes = old.lattice.nodes();
    const std::uint32_t inside = group_index(input, entry->group);
    const std::uint32_t at_ends = entry->membrane->ends ? group_index(input, entry->membrane->ends) : inside;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const bool is_end = node < around || node >= nodes - around;
      particles_.group[old.first + node] = is_end ? at_ends : inside;
    }
  }
}

/// Complains of what an entry says otherwise than the old run, and of values that only new nodes have.
void StartPoint::check_nodes(const Case& input, const ParticleGroup& entry, const OldMembrane& old,
                             const std::string& path, std::vector<InputProblem>& problems) const {
  const auto expect = [&](const char* key, const Json& value) {
    const auto found = old.keys.find(key);
    if (found == old.keys.end() || *found == value) { return; }
    problems.push_back({path + ".membrane." + key, "must be " + found->dump() +
                                                       " as in the run that \"start\" names: the sheet goes on from "
                                                       "where that run has left it"});
  };
  expect("from", entry.membrane->from);
  expect("to", entry.membrane->to);
  expect("radius", entry.membrane->radius);
  const double radius = particles_.radius[old.first];
  const double given = packing::largest_size(*kinds_of(input, entry).at(0).radius);
  constexpr double rounding = 1e-6;  // of radii in single precision
  if (!(std::fabs(given - radius) <= rounding * radius)) {
    const bool is_half = entry.diameter.has_value();
    problems.push_back(
        {path + (is_half ? ".diameter" : ".radius"), "must be " + short_number_text((is_half ? 2 : 1) * radius, 6) +
                                                         " m as in the run that \"start\" names, whose nodes go on"});
  }
  const auto refuse = [&](bool is_given, const char* key) {
    if (!is_given) { return; }
    problems.push_back({path + "." + key, "is not allowed for the membrane \"" + old.name +
                                              "\", whose nodes go on as \"start\" has left them"});
  };
  refuse(entry.velocity != Real3{}, "velocity");
  refuse(entry.angular_velocity != Real3{}, "angular_velocity");
  refuse(entry.temperature.has_value(), "temperature");
  refuse(entry.film.has_value(), "film");
}

void StartPoint::check_membranes(const Case& input, const Scene& scene, std::vector<InputProblem>& problems) const {
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    const ParticleGroup& entry = input.particles[k];
    if (!entry.membrane) { continue; }
    const std::string path = "particles." + std::to_string(k);
    const OldMembrane* const old = old_membrane(entry.membrane->name);
    const std::uint32_t material = material_index(input, *entry.material);
    if (old != nullptr) {
      check_nodes(input, entry, *old, path, problems);
      if (const std::uint32_t of_nodes = particles_.material[old->first]; of_nodes != material) {
        problems.push_back({path + ".material", "must be \"" + input.materials[of_nodes].first +
                                                    "\" as in the run that \"start\" names, whose nodes go on"});
        continue;
      }
    }
    if (scene.pairs.empty() || !needs_of(scene.law_of(material, material)).makes_bonds()) { continue; }
    const BondForm form = scene.pair(material, material).bond.form;
    const std::string rule = "the rule of \"contacts\" between \"" + *entry.material + "\" and itself";
    if (old == nullptr) {
      if (form != BondForm::kept) { continue; }
      problems.push_back({path + ".membrane", "would have no bonds, since " + rule +
                                                  " has the form \"kept\": give its nodes another material"});
    } else if (form == BondForm::start) {
      problems.push_back({path + ".membrane",
                          "would lose the tension of its bonds, which would be made anew: give the "
                          "\"bond\" of " +
                              rule + " \"form\": \"kept\""});
    } else if (const Materials old_ones{old_material_[old->first], old_material_[old->first]};
               !goes_on(old_rules(), scene, old_ones, {material, material})) {
      problems.push_back({path + ".membrane", "would lose all of its bonds: " + rule +
                                                  " has another rolling resistance, or another pull between particles, "
                                                  "than in the run that \"start\" names"});
    }
  }
}

std::vector<SceneMembrane> StartPoint::membranes(const Case& input, std::vector<std::string>& notes) const {
  std::vector<SceneMembrane> all;
  for (std::size_t k = 0; k < input.particles.size(); ++k) {
    if (!input.particles[k].membrane) { continue; }
    const Membrane& source = *input.particles[k].membrane;
    const OldMembrane* const old = old_membrane(source.name);
    if (old == nullptr) { continue; }
    all.push_back({source.name, k, old->first, old->lattice, rows_of(source.pressure)});
    notes.push_back(
        membrane_text("particles." + std::to_string(k), old->lattice, source, particles_.radius[old->first]) +
        ", go on from the start");
  }
  return all;
}

}  // namespace scree
