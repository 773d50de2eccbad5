#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "host/bench/arguments.hpp"

namespace scree {

/// The names of the benchmarks of `scree bench`.
[[nodiscard]] const std::vector<std::string>& bench_names();

/// `scree bench`: measures standard cases and prints tables.
[[nodiscard]] int run_bench(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
