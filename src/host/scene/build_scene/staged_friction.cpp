#include <algorithm>
#include <set>
#include <string>

#include "host/scene/build_scene/stages.hpp"
#include "host/text/text.hpp"
#include "scree/meeting_materials.hpp"

namespace scree {
namespace {

/// Whether the history of a contact under this law depends on its friction.
bool remembers_friction(LawKind law) { return needs_of(law).load_history; }

}  // namespace

void set_staged_friction(const Case& input, Scene& scene, std::vector<std::string>& warnings,
                         std::vector<InputProblem>& problems) {
  const MeetingMaterials meeting = meeting_materials(scene);
  const auto n = static_cast<std::uint32_t>(scene.materials.size());
  std::vector<std::string> names;
  for (const auto& [name, material] : input.materials) { names.push_back(name); }
  for (std::size_t s = 0; s < scene.stages.size(); ++s) {
    const std::string path = "stages." + std::to_string(s) + ".friction.";
    const std::vector<StagedFriction>& entries = input.stages[s].friction;
    std::set<std::size_t> refused, useful;
    const std::size_t problems_before = problems.size();
    for (std::size_t k = 0; k < entries.size(); ++k) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::string& name = entries[k].between[side];
        if (name == "*" || place_of_name(name, names)) { continue; }
        problems.push_back(
            {path + std::to_string(k) + ".between." + std::to_string(side), unknown_name("material", name, names)});
      }
    }
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a; b < n; ++b) {
        const std::string &first = names[scene.case_material(a)], &second = names[scene.case_material(b)];
        const auto is = [](const std::string& given, const std::string& name) { return given == "*" || given == name; };
        const auto found = std::find_if(entries.begin(), entries.end(), [&](const StagedFriction& entry) {
          return (is(entry.between[0], first) && is(entry.between[1], second)) ||
                 (is(entry.between[0], second) && is(entry.between[1], first));
        });
        if (found == entries.end()) { continue; }
        const auto k = static_cast<std::size_t>(found - entries.begin());
        if (meeting.can_touch(a, b)) { useful.insert(k); }
        if (remembers_friction(scene.law_of(a, b)) && refused.insert(k).second) {
          problems.push_back({path + std::to_string(k), "is not possible with the law " +
                                                            std::string(needs_of(scene.law_of(a, b)).name) + " of \"" +
                                                            first + "\" and \"" + second +
                                                            "\": what its contacts remember holds for one friction"});
        }
        scene.stages[s].friction.push_back({a, b, found->value});
      }
    }
    for (std::size_t k = 0; k < entries.size() && problems.size() == problems_before; ++k) {
      if (!useful.contains(k)) {
        warnings.push_back(path + std::to_string(k) +
                           ": changes nothing; its materials never touch, or an earlier entry holds for them");
      }
    }
  }
}

}  // namespace scree
