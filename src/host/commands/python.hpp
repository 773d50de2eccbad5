#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace scree {

/// A command that the Python package of scree carries out.
struct PythonCommand {
  const char* name;
  const char* text;  ///< its description for --help
};
[[nodiscard]] std::span<const PythonCommand> python_commands();

/// The command line of the interpreter: SCREE_PYTHON or python3, a program that runs the package (or says how to
/// install it if it is missing), then `words`.
[[nodiscard]] std::vector<std::string> python_call(const std::vector<std::string>& words);

/// Replaces this process by `python3 -m scree WORDS...`. The package finds this program by SCREE_PROGRAM. Returns, with
/// the exit code, only if this fails.
[[nodiscard]] int become_python(const std::vector<std::string>& words, std::ostream& errors);

/// Starts `python3 -m scree watch FOLDER` as another process, which ends when this process ends. Returns a sentence if
/// this fails, else an empty text.
[[nodiscard]] std::string start_watching(const std::filesystem::path& folder);

}  // namespace scree
