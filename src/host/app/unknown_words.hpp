#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace scree {

/// A word of a command line that the program does not know.
struct UnknownWord {
  std::string problem;  ///< a sentence with the nearest known word
  std::string help;     ///< the command that lists the known words, such as "scree run --help"
};

/// The first word if it is neither an option nor a command, else the first option that the command does not have.
/// Without this check the command line library would report a missing command, or take the value of an unknown option
/// for another argument.
[[nodiscard]] std::optional<UnknownWord> unknown_word(const CLI::App& app, int argc, const char* const* argv);

}  // namespace scree
