#include "host/bench/ledger.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace scree::bench_ledger_test {

TEST(BenchLedger, ComparesStepsWithAndWithoutALedger) {
  BenchArguments arguments;
  arguments.sizes = {150};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.bed_across = 5, arguments.bed_layers = 6, arguments.settling_steps = 2000;
  arguments.seconds = 0.02;
  std::ostringstream out;
  bench_ledger(arguments, out);
  std::istringstream lines(out.str());
  std::string line;
  std::getline(lines, line), std::getline(lines, line);  // what the table shows
  int rows = 0;
  for (; std::getline(lines, line); ++rows) {
    SCOPED_TRACE(line);
    EXPECT_NE(line.find(rows < 2 ? "mixed" : "double"), std::string::npos);
    const std::string bed = rows % 2 == 0 ? "at rest" : "on slope";
    const std::size_t at = line.find(bed);
    ASSERT_NE(at, std::string::npos);
    std::istringstream numbers(line.substr(at + bed.size()));
    double plain = 0, with_ledger = 0, ratio = 0, reading = 0;
    ASSERT_TRUE(numbers >> plain >> with_ledger >> ratio >> reading);
    EXPECT_GT(plain, 0);
    EXPECT_GT(reading, 0);
    EXPECT_NEAR(ratio, with_ledger / plain, 0.01 * ratio + 0.05 * ratio / plain) << "the numbers are rounded";
    EXPECT_LT(ratio, 10) << "also where other programs share the machine";
  }
  EXPECT_EQ(rows, 4);
}

}  // namespace scree::bench_ledger_test
