#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench level_set`: throughput of a dense bed of level-set grains at rest, and the work on their nodes. One
/// line per size, number of nodes, precision and thread count.
void bench_level_set(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
