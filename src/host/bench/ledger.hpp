#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// `scree bench ledger`: the cost of the energy ledger. The same beds run with and without a ledger, in turns, at rest
/// and on a slope. One line per bed, size, precision and thread count.
void bench_ledger(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
