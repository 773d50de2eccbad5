#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// Counts launches and copies of short runs, per step made and per search for neighbours. They do not depend on the
/// speed of the machine, so a backend can be watched where it cannot be timed.
void bench_budget(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
