#pragma once

#include <iosfwd>
#include <string>

namespace scree {

/// Version, revision and build of this program, in one line.
[[nodiscard]] std::string version_text();

/// `scree version`: prints this line. Returns the exit code.
[[nodiscard]] int run_version(std::ostream& out);

}  // namespace scree
