#pragma once

#include <type_traits>
#include <variant>

#include "scree/outputs.hpp"

namespace scree {

/// The region of a probe; null: it has none. `Probe`: a ProbeOutput, const or not.
template <class Probe>
[[nodiscard]] auto region_of(Probe& probe) {
  using Result = std::conditional_t<std::is_const_v<Probe>, const Region*, Region*>;
  return std::visit(
      [](auto& keys) -> Result {
        if constexpr (requires { keys.region->index(); }) {
          return keys.region ? &*keys.region : nullptr;
        } else if constexpr (requires { keys.region.index(); }) {
          return &keys.region;
        } else {
          return nullptr;
        }
      },
      probe.kind);
}

}  // namespace scree
