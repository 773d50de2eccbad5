#include <gtest/gtest.h>

#include <iomanip>
#include <map>
#include <sstream>

#include "host/bench/deformable.hpp"

namespace scree::bench_deformable_test {

struct Line {
  double rms = 0, most = 0, force = 0, touching = 0, near = 0, microseconds = 0, times = 0;
};

// Coarse grains: the reference is a recomputation of one step, whose cost goes with the number of grid points.
TEST(BenchDeformable, EachAskedWayGetsALineWithErrorsAgainstRecomputation) {
  BenchArguments arguments;
  arguments.precisions = {"mixed"};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.repeats = 1;
  arguments.seconds = 0.001;
  arguments.grain_spacings = 5;
  arguments.field_updates = {"remap"};
  std::ostringstream out;
  bench_deformable(arguments, out);

  std::istringstream lines(out.str());
  std::map<std::string, Line> of[8];
  for (std::string text; std::getline(lines, text);) {
    if (text.size() < 31 || text.find("mixed") == std::string::npos) continue;
    std::string way = text.substr(7, 23);
    way.erase(way.find_last_not_of(' ') + 1);
    std::istringstream cells(text.substr(0, 7) + text.substr(30));
    std::size_t modes = 0;
    std::string precision;
    int threads = 0;
    Line line;
    ASSERT_TRUE(cells >> modes >> precision >> threads >> line.rms >> line.most >> line.force >> line.touching >>
                line.near >> line.microseconds >> line.times)
        << text;
    of[modes][way] = line;
  }
  for (const std::size_t modes : {std::size_t(1), std::size_t(7)}) {
    ASSERT_EQ(of[modes].size(), 1U + 5) << out.str();
    const Line rigid = of[modes].at("rigid");
    EXPECT_EQ(rigid.times, 1);
    for (const auto& [way, line] : of[modes]) {
      EXPECT_GT(line.touching, 1) << way;
      EXPECT_GE(line.near, line.touching - 0.1) << way;
      EXPECT_LE(line.rms, line.most) << way;
      // Each of the three is rounded to 0.01.
      const double rounding = 0.0051 * (1 / line.times + 1 / rigid.microseconds + 1 / line.microseconds);
      EXPECT_NEAR(line.times * rigid.microseconds / line.microseconds, 1, rounding) << way;
    }
    EXPECT_LT(of[modes].at("remap, 3 iterations").rms, of[modes].at("remap, first order").rms);
  }
  EXPECT_EQ(field_update_names().size(), 5U);
}

}  // namespace scree::bench_deformable_test
