#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench roofline`: compares the speed of a bed at rest with the limit by memory traffic and launches. Prints
/// particle-steps per second, then for each kernel of a step its share of the bandwidth of copies, which the same
/// engine measures. docs/gpu.md states the prediction. A size that does not fit into memory gets a line that says so.
void bench_roofline(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
