#pragma once

#include <string>

#include "scree/laws.hpp"

namespace scree {

/// The name of a law in a case file.
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
