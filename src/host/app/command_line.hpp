#pragma once

#include <cstddef>
#include <iosfwd>

namespace scree {

/// Reads the arguments of the program, runs the chosen command and returns the exit code. Results go to `out`, and one
/// `error:` line per problem goes to `errors`. `terminal_width` is the number of characters per line if `out` is a live
/// terminal, else 0.
[[nodiscard]] int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& errors,
                                   std::size_t terminal_width);

}  // namespace scree
