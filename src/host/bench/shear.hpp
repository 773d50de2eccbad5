#pragma once

#include <iosfwd>

#include "host/bench/arguments.hpp"

namespace scree {

/// Simple shear of a dense packing in a periodic cell of constant volume, beside the same packing in a cell at rest.
void bench_shear(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
