#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench budget`: counts launches and copies of short runs, per step and per search for neighbours. The counts
/// do not depend on the speed of the machine, so they can be compared even where times cannot be measured.
void bench_budget(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
