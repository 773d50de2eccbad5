#pragma once

#include <iosfwd>

namespace scree {

/// `scree schema`: prints the JSON Schema of the case file. Returns the exit code.
int run_schema(std::ostream& out);

}  // namespace scree
