#pragma once

#include <string>
#include <vector>

#include "scree/case.hpp"

namespace scree {

template <class T>
[[nodiscard]] std::vector<std::string> names_of(const Named<T>& named) {
  std::vector<std::string> names;
  names.reserve(named.size());
  for (const auto& [name, value] : named) { names.push_back(name); }
  return names;
}

/// The path of an inlet in `particles`, with its name if it has one: `particles.1 "feeder"`.
[[nodiscard]] inline std::string inlet_text(const Case& input, std::size_t entry) {
  const std::string path = "particles." + std::to_string(entry);
  const auto& inlet = input.particles.at(entry).inlet;
  return inlet && inlet->name ? path + " \"" + *inlet->name + "\"" : path;
}

}  // namespace scree
