#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench clumps`: throughput of a dense bed of clumps at rest, compared with a bed of as many spheres as the
/// clumps have members. One line per size, precision and thread count; sizes count clumps.
void bench_clumps(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
