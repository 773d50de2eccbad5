#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/text/text.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// "particles.0" and "fill" to "particles.0.fill"; either may be empty.
[[nodiscard]] inline std::string below(const std::string& path, const std::string& key) {
  return path.empty() || key.empty() ? path + key : path + "." + key;
}

/// Runs `work`; what it throws about the input is added to `problems` with its paths put below `path`.
template <class Work>
void collect(std::vector<InputProblem>& problems, const std::string& path, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) problems.push_back({below(path, problem.path), problem.message});
  }
}

/// The same for work on a file named at `path`: the file and the place in it become part of the sentence.
template <class Work>
void collect_from_file(std::vector<InputProblem>& problems, const std::string& path, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) problems.push_back({path, problem.text()});
  }
}

/// Index of a material by name; an unknown one is added to `problems`.
[[nodiscard]] inline std::optional<std::uint32_t> find_material(const Named<Material>& materials,
                                                                const std::string& name, const std::string& path,
                                                                std::vector<InputProblem>& problems) {
  std::vector<std::string> names;
  for (const auto& [known, material] : materials) {
    if (known == name) return static_cast<std::uint32_t>(names.size());
    names.push_back(known);
  }
  problems.push_back({path, "no material is called \"" + name + "\"; " + suggestion(name, names)});
  return std::nullopt;
}

}  // namespace scree
