#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "host/commands/bench.hpp"
#include "host/commands/clump.hpp"
#include "host/commands/contact.hpp"
#include "host/commands/grain.hpp"
#include "host/commands/modes.hpp"
#include "host/commands/run.hpp"
#include "host/commands/traction.hpp"

/// The options of the commands of the program, and functions that several commands share.
namespace scree {

/// The arguments of all commands. Each add_...() adds a command that fills its part of the arguments, and sets `chosen`
/// to the work to do if the user chooses it.
struct Arguments {
  RunArguments run;
  BenchArguments bench;
  ContactArguments contact;
  ClumpArguments clump;
  GrainArguments grain;
  ModesArguments modes;
  TractionArguments traction;
  std::filesystem::path case_file;
  std::vector<std::string> settings;
  std::filesystem::path doctor_folder = "out";
  std::optional<int> doctor_device;
  std::filesystem::path first, second;  ///< files of the commands info and compare
};
using Command = std::function<int()>;

inline constexpr long long most_steps = 1'000'000'000'000'000, most_ids = std::numeric_limits<std::uint32_t>::max();

/// Checks for a whole number from `least` to `most`. Without the check the library would let "-1" wrap around.
[[nodiscard]] CLI::Validator whole_number(long long least, long long most);
/// Checks for a sensible number of threads. More threads would only wait for each other, and the program would end if
/// the system refused to start them.
[[nodiscard]] CLI::Validator thread_count();
/// Checks for a number from `least` to `most`.
[[nodiscard]] CLI::Validator number_between(double least, double most);
/// Checks for one of these words. describe.hpp has a function one_of() with the same parameters.
[[nodiscard]] CLI::Validator word_among(const std::vector<std::string>& names);

void add_case_options(CLI::App& command, std::filesystem::path& case_file, std::vector<std::string>& settings);
void add_device(CLI::App& command, std::optional<int>& device);

void add_contact(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen);
void add_traction(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen);
void add_bench(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen);
void add_clump(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen);
void add_grain(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen);
void add_modes(CLI::App& app, Arguments& arguments, std::ostream& out, Command& chosen);

}  // namespace scree
