#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "host/bench/clump_bed.hpp"
#include "host/bench/clumps.hpp"
#include "scree/engine.hpp"

namespace scree::bench_clumps_test {

constexpr int across = 4, layers = 10, steps = 9000;

const ClumpBed& bed() {
  static const ClumpBed settled = ClumpBed::of_triangles({1, across, layers, steps});
  return settled;
}

// The engine places members by the orientation of their clump; the tile places them by mirroring. Both places must
// agree.
TEST(BenchClumps, OrientationsOfMirroredTilesBelongToTheirMembers) {
  const Scene one = bed().scene(1, Precision::double_),
              four = bed().scene(4 * across * across * layers, Precision::double_);
  ASSERT_EQ(one.particles.clumps.size(), std::size_t(across * across * layers));
  ASSERT_EQ(four.particles.clumps.size(), 4 * one.particles.clumps.size());
  const double width = std::get<PlaneBoundary>(one.boundaries.at(2).shape).point[0];
  EXPECT_EQ(std::get<PlaneBoundary>(four.boundaries.at(2).shape).point[0], 2 * width);  // four tiles in two rows of two
  EXPECT_EQ(std::get<PlaneBoundary>(four.boundaries.at(4).shape).point[1], 2 * width);
  const Snapshot start = make_engine(four, {BackendChoice::host, 1})->snapshot();
  ASSERT_EQ(start.position.size(), four.particles.size());
  for (std::size_t i = 0; i < start.position.size(); ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      ASSERT_NEAR(start.position[i].at(a), four.particles.position[i].at(a), 1e-15) << i;
    }
  }
}

// A falling bed gains 2.8 cm/s in 200 steps. A bed with members in wrong places would burst.
TEST(BenchClumps, MirroredTilesAreDenseAndStayAtRest) {
  const auto engine =
      make_engine(bed().scene(4 * across * across * layers, Precision::double_), {BackendChoice::host, 1});
  engine->advance(200);
  const EngineCounts counts = engine->counts();
  EXPECT_EQ(counts.clumps, counts.particles);
  EXPECT_GT(static_cast<double>(counts.contacts), 1.5 * static_cast<double>(counts.clumps));
  double sum = 0;
  const Snapshot after = engine->snapshot();
  for (const SnapshotClump& clump : after.clumps) {
    for (const double v : clump.velocity) { sum += v * v; }
  }
  EXPECT_LT(std::sqrt(sum / static_cast<double>(after.clumps.size())), 3e-3);
}

TEST(BenchClumps, EachPrecisionGetsALineThatAddsUp) {
  BenchArguments arguments;
  arguments.sizes = {1};
  arguments.threads = {1};
  arguments.backend = "host";
  arguments.repeats = 1;
  arguments.seconds = 0.001;
  arguments.bed_across = arguments.clumps_across = 3;
  arguments.bed_layers = arguments.clump_layers = 6;
  arguments.settling_steps = 5000;
  std::ostringstream out;
  bench_clumps(arguments, out);

  std::istringstream lines(out.str());
  std::string seen;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string precision;
    double particles = 0, threads = 0, z = 0, listed = 0, rate = 0, steps_only = 0, contacts = 0, bytes = 0,
           members = 0, spheres = 0, sphere_rate = 0, ratio = 0;
    if (!(cells >> particles >> precision >> threads >> z >> listed >> rate >> steps_only >> contacts >> bytes >>
          members >> spheres >> sphere_rate >> ratio))
      continue;
    seen += precision + " ";
    EXPECT_EQ(particles, 3 * 3 * 6);
    EXPECT_EQ(std::fmod(spheres, 3 * 3 * 6), 0);  // whole tiles
    EXPECT_NEAR(spheres, 3 * particles, 0.5 * 3 * 3 * 6);
    EXPECT_NEAR(contacts / rate, z / 2, 0.01) << line;
    EXPECT_NEAR(members / rate, 3, 0.01) << line;
    EXPECT_NEAR(ratio, members / sphere_rate, 0.01) << line;
  }
  EXPECT_EQ(seen, "double mixed ") << out.str();
}

}  // namespace scree::bench_clumps_test
