#include "host/app/unknown_words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "host/text/text.hpp"

namespace scree {
namespace {

const CLI::App* command_called(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return commands.empty() ? nullptr : commands.front();
}

std::vector<std::string> long_options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) { names.push_back("--" + name); }
  }
  return names;
}

/// A known option that begins like `name` or the other way round, such as "--out" for "--output"; else the nearest one.
std::optional<std::string> option_meant(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t shortest = 5;  // the length of "--out"
  const auto form = std::find_if(known.begin(), known.end(), [&](const std::string& other) {
    return std::min(name.size(), other.size()) >= shortest && (name.starts_with(other) || other.starts_with(name));
  });
  return form == known.end() ? nearest_name(name, known) : *form;
}

}  // namespace

std::optional<UnknownWord> unknown_word(const CLI::App& app, int argc, const char* const* argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (first.empty() || first.front() == '-') { return std::nullopt; }
  const CLI::App* command = command_called(app, first);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const CLI::App* known : app.get_subcommands({})) { names.push_back(known->get_name()); }
    return UnknownWord{"there is no command \"" + first + "\"; " + suggestion(first, names), "scree --help"};
  }
  const std::vector<std::string> known = long_options_of(*command);
  for (int k = 2; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == "--") { break; }
    if (!word.starts_with("--")) { continue; }
    const std::string name(word.substr(0, word.find('=')));
    if (std::find(known.begin(), known.end(), name) != known.end()) { continue; }
    const auto meant = option_meant(name, known);
    return UnknownWord{"scree " + first + " has no option " + name + (meant ? "; did you mean " + *meant + "?" : ""),
                       "scree " + first + " --help"};
  }
  return std::nullopt;
}

}  // namespace scree
