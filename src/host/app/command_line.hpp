#pragma once

#include <cstddef>
#include <iosfwd>

namespace scree {

/// Reads the arguments of the program, runs what they ask for and returns the exit code. Results go to `out`, one
/// `error:` line per problem to `errors`. `terminal_width`: characters per line when `out` is a live terminal, else 0.
[[nodiscard]] int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& errors,
                                   std::size_t terminal_width);

}  // namespace scree
