#include <gtest/gtest.h>

#include <sstream>

#include "host/bench/level_set.hpp"

namespace scree::bench_level_set_test {

TEST(BenchLevelSet, EachNumberOfNodesGetsALineThatAddsUp) {
  BenchArguments arguments;
  arguments.sizes = {1};
  arguments.nodes = {200, 300};
  arguments.precisions = {"mixed"};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.repeats = 1;
  arguments.seconds = 0.001;
  arguments.grains_across = 3;
  arguments.grain_layers = 3;
  arguments.settling_steps = 4000;
  std::ostringstream out;
  bench_level_set(arguments, out);

  std::istringstream lines(out.str());
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string precision;
    double particles = 0, threads = 0, z = 0, listed = 0, rate = 0, steps_only = 0, contacts = 0, bytes = 0, nodes = 0,
           touching = 0, near = 0, culled = 0, searches = 0, near_rate = 0, microseconds = 0;
    if (!(cells >> particles >> precision >> threads >> z >> listed >> rate >> steps_only >> contacts >> bytes >>
          nodes >> touching >> near >> culled >> searches >> near_rate >> microseconds))
      continue;
    EXPECT_EQ(particles, 3 * 3 * 3);
    EXPECT_NEAR(nodes, double(arguments.nodes.at(std::size_t(seen))), 0.1 * nodes);
    EXPECT_GE(touching, 1) << line;
    EXPECT_GE(near, touching - 0.1) << line;
    EXPECT_LT(near, 0.2 * nodes) << line;
    EXPECT_NEAR(culled, 100 * (1 - near / nodes), 0.1) << line;
    EXPECT_LT(searches, 1) << line;
    // Contacts with the box are there beside those between grains.
    const double all_contacts = near_rate / near / (rate / particles);
    EXPECT_GT(all_contacts, z / 2 * particles);
    EXPECT_NEAR(microseconds * 1e-6 * all_contacts * rate / particles, 1, 0.05) << line;
    ++seen;
  }
  EXPECT_EQ(seen, 2) << out.str();
}

}  // namespace scree::bench_level_set_test
