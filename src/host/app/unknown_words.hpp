#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace scree {

/// A word of a command line that the program does not know.
struct UnknownWord {
  std::string problem;  ///< with the nearest known word
  std::string help;     ///< the command that lists the known ones, as "scree run --help"
};

/// The first word if it is neither an option nor a command, else the first option that the command does not have. The
/// command line library would only miss a command, and take the value of an unknown option for another argument.
[[nodiscard]] std::optional<UnknownWord> unknown_word(const CLI::App& app, int argc, const char* const* argv);

}  // namespace scree
