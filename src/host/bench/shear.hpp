#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench shear`: throughput of a dense packing in a periodic cell, in simple shear of constant volume and at
/// rest. One line per size, precision, thread count and state.
void bench_shear(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
