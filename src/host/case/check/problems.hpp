#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "scree/case.hpp"
#include "scree/errors.hpp"

namespace scree {

/// Problems found so far, and where.
class Problems {
 public:
  explicit Problems(std::vector<InputProblem>& list) : list_(list) {}

  void add(std::string path, std::string message) { list_.push_back({std::move(path), std::move(message)}); }
  [[nodiscard]] std::size_t size() const { return list_.size(); }

  /// True when nothing at `path`, below it or above it is known to be wrong.
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

/// Rules between parts of a case: names, laws, files. Looks only at parts without problems of their own.
void check_case(const Case& input, Problems& problems);

/// What the contact rules lack for the pairs of materials that can touch in this case.
void check_contacts(const Case& input, Problems& problems);

/// The rules of all describe() lists for a case that was made in C++, with the sentences that the reader of files has.
/// A value that is the default of its struct counts as left out where it may be.
void check_values(const Case& input, Problems& problems);

}  // namespace scree
