#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <variant>

#include "scree/case.hpp"

namespace scree {

/// The region of a probe, or null if it has none. `Probe` is ProbeOutput or const ProbeOutput.
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

/// Calls visit(path, probe) for each probe of a case: those of the series, and those in conditions of stages.
template <class Visit>
void visit_probes(const Case& input, const Visit& visit) {
  if (input.output.series) {
    for (const auto& [name, probe] : input.output.series->probes) visit("output.series.probes." + name, probe);
  }
  const auto look = [&](const std::string& path, const auto& conditions) {
    if (conditions.measure && conditions.measure->probe) visit(path + ".measure.probe", *conditions.measure->probe);
  };
  for (std::size_t k = 0; k < input.stages.size(); ++k) {
    if (!input.stages[k].until) continue;
    const std::string path = "stages." + std::to_string(k) + ".until";
    look(path, *input.stages[k].until);
    const auto& list = input.stages[k].until->all_of;
    for (std::size_t i = 0; i < list.size(); ++i) look(path + ".all_of." + std::to_string(i), list[i]);
  }
}

}  // namespace scree
