#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "host/bench/roofline.hpp"
#include "host/bench/traffic.hpp"

namespace scree::bench_roofline_test {

TEST(BenchRoofline, PrintsSpeedAndKernelsOfEachSize) {
  BenchArguments arguments;
  arguments.sizes = {150, 600};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.seconds = 0.01;
  arguments.repeats = 1;
  arguments.bed_across = 5, arguments.bed_layers = 6, arguments.settling_steps = 2000;
  std::ostringstream out;
  bench_roofline(arguments, out);
  std::istringstream lines(out.str());
  std::vector<double> steps_per_second;
  int kernels_with_share = 0;
  for (std::string line; std::getline(lines, line);) {
    kernels_with_share += line.find("pair contacts with motion") != std::string::npos && line.back() == '%' ? 1 : 0;
    std::istringstream numbers(line);
    std::vector<double> row;
    for (double value = 0; numbers >> value;) { row.push_back(value); }
    if (row.size() != 6) { continue; }
    EXPECT_GT(row[1], 0) << "bandwidth";
    EXPECT_NEAR(row[3] / (row[0] * row[2]), 1, 0.01) << "particle-steps are particles times steps";
    EXPECT_NEAR(row[5], row[3] / row[4], 0.006) << "the ratio of both speeds";
    steps_per_second.push_back(row[2]);
  }
  ASSERT_EQ(steps_per_second.size(), 2u) << out.str();
  EXPECT_GT(steps_per_second[0], steps_per_second[1]) << "steps of four times as many particles take longer";
  EXPECT_EQ(kernels_with_share, 2);
}

TEST(BenchRoofline, CountsTheTrafficOfAStep) {
  EngineCounts counts;
  counts.particles = 10, counts.candidates = 30, counts.contacts = 20;
  // Pairs: 24 bytes of a position, 9 numbers of velocities and size, 9 bytes per listed pair, 14 numbers per contact.
  EXPECT_EQ(step_traffic(counts, Precision::mixed).pairs, 24 + 8 * 4 + 4 + 3 * 9 + 2 * 14 * 4);
  // A listed pair more costs 9 bytes in the pairs, and a record with two entries in the motion.
  EngineCounts more = counts;
  more.candidates = 40;
  EXPECT_EQ(step_traffic(more, Precision::double_).pairs - step_traffic(counts, Precision::double_).pairs, 9);
  EXPECT_EQ(step_traffic(more, Precision::double_).motion - step_traffic(counts, Precision::double_).motion, 8 * 8 + 8);
}

}  // namespace scree::bench_roofline_test
