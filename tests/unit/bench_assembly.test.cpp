#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "host/bench/assembly.hpp"

namespace scree::bench_assembly_test {

/// Volume of the spheres with radii in [low, high), over 4/3 pi.
double volume_between(const std::vector<double>& radii, double low, double high) {
  double sum = 0;
  for (const double r : radii) { sum += r >= low && r < high ? r * r * r : 0; }
  return sum;
}

/// Deepest overlap [m] of any two spheres, by comparing every pair.
double deepest_overlap(const ParticleSet& spheres) {
  double deepest = 0;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Real3 &a = spheres.position[i], &b = spheres.position[j];
      const double distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      deepest = std::max(deepest, spheres.radius[i] + spheres.radius[j] - distance);
    }
  }
  return deepest;
}

TEST(BenchAssembly, PowerLawHasTheSameVolumeInEveryOctave) {
  const auto radii = assembly_radii({SizeSpread::power_law, 8}, 20000);
  EXPECT_EQ(radii.size(), 20000U);
  EXPECT_TRUE(std::is_sorted(radii.rbegin(), radii.rend()));
  EXPECT_NEAR(radii.front(), 8e-3, 1e-15);
  EXPECT_NEAR(radii.back(), 1e-3, 1e-15);
  const double octave = volume_between(radii, 1e-3, 2e-3);
  EXPECT_NEAR(volume_between(radii, 2e-3, 4e-3), octave, 0.02 * octave);
  EXPECT_NEAR(volume_between(radii, 4e-3, 9e-3), octave, 0.05 * octave);
}

TEST(BenchAssembly, BidisperseHasTheSameVolumeOfBothSizes) {
  for (const std::uint64_t n : {100ULL, 1000ULL}) {  // 126 is the smallest number: one large sphere and 125 small ones
    const auto radii = assembly_radii({SizeSpread::bidisperse, 5}, n);
    EXPECT_EQ(radii.size() % 126, 0U);
    EXPECT_NEAR(volume_between(radii, 4e-3, 6e-3), volume_between(radii, 0, 2e-3), 1e-12);
  }
}

TEST(BenchAssembly, DenseTilesAreDenseWithoutNotableOverlap) {
  for (const AssemblyKind kind : {AssemblyKind{}, {SizeSpread::power_law, 4}, {SizeSpread::bidisperse, 4}}) {
    const Tile tile = dense_tile(kind, 500, 1);
    EXPECT_GT(solid_fraction(tile), 0.5) << spread_name(kind);
    EXPECT_GT(pairs_per_particle(tile, 1), 1.5) << spread_name(kind);
    // Four tiles side by side. Mirror images touch each other like the spheres of one tile.
    const Scene scene = tiled_scene(tile, 4 * tile.particles.size(), Precision::mixed);
    EXPECT_EQ(scene.particles.size(), 4 * tile.particles.size());
    EXPECT_LT(deepest_overlap(scene.particles), 0.05e-3) << spread_name(kind);
  }
}

TEST(BenchAssembly, LooseTilesHaveThePairsAskedFor) {
  for (const double wanted : {0.5, 1.5}) {
    EXPECT_NEAR(pairs_per_particle(loose_tile(2000, wanted, 1), 1), wanted, 0.1);
  }
  EXPECT_LT(deepest_overlap(loose_tile(500, 1.5, 1).particles), 0.013e-3);
}

}  // namespace scree::bench_assembly_test
