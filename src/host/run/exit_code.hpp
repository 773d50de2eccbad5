#pragma once

#include <exception>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace scree {

/// A run that a signal has stopped ends with exit_by_signal + its number, as shells report it: 130 after Ctrl-C.
enum ExitCode : int { exit_done = 0, exit_bad_input = 2, exit_run_failed = 3, exit_by_signal = 128 };

/// The message about an exception, one line per problem, and the exit code for it.
struct Failure {
  std::vector<std::string> lines;
  int code = exit_run_failed;
};
[[nodiscard]] Failure describe_failure(const std::exception& error);

/// Runs a command. Turns exceptions into `error:` lines on `errors` and an exit code.
[[nodiscard]] int guarded(const std::function<int()>& command, std::ostream& errors);

}  // namespace scree
