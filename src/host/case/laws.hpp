#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "scree/case.hpp"

namespace scree {

/// What holds a contact, and so limits the time step.
enum class HeldBy {
  hertz,    ///< grows with the overlap
  springs,  ///< linear springs
  bond,     ///< a bar between two centres, which pulls as well
};

/// What a contact law states about itself to all that is no law: checks of cases, time step, memory plan, output.
struct LawNeeds {
  LawKind kind;
  std::string_view name;  ///< in a case file
  HeldBy held_by;
  bool dashpots = false;      ///< has linear dashpots, which a rule may give one by one
  bool restitution = false;   ///< its dashpots follow from a coefficient of restitution
  bool adhesion = false;      ///< needs a surface energy
  bool holds_apart = false;   ///< its adhesion holds bodies that are apart; a contact begins with a finite circle
  bool load_history = false;  ///< contacts remember a stack of segments of any length
  bool rolling = true;        ///< rolling and twisting resistance may be added

  [[nodiscard]] constexpr bool makes_bonds() const { return held_by == HeldBy::bond; }
};

namespace laws {
using enum LawKind;
using enum HeldBy;

/// In the order of LawKind.
inline constexpr std::array<LawNeeds, 9> all = {{
    {.kind = hertz_mindlin, .name = "hertz_mindlin", .held_by = hertz, .restitution = true},
    {.kind = cundall_strack, .name = "cundall_strack", .held_by = springs},
    {.kind = hertz_mindlin_rescaled, .name = "hertz_mindlin_rescaled", .held_by = hertz, .restitution = true},
    {.kind = hertz_mindlin_dmt, .name = "hertz_mindlin_dmt", .held_by = hertz, .restitution = true, .adhesion = true},
    {.kind = mindlin_reversal, .name = "mindlin_reversal", .held_by = hertz, .restitution = true},
    {.kind = jkr, .name = "jkr", .held_by = hertz, .restitution = true, .adhesion = true, .holds_apart = true},
    {.kind = linear_spring_dashpot,
     .name = "linear_spring_dashpot",
     .held_by = springs,
     .dashpots = true,
     .restitution = true},
    {.kind = bonded, .name = "bonded", .held_by = bond},
    {.kind = jaeger, .name = "jaeger", .held_by = hertz, .restitution = true, .load_history = true, .rolling = false},
}};

constexpr bool are_in_order() {
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (static_cast<std::size_t>(all[k].kind) != k) { return false; }
  }
  return true;
}
static_assert(are_in_order());
}  // namespace laws

[[nodiscard]] constexpr const LawNeeds& needs_of(LawKind law) { return laws::all[static_cast<std::size_t>(law)]; }

/// As it is called in a case file.
[[nodiscard]] inline std::string law_name(LawKind law) { return std::string(needs_of(law).name); }

/// The names of all laws for which `has` holds: "hertz_mindlin, jkr and jaeger".
template <class Has>
[[nodiscard]] std::string names_of_laws(Has&& has) {
  std::string text, last;
  for (const LawNeeds& law : laws::all) {
    if (!has(law)) { continue; }
    if (!last.empty()) { text += (text.empty() ? "" : ", ") + last; }
    last = law.name;
  }
  return text.empty() ? last : text + " and " + last;
}

}  // namespace scree
