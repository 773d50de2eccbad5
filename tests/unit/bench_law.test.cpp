#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "host/bench/bench_law.hpp"
#include "host/bench/settle.hpp"
#include "host/bench/settled_bed.hpp"
#include "host/case/describe_case.hpp"

namespace scree::bench_law_test {

TEST(BenchLaw, KnowsEveryLawOfCaseFilesWithAndWithoutRolling) {
  const auto words = describe(Of<LawKind>{}).words;
  const auto& names = bench_law_names();
  // One less, because jaeger takes no rolling resistance.
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 2 * words.size() - 1);
  for (const auto& [word, kind] : words) {
    for (const bool rolling : {false, true}) {
      if (rolling && kind == LawKind::jaeger) { continue; }
      Scene scene = box_scene({}, 1, 1, Precision::mixed);
      use_bench_law(scene, rolling ? word + "+rolling" : word);
      for (std::size_t a = 0; a < 2; ++a) {
        EXPECT_EQ(scene.law_of(0, a), kind) << word;
        EXPECT_EQ(scene.pair(0, a).rolling.acts(), rolling) << word;
      }
    }
  }
}

// A tiny bed of 8 by 8 spheres in 12 layers. Under every law it must stay a bed: no sphere flies off, and contacts
// remain.
TEST(BenchLaw, EveryLawRunsOnTheBedAndGetsItsLine) {
  const auto& names = bench_law_names();
  BenchArguments arguments;
  arguments.sizes = {1};
  arguments.laws = {names.begin(), names.end()};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.repeats = 1;
  arguments.seconds = 0.001;
  arguments.bed_across = 8;
  arguments.bed_layers = 12;
  arguments.settling_steps = 8000;
  std::ostringstream out;
  bench_settle(arguments, out);

  std::istringstream lines(out.str());
  std::vector<std::string> seen;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string precision, law;
    double particles = 0, threads = 0, z = 0, listed = 0, rate = 0, steps = 0, contacts = 0, bytes = 0, time = 0;
    if (!(cells >> particles >> precision >> threads >> z >> listed >> rate >> steps >> contacts >> bytes >> time >>
          law))
      continue;
    EXPECT_EQ(particles, 8 * 8 * 12);
    EXPECT_NEAR(z, 4.0, 0.7) << line;  // less than in a large bed: a third of the spheres touch a wall
    EXPECT_NEAR(contacts / rate, z / 2, 0.01) << line;
    EXPECT_GE(steps, rate) << line;
    EXPECT_GT(time, 0) << line;  // no upper bound: it depends on the load of the machine
    seen.push_back(law);
  }
  std::vector<std::string> expected;
  for (int precision = 0; precision < 2; ++precision) expected.insert(expected.end(), names.begin(), names.end());
  EXPECT_EQ(seen, expected) << out.str();
}

}  // namespace scree::bench_law_test
