#pragma once

#include <iosfwd>
#include <string>

namespace scree {

/// Version, revision and build of this program, in one line.
[[nodiscard]] std::string version_text();

/// `scree version`: this line.
[[nodiscard]] int run_version(std::ostream& out);

}  // namespace scree
