#pragma once

#include <algorithm>

#include "host/case/laws.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Whether some pair of materials gets bonds at the start, and only then.
[[nodiscard]] inline bool makes_bonds_at_start(const Scene& scene) {
  return std::any_of(scene.pairs.begin(), scene.pairs.end(), [&](const MaterialPair& pair) {
    return needs_of(pair.law.value_or(scene.law)).makes_bonds() && pair.bond.form == BondForm::start;
  });
}

}  // namespace scree
