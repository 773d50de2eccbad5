#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench readouts`: what each readout of a dense bed at rest costs, in units of the time of a step, and how much
/// the backend copies to the host for it. One table per size, precision and thread count.
void bench_readouts(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
