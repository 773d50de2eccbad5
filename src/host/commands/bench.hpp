#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "scree/engine.hpp"

namespace scree {

struct BenchArguments {
  std::vector<std::string> cases = {"settle"};
  std::vector<std::uint64_t> sizes = {10000, 100000, 1000000};
  std::vector<std::string> precisions = {"double", "mixed"};
  std::vector<int> threads;  ///< empty: 1 and all cores (host)
  std::string backend = "auto";
  int repeats = 3;           ///< the median is reported
  double seconds = 2;        ///< [s] about how long one measurement lasts
  std::string write_bed;     ///< CSV file for the bed of the first size, to run it elsewhere; empty: none
};

/// Names that `scree bench` knows.
[[nodiscard]] const std::vector<std::string>& bench_names();

/// `scree bench`: throughput of standard cases, one line per size, precision and thread count.
[[nodiscard]] int run_bench(const BenchArguments& arguments, std::ostream& out);

}  // namespace scree
