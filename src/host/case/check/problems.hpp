#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"

namespace scree {

/// The problems found so far, each with its path in the case.
class Problems {
 public:
  explicit Problems(std::vector<InputProblem>& list) : list_(list) {}

  void add(std::string path, std::string message) { list_.push_back({std::move(path), std::move(message)}); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }

  /// Whether no problem so far is at `path`, below it or above it.
  [[nodiscard]] bool fine(const std::string& path) const {
    const auto inside = [](const std::string& part, const std::string& whole) {
      return part == whole || (part.starts_with(whole) && part[whole.size()] == '.');
    };
    return std::none_of(list_.begin(), list_.end(), [&](const InputProblem& problem) {
      return inside(problem.path, path) || inside(path, problem.path);
    });
  }

 private:
  std::vector<InputProblem>& list_;
};

/// Checks rules between parts of a case: names, laws, files. Skips parts that have problems of their own.
void check_case(const Case& input, Problems& problems);

/// Complains about values that the contact rules lack for pairs of materials that can touch in this case.
void check_contacts(const Case& input, Problems& problems);

/// Checks the rules of all describe() lists for a case that was made in C++; problems have the same sentences as those
/// of the reader of files. Where a key may be left out, the default value of its struct counts as left out.
void check_values(const Case& input, Problems& problems);

}  // namespace scree
