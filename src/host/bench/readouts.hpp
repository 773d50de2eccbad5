#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench readouts`: the cost of each readout of a dense bed at rest, in times of a step, and the bytes that the
/// backend copies to the host for it. One table per size, precision and thread count.
void bench_readouts(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
