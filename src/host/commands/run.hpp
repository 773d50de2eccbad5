#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

/// Arguments of `scree run`.
struct RunArguments {
  std::filesystem::path case_file;
  std::filesystem::path folder;  ///< empty: out/<stem of the case file>
  EngineOptions engine;
  std::vector<std::string> settings;   ///< PATH=VALUE
  std::optional<std::uint64_t> steps;  ///< number of steps, instead of the duration
  bool resume = false;                 ///< continue from the newest checkpoint in the folder
  bool overwrite = false;              ///< begin anew although an interrupted run is in the folder
  bool quiet = false;
  bool profile = false;            ///< show the time per stage at the end
  bool watch = false;              ///< show the run on a local page, too
  std::size_t terminal_width = 0;  ///< characters per line if the output is a live terminal, else 0
};

/// `scree run`: runs a case and returns the exit code. Throws the exceptions that guarded() reports.
[[nodiscard]] int run_case(const RunArguments& arguments, std::ostream& terminal);

}  // namespace scree
