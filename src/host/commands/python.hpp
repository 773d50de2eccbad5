#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// A command that the Python package of scree does.
struct PythonCommand {
  const char* name;
  const char* text;  ///< what it does, for --help
};
[[nodiscard]] std::span<const PythonCommand> python_commands();

/// The words of the command line of the interpreter: SCREE_PYTHON or python3, a start that says in one sentence how to
/// install the package where it is missing, then `words`.
[[nodiscard]] std::vector<std::string> python_call(const std::vector<std::string>& words);

/// Replaces this process by `python3 -m scree WORDS...`; SCREE_PROGRAM then names this program. Returns the exit code
/// only where that fails.
[[nodiscard]] int become_python(const std::vector<std::string>& words, std::ostream& errors);

/// Starts `python3 -m scree watch FOLDER` as another process, which ends with this one. Returns a sentence if that
/// fails, else "".
[[nodiscard]] std::string start_watching(const std::filesystem::path& folder);

}  // namespace scree
