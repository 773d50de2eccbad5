#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

namespace scree {

/// Joins "particles.0" and "fill" to "particles.0.fill"; either may be empty.
[[nodiscard]] inline std::string below(const std::string& path, const std::string& key) {
  return path.empty() || key.empty() ? path + key : path + "." + key;
}

/// Runs `work`. If it throws CaseError, its problems are added to `problems`, with `path` before their paths.
template <class Work>
void collect(std::vector<InputProblem>& problems, const std::string& path, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) problems.push_back({below(path, problem.path), problem.message});
  }
}

/// Runs `work` on the file that the key `path` names. If it throws CaseError, its problems are added to `problems`
/// under `path`; the file and the place in it become part of the sentence.
template <class Work>
void collect_from_file(std::vector<InputProblem>& problems, const std::string& path, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (const CaseError& error) {
    for (const auto& problem : error.problems()) problems.push_back({path, problem.text()});
  }
}

/// Index of a material that a case defines.
[[nodiscard]] inline std::uint32_t material_index(const Case& input, const std::string& name) {
  const auto found =
      std::find_if(input.materials.begin(), input.materials.end(), [&](const auto& m) { return m.first == name; });
  SCREE_EXPECT(found != input.materials.end(), "needs a case that was checked");
  return static_cast<std::uint32_t>(found - input.materials.begin());
}

}  // namespace scree
