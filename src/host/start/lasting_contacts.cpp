#include "host/case/laws.hpp"
#include "host/scene/contact_rules.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "scree/elasticity.hpp"
#include "scree/errors.hpp"

// Finds the contacts of the old state that continue in the new scene.
namespace scree {

/// Whether the load history of a contact keeps its meaning, which depends on moduli and friction, and its format, which
/// depends on the precision. `old` and `present` are the indices of its materials in the two cases.
bool StartPoint::keeps_load_history(const Scene& scene, const Materials& old, const MaterialPair& before,
                                    const Materials& present) const {
  const ValueType type = scene.precision == Precision::double_ ? ValueType::float64 : ValueType::float32;
  const MaterialPair& now = scene.pair(present[0], present[1]);
  const auto [young, shear] = effective_moduli(scene.materials[present[0]], scene.materials[present[1]], now);
  const auto moduli = effective_moduli(origin_.materials[old[0]].second, origin_.materials[old[1]].second, before);
  return before.friction == now.friction && moduli.young == young && moduli.shear == shear &&
         array_of(checkpoint_.state, "pairs/shear").type == type;
}

StartPoint::OldRules StartPoint::old_rules() const {
  std::vector<InputProblem> ignored;
  ResolvedContacts resolved = resolve_contacts(origin_, ignored);
  return {resolved.law, std::move(resolved.pairs), origin_.materials.size()};
}

/// Whether a contact between two materials continues. `old` and `present` are their indices in the two cases.
bool StartPoint::goes_on(const OldRules& rules, const Scene& scene, const Materials& old,
                         const Materials& present) const {
  const MaterialPair& before = rules.pair(old);
  const MaterialPair& now = scene.pair(present[0], present[1]);
  const LawKind law = now.law.value_or(scene.law);
  if (needs_of(law).load_history && !keeps_load_history(scene, old, before, present)) return false;
  if (needs_of(law).makes_bonds() && now.bond.form == BondForm::start) return false;  // bonds are made anew
  return law == rules.law_of(old) && now.rolling.acts() == before.rolling.acts() &&
         now.rolling.is_moment() == before.rolling.is_moment() && now.attraction() == before.attraction();
}

/// Finds the rows of the contacts of pairs that continue, and their new ids.
StartPoint::Contacts StartPoint::lasting_pairs(const Scene& scene) const {
  const OldRules rules = old_rules();
  const auto from_films = [](const MaterialPair& rule) { return rule.liquid && rule.liquid->from_films; };
  const auto ids = numbers<std::uint32_t>(checkpoint_.state, "pairs/ids", 2);
  const PairHistories histories(checkpoint_.state);  // the first number of a bond is its strength; above 0 it is whole
  Contacts contacts;
  for (std::size_t k = 0; 2 * k < ids.size(); ++k) {
    const std::uint32_t i = new_id(ids[2 * k], "pairs"), j = new_id(ids[2 * k + 1], "pairs");
    if (i == gone || j == gone) continue;
    const Materials old{old_material_[i], old_material_[j]}, present{particles_.material[i], particles_.material[j]};
    const bool lasts = goes_on(rules, scene, old, present);
    const bool was_wet = from_films(rules.pair(old));
    if (was_wet && !(lasts && from_films(scene.pair(present[0], present[1])))) contacts.ended.push_back({k, {i, j}});
    if (!lasts) {
      ++contacts.begin_anew;
      if (needs_of(rules.law_of(old)).makes_bonds() && histories.number(k, 0) > 0) ++contacts.ended_bonds;
      continue;
    }
    contacts.row.push_back(k);
    contacts.ids.insert(contacts.ids.end(), {i, j});
  }
  return contacts;
}

StartPoint::NodeBonds StartPoint::put_node_bonds(const Scene& scene, EngineState& state) const {
  const std::string group = "node_bonds/";
  if (state.find(group + "first") == nullptr || checkpoint_.state.find(group + "first") == nullptr) return {};
  const OldRules rules = old_rules();
  const auto first = numbers<std::uint32_t>(checkpoint_.state, group + "first");
  const auto second = numbers<std::uint32_t>(checkpoint_.state, group + "second");
  if (first.size() != second.size()) throw StateError("the arrays of node_bonds differ in length");
  NodeBonds bonds;
  std::vector<std::size_t> rows;
  std::vector<std::uint32_t> new_first, new_second;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const std::uint32_t i = new_id(first[k], "node_bonds"), j = new_id(second[k], "node_bonds");
    if (i == gone || j == gone) continue;
    if (!goes_on(rules, scene, {old_material_[i], old_material_[j]},
                 {particles_.material[i], particles_.material[j]})) {
      ++bonds.ended;
      continue;
    }
    ++bonds.go_on;
    rows.push_back(k), new_first.push_back(i), new_second.push_back(j);
  }
  fill_rows(state, group, rows.size(), checkpoint_.state, [&](const StateArray& old, StateArray& array) {
    for (std::size_t k = 0; k < rows.size(); ++k) copy_row(old, rows[k], array, k);
  });
  write_ids(mutable_array(state, group + "first"), new_first);
  write_ids(mutable_array(state, group + "second"), new_second);
  return bonds;
}

}  // namespace scree
