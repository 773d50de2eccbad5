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

/// What people call an entry of `particles` that is an inlet: `particles.1 "feeder"`.
[[nodiscard]] inline std::string inlet_text(const Case& input, std::size_t entry) {
  const std::string path = "particles." + std::to_string(entry);
  const auto& inlet = input.particles.at(entry).inlet;
  return inlet && inlet->name ? path + " \"" + *inlet->name + "\"" : path;
}

/// Paths of the fields of frames that `chosen(field)` picks.
template <class Chosen>
[[nodiscard]] std::vector<std::string> paths_of_frame_fields(const Case& input, const Chosen& chosen) {
  std::vector<std::string> paths;
  if (!input.output.frames) { return paths; }
  const auto& fields = input.output.frames->fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (chosen(fields[i])) { paths.push_back("output.frames.fields." + std::to_string(i)); }
  }
  return paths;
}

}  // namespace scree
