#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench settle`: throughput of a dense bed at rest, one line per size, precision and thread count.
void bench_settle(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
