#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// Measures a bed at rest beside what its memory traffic and its launches allow: particle-steps per second, then each
/// kernel of a step with its share of the bandwidth of copies, which is measured by the same engine. docs/gpu.md states
/// the prediction. A size that does not fit into memory ends the table with a line that says so.
void bench_roofline(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
