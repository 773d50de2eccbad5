#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "host/bench/readouts.hpp"

namespace scree::bench_readouts_test {

/// Milliseconds, steps and bytes of each readout of a small bed on the host.
std::map<std::string, std::vector<double>> readouts_on_host(const std::string& precision) {
  BenchArguments arguments;
  arguments.sizes = {150};
  arguments.precisions = {precision};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.repeats = 1;
  arguments.seconds = 0.01;
  arguments.bed_across = 5, arguments.bed_layers = 6, arguments.settling_steps = 2000;
  std::ostringstream out;
  bench_readouts(arguments, out);
  std::istringstream lines(out.str());
  std::map<std::string, std::vector<double>> rows;
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 30 || !line.starts_with("  ")) { continue; }
    std::istringstream numbers(line.substr(30));
    std::vector<double> row;
    for (double value = 0; numbers >> value;) { row.push_back(value); }
    if (row.size() == 3) { rows[line.substr(2, line.find("  ", 2) - 2)] = row; }
  }
  return rows;
}

TEST(BenchReadouts, ShowsTimeAndBytesOfEachReadout) {
  for (const char* precision : {"mixed", "double"}) {
    const auto rows = readouts_on_host(precision);
    ASSERT_EQ(rows.size(), 12u) << precision;
    for (const auto& [name, row] : rows) {
      EXPECT_GT(row[1], 0) << name << " takes a part of a step";
      EXPECT_LT(row[1], 1e4) << name;
    }
    EXPECT_LT(rows.at("hash")[2], 5) << "the hash is summed where the particles are: a copy of a few words";
    EXPECT_LT(rows.at("counts")[2], 5);
    EXPECT_LT(rows.at("boundary loads")[2], 5);
    EXPECT_GT(rows.at("file of contacts")[0], rows.at("contacts for a file")[0]);
    EXPECT_GT(rows.at("series row with four probes")[0], rows.at("counts")[0]);
  }
}

}  // namespace scree::bench_readouts_test
