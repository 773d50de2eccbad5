#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace scree {

/// A contact law, by its name in a case file. The list of all laws is scree/laws.def.
enum class LawKind {
#define SCREE_LAW(name, ...) name,
#include "scree/laws.def"
};

/// The kind of spring of a contact. The limit of the time step depends on it.
enum class HeldBy {
  hertz,    ///< Hertz's force: the stiffness grows with the overlap
  springs,  ///< linear springs
  bond,     ///< a bar between two centres, which pulls as well
};

/// The properties of a contact law that other parts of the program need: checks of cases, time step, memory plan,
/// output.
struct LawNeeds {
  LawKind kind;
  std::string_view name;  ///< in a case file
  HeldBy held_by;
  bool dashpots = false;         ///< has linear dashpots, whose coefficients a rule may give directly
  bool restitution = false;      ///< its dashpots follow from a coefficient of restitution
  bool adhesion = false;         ///< needs a surface energy
  bool holds_apart = false;      ///< adhesion holds bodies that are apart; a new contact has a finite radius at once
  bool load_history = false;     ///< contacts remember a stack of segments of any length
  bool rolling = true;           ///< rolling and twisting resistance may be added
  bool attraction = false;       ///< linear cohesion or liquid bridges may be added
  bool plastic = false;          ///< its contacts yield: needs a plasticity, and may have a surface energy
  bool rolling_moments = false;  ///< rolling resistance may be of the types A and B as well

  [[nodiscard]] constexpr bool makes_bonds() const { return held_by == HeldBy::bond; }
};

namespace laws {
/// All laws, in the order of LawKind.
inline constexpr auto all = std::to_array<LawNeeds>({
#define SCREE_LAW(law, ...) {.kind = LawKind::law, .name = #law, __VA_ARGS__},
#include "scree/laws.def"
});
}  // namespace laws

/// The properties of a law. `law` must be an enumerator of LawKind.
[[nodiscard]] constexpr const LawNeeds& needs_of(LawKind law) { return laws::all[static_cast<std::size_t>(law)]; }

}  // namespace scree
