#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "host/bench/budget.hpp"

namespace scree::bench_budget_test {

/// The columns of each case of `scree bench budget` on the host.
std::map<std::string, std::vector<double>> rows_on_host(const std::string& precision) {
  BenchArguments arguments;
  arguments.sizes = {150};
  arguments.precisions = {precision};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.bed_across = 5, arguments.bed_layers = 6, arguments.settling_steps = 2000;
  arguments.clumps_across = 3, arguments.clump_layers = 4;
  arguments.cell_across = 5;
  std::ostringstream out;
  bench_budget(arguments, out);
  std::istringstream lines(out.str());
  std::map<std::string, std::vector<double>> rows;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line.size() > 16 ? line.substr(16) : "");
    std::vector<double> row;
    for (double value = 0; numbers >> value;) { row.push_back(value); }
    if (row.size() == 11) { rows[line.substr(0, line.find("  "))] = row; }
  }
  return rows;
}

TEST(BenchBudget, CountsWhatEachCaseAsksOfItsBackend) {
  for (const char* precision : {"mixed", "double"}) {
    const auto rows = rows_on_host(precision);
    ASSERT_EQ(rows.size(), 7u) << precision;
    for (const auto& [name, row] : rows) {
      SCOPED_TRACE(name);
      EXPECT_EQ(row[1], 1) << "the host launches each step once";
      EXPECT_GT(row[7], 20) << "launches of a search";
      EXPECT_GT(row[9], 0) << "a search reads its lengths";
    }
    const std::vector<double>& plain = rows.at("plain bed");
    EXPECT_EQ(plain[6], 0) << "a bed at rest needs no search";
    EXPECT_EQ(plain[0], 3) << "boundaries, pairs with the motion, and the end of the step";
    EXPECT_NEAR(plain[2], 1, 0.1) << "the moment of the step, and a look at the contacts";
    EXPECT_NEAR(plain[3], 1, 0.1) << "the control word, and a look at the contacts";
    const std::vector<double>& ledger = rows.at("energy ledger");
    EXPECT_EQ(ledger[0], plain[0]) << "contacts and the motion add their energies themselves";
    EXPECT_EQ(ledger[3], plain[3]) << "no sums are copied in a step";
    EXPECT_GT(rows.at("clumps")[0], plain[0]);
    EXPECT_EQ(rows.at("inlets")[6], 16) << "each particle that comes needs a search";
  }
}

}  // namespace scree::bench_budget_test
