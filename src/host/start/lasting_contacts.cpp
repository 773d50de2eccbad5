#include <algorithm>
#include <array>

#include "host/case/io/json.hpp"
#include "host/case/laws.hpp"
#include "host/scene/contact_rules.hpp"
#include "host/start/start_from.hpp"
#include "host/start/state_arrays.hpp"
#include "scree/case_file.hpp"
#include "scree/elasticity.hpp"
#include "scree/errors.hpp"

/// Which contacts of the old state mean the same in the new scene.
namespace scree {
namespace {

/// Whether a stage that has begun until this state moves a boundary, in a run of this case.
bool stages_moved_boundaries(const Json& there, const EngineState& state) {
  const StateArray* const begun = state.find("stages/begin_step");
  const auto stages = there.find("stages");
  if (begun == nullptr || stages == there.end() || !stages->is_array()) return false;
  for (std::size_t k = 0; k < begun->rows() && k < stages->size(); ++k) {
    const auto changes = (*stages)[k].find("boundaries");
    if (changes == (*stages)[k].end()) continue;
    for (const Json& change : *changes) {
      if (change.contains("motion")) return true;
    }
  }
  return false;
}

}  // namespace

/// Boundaries are numbered as they stand, and their parts with them. What moves is elsewhere at time 0, and so is what
/// stages of the old run have moved.
bool StartPoint::same_boundaries(const Case& input) const {
  std::vector<InputProblem> ignored;
  Json there, here;
  if (!try_parse_json(checkpoint_.case_text, there, ignored)) return false;
  if (!try_parse_json(write_case(input), here, ignored)) return false;
  const bool move = std::any_of(input.boundaries.begin(), input.boundaries.end(), [](const auto& boundary) {
    return !boundary.second.motion.empty() || boundary.second.drive || servo_of(boundary.second.shape) != nullptr;
  });
  return !move && !stages_moved_boundaries(there, checkpoint_.state) && there.contains("boundaries") &&
         here.contains("boundaries") && there["boundaries"] == here["boundaries"];
}

/// What a load history means depends on moduli and friction, and how it is written on the precision. Indices are of the
/// materials of both cases.
bool StartPoint::keeps_load_history(const Scene& scene, const std::array<std::size_t, 2>& old,
                                    const MaterialPair& before, const std::array<std::size_t, 2>& present) const {
  const ValueType type = scene.precision == Precision::double_ ? ValueType::float64 : ValueType::float32;
  const MaterialPair& now = scene.pair(present[0], present[1]);
  const auto [young, shear] = effective_moduli(scene.materials[present[0]], scene.materials[present[1]], now);
  const auto moduli = effective_moduli(origin_.materials[old[0]].second, origin_.materials[old[1]].second, before);
  return before.friction == now.friction && moduli.young == young && moduli.shear == shear &&
         array_of(checkpoint_.state, "pairs/shear").type == type;
}

bool StartPoint::boundaries_keep_load_histories(const Case& input, const Scene& scene) const {
  std::vector<InputProblem> ignored;
  const ResolvedContacts old = resolve_contacts(origin_, ignored);
  const auto place = [&](const std::string& name) {  // in the materials of the old case
    const auto found = std::find_if(origin_.materials.begin(), origin_.materials.end(),
                                    [&](const auto& m) { return m.first == name; });
    return static_cast<std::size_t>(found - origin_.materials.begin());
  };
  const std::size_t n = input.materials.size(), n_old = origin_.materials.size();
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const std::size_t p = place(input.materials[a].first), q = place(input.materials[b].first);
      if (p == n_old || q == n_old || !needs_of(scene.law_of(a, b)).load_history) continue;
      if (!keeps_load_history(scene, {p, q}, old.pairs[p * n_old + q], {a, b})) return false;
    }
  }
  return true;
}

/// Which rows of the contacts of pairs go on, and under which ids.
StartPoint::Contacts StartPoint::lasting_pairs(const Scene& scene) const {
  std::vector<InputProblem> ignored;
  const ResolvedContacts old = resolve_contacts(origin_, ignored);
  const std::size_t n_old = origin_.materials.size();
  const auto rule_before = [&](std::uint32_t i, std::uint32_t j) -> const MaterialPair& {
    return old.pairs[old_material_[i] * n_old + old_material_[j]];
  };
  const auto rule_now = [&](std::uint32_t i, std::uint32_t j) -> const MaterialPair& {
    return scene.pair(particles_.material[i], particles_.material[j]);
  };
  const auto from_films = [](const MaterialPair& rule) { return rule.liquid && rule.liquid->from_films; };
  const auto goes_on = [&](std::uint32_t i, std::uint32_t j) {
    const std::array<std::size_t, 2> of_old{old_material_[i], old_material_[j]};
    const MaterialPair &before = rule_before(i, j), &now = rule_now(i, j);
    const LawKind law = now.law.value_or(scene.law);
    if (needs_of(law).load_history &&
        !keeps_load_history(scene, of_old, before, {particles_.material[i], particles_.material[j]})) {
      return false;
    }
    // Bonds are made by every start, of what is near.
    return !needs_of(law).makes_bonds() && law == before.law.value_or(old.law) &&
           now.rolling.acts() == before.rolling.acts() && now.rolling.is_moment() == before.rolling.is_moment() &&
           now.attraction() == before.attraction();
  };
  const auto ids = numbers<std::uint32_t>(checkpoint_.state, "pairs/ids", 2);
  Contacts contacts;
  for (std::size_t k = 0; 2 * k < ids.size(); ++k) {
    const std::uint32_t i = new_id(ids[2 * k], "pairs"), j = new_id(ids[2 * k + 1], "pairs");
    if (i == gone || j == gone) continue;
    const bool lasts = goes_on(i, j);
    if (from_films(rule_before(i, j)) && !(lasts && from_films(rule_now(i, j)))) contacts.ended.push_back({k, {i, j}});
    if (!lasts) {
      ++contacts.begin_anew;
      continue;
    }
    contacts.row.push_back(k);
    contacts.ids.insert(contacts.ids.end(), {i, j});
  }
  return contacts;
}

}  // namespace scree
