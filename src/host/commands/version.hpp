#pragma once

#include <iosfwd>

namespace scree {

/// `scree version`: one line.
[[nodiscard]] int run_version(std::ostream& out);

}  // namespace scree
