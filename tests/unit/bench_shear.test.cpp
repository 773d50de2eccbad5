#include <gtest/gtest.h>

#include <sstream>

#include "host/bench/compressed_cell.hpp"
#include "host/bench/shear.hpp"
#include "scree/engine.hpp"

namespace scree::bench_shear_test {

// Copies side by side in a larger cell form the same packing: equally dense, at rest, and with the same contacts.
TEST(BenchShear, CopiesOfTheCellAreOnePacking) {
  const CompressedCell packing(1, 5);
  const auto one = make_engine(packing.scene(125, Precision::double_, {}), {BackendChoice::host, 1});
  const auto eight = make_engine(packing.scene(1000, Precision::double_, {}), {BackendChoice::host, 1});
  one->advance(20);
  eight->advance(20);
  EXPECT_EQ(eight->counts().particles, 8 * one->counts().particles);
  EXPECT_EQ(eight->counts().contacts, 8 * one->counts().contacts);
  EXPECT_GT(one->counts().contacts, 2.2 * 125) << "dense: five contacts a particle or so";
  EXPECT_NEAR(eight->cell()->volume, 8 * one->cell()->volume, 1e-12 * eight->cell()->volume);
}

TEST(BenchShear, PrintsRestAndShear) {
  BenchArguments arguments;
  arguments.sizes = {125};
  arguments.precisions = {"mixed"};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.repeats = 1;
  arguments.seconds = 0.01;
  arguments.cell_across = 5;
  std::ostringstream out;
  bench_shear(arguments, out);
  EXPECT_NE(out.str().find("at rest"), std::string::npos);
  EXPECT_NE(out.str().find("sheared"), std::string::npos);
}

}  // namespace scree::bench_shear_test
