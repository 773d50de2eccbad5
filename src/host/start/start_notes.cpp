#include <algorithm>
#include <string>

#include "host/case/laws.hpp"
#include "host/start/start_from.hpp"
#include "host/storage/state_arrays.hpp"
#include "host/text/text.hpp"

// Warnings about differences between the old case and this one.
namespace scree {

/// Warns if the scale of parcels changes, because bodies keep their sizes.
void StartPoint::note_other_scale(const std::optional<Parcels>& there, const std::optional<Parcels>& here) {
  const double old = there ? there->scale : 1, present = here ? here->scale : 1;
  if (old == present) return;
  const auto text = [](double scale) { return scale == 1 ? "grains" : "parcels of scale " + number_text(scale); };
  warnings_.push_back("start: the particles of " + file_.string() + " are " + text(old) + ", those of this case " +
                      text(present) + "; they keep their sizes, and their contacts are those of " + text(present));
}

/// Warns if rules for the nodes of grains change: histories of nodes continue, but forces change at once.
void StartPoint::note_other_nodes(const Case& input) {
  if (std::find(grain_.begin(), grain_.end(), true) == grain_.end()) return;
  const GrainContacts &old = origin_.grain_contacts, &present = input.grain_contacts;
  const auto note = [&](const char* key, bool before, bool now) {
    if (before == now) return;
    const auto word = [](bool value) { return value ? "true" : "false"; };
    warnings_.push_back(std::string("start: \"grain_contacts.") + key + "\" was " + word(before) +
                        " for the grains of " + file_.string() + " and is " + word(now) +
                        " in this case, so their contact forces change at once");
  };
  note("two_pass", old.two_pass, present.two_pass);
  note("by_area", old.by_area, present.by_area);
}

/// Finds the length of the longest bond of two spheres when it was made, and warns if rules of this case end bonds of
/// that length. The history of a whole bond has its strength and the overlap at which it was made.
void StartPoint::measure_bonds(const Case& input) {
  const PairHistories histories(checkpoint_.state);
  if (histories.columns() < 2) return;
  const OldRules rules = old_rules();
  const auto ids = numbers<std::uint32_t>(checkpoint_.state, "pairs/ids", 2);
  for (std::size_t k = 0; 2 * k < ids.size(); ++k) {
    const std::uint32_t i = new_id(ids[2 * k], "pairs"), j = new_id(ids[2 * k + 1], "pairs");
    if (i == gone || j == gone || grain_[i] || grain_[j]) continue;
    if (!needs_of(rules.law_of({old_material_[i], old_material_[j]})).makes_bonds()) continue;
    if (!(histories.number(k, 0) > 0)) continue;
    longest_bond_ = std::max(longest_bond_, 1 - histories.number(k, 1) / (particles_.radius[i] + particles_.radius[j]));
  }
  for (const ContactRule& rule : input.contacts) {
    if (!rule.bond || rule.bond->form != BondForm::near) continue;
    if (rule.bond->interaction_range * (1 + 1e-5) >= longest_bond_) continue;
    warnings_.push_back("start: bonds of the checkpoint are up to " + short_number_text(longest_bond_, 4) +
                        " times the two radii long; those beyond the \"interaction_range\" " +
                        number_text(rule.bond->interaction_range) + " end");
    return;
  }
}

}  // namespace scree
