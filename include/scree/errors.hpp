#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace scree {

/// One problem of the input: its place, and one sentence about it.
struct InputProblem {
  std::string path;     ///< full JSON path (`materials.glass.density`), or a file name; may be empty
  std::string message;  ///< the rule, the value, the nearest known name

  [[nodiscard]] std::string text() const { return path.empty() ? message : path + ": " + message; }
};

/// The input is wrong. Contains all problems that were found, not only the first one. Exit code 2.
class CaseError : public std::runtime_error {
 public:
  explicit CaseError(std::vector<InputProblem> problems)
      : std::runtime_error(join(problems)), problems_(std::move(problems)) {}
  CaseError(std::string path, std::string message)
      : CaseError(std::vector<InputProblem>{{std::move(path), std::move(message)}}) {}

  [[nodiscard]] const std::vector<InputProblem>& problems() const { return problems_; }

 private:
  static std::string join(const std::vector<InputProblem>& problems) {
    std::string all;
    for (const auto& problem : problems) { all += (all.empty() ? "" : "\n") + problem.text(); }
    return all;
  }
  std::vector<InputProblem> problems_;
};

/// A caller broke a rule of the interface. This is a defect of the calling program, not of its input.
class ContractError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// The physics left the range in which the equations are valid: a velocity that is not finite, a centre that passed a
/// boundary, and the like. Exit code 3.
class KernelFault : public std::runtime_error {
 public:
  KernelFault(const std::string& message, std::uint64_t step, std::vector<std::uint32_t> ids)
      : std::runtime_error(message), step_(step), ids_(std::move(ids)) {}

  [[nodiscard]] std::uint64_t step() const { return step_; }                    ///< index of the step that raised it
  [[nodiscard]] const std::vector<std::uint32_t>& ids() const { return ids_; }  ///< ids of the particles concerned

 private:
  std::uint64_t step_;
  std::vector<std::uint32_t> ids_;
};

/// The backend (GPU, driver, memory) failed. Exit code 3, or 2 if the user asked for a backend that is not available.
class BackendError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A saved state does not fit: it is damaged or belongs to another scene. Exit code 2.
class StateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file could not be written: disk full, no permission. Exit code 3, or 2 if this is found before the run starts.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace scree

/// Throws ContractError unless the condition holds; active in every build.
#define SCREE_EXPECT(condition, message)                                                      \
  do {                                                                                        \
    if (!(condition)) throw ::scree::ContractError(std::string(__func__) + ": " + (message)); \
  } while (false)
