#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/geometry/cell_frame.hpp"
#include "host/packing/fill.hpp"
#include "host/packing/sizes.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

/// Fills of several sizes: all sizes are everywhere, up to the walls.
namespace scree::packing::packing_even_test {

constexpr double small = 1e-3, large = 4e-3, side = 0.05;

/// As much mass of small spheres as of large ones.
const DiscreteSize two_sizes{{small, large}, {64, 1}};

struct Counts {
  double all = 0, core = 0, border = 0;  ///< spheres; in the middle eighth of the volume; a large radius from walls
};

/// Numbers of small and large spheres over several fills of a region between walls along some axes of a cube.
std::array<Counts, 2> counts_of(const FillRegion& region, double fraction, int fills,
                                const std::array<bool, 3>& walls) {
  std::array<Counts, 2> counts{};
  for (int seed = 1; seed <= fills; ++seed) {
    const Fill fill{{}, {}, fraction};
    const auto number = static_cast<std::uint64_t>(seed);
    const Spheres spheres = place_spheres(region, radii_of_fill(region, fill, two_sizes, number, 0), {}, number, 0);
    for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
      EXPECT_TRUE(region.holds(spheres.position[i], spheres.radius[i]));
      Counts& own = counts[spheres.radius[i] == large ? 1 : 0];
      double off = 0, gap = side;
      for (std::size_t k = 0; k < 3; ++k) {
        const double x = spheres.position[i][k];
        off = std::max(off, std::fabs(x / side - 0.5));
        if (walls[k]) gap = std::min({gap, x, side - x});
      }
      own.all += 1;
      own.core += off < 0.25 ? 1 : 0;
      own.border += gap < large ? 1 : 0;
    }
  }
  return counts;
}

/// The core has an eighth of the volume, so of n centres at independent places it has n/8 with the deviation
/// sqrt(7 n/64). Centres in a crowd vary less, but the small ones have the room that the large ones leave: where these
/// have the part p of the volume, they keep the centres of small ones out of about p (1 + small/large)^3 of it. So if
/// their number differs by a part d, that of the small ones does by d q/(1 - q), q = 1.95 p.
void expect_even(const std::array<Counts, 2>& counts, double fraction) {
  const double large_deviation = std::sqrt(7 / counts[1].all), taken = 1.95 * 0.5 * fraction;
  EXPECT_NEAR(8 * counts[1].core / counts[1].all, 1, 4 * large_deviation) << "large spheres in the core";
  const double small_deviation = std::hypot(std::sqrt(7 / counts[0].all), large_deviation * taken / (1 - taken));
  EXPECT_NEAR(8 * counts[0].core / counts[0].all, 1, 4 * small_deviation) << "small spheres in the core";
}

TEST(FillOfSeveralSizes, IsEvenBetweenWalls) {
  std::vector<std::string> warnings;
  const auto box = make_region(BoxRegion{{0, 0, 0}, {side, side, side}}, ".", warnings);
  for (const double fraction : {0.25, 0.4}) {
    const auto counts = counts_of(*box, fraction, 4, {true, true, true});
    expect_even(counts, fraction);
    const double open = 1 - std::pow((side - 2 * large) / (side - 2 * small), 3);  // of the places of small centres
    EXPECT_GT(counts[0].border, 0.8 * open * counts[0].all) << "where no large centre can be";
    EXPECT_EQ(counts[1].border, 0);
  }
}

TEST(FillOfSeveralSizes, IsEvenInACellBetweenWalls) {
  std::vector<std::string> warnings;
  const geometry::CellFrame cell({{{side, 0, 0}, {0, side, 0}, {0, 0, side}}}, {}, {true, true, false});
  const auto region = make_region(CellRegion{}, ".", warnings, &cell);
  const auto counts = counts_of(*region, 0.4, 4, {false, false, true});
  expect_even(counts, 0.4);
  EXPECT_GT(counts[0].border, 0.8 * (large - small) / (0.5 * side - small) * counts[0].all);
}

TEST(FillOfSeveralSizes, IsEvenInAMesh) {
  const test::ScratchFolder folder;
  test::write_stl(folder / "box.stl", test::sample_box({0, 0, 0}, {side, side, side}));
  std::vector<std::string> warnings;
  const auto mesh = make_region(MeshRegion{(folder / "box.stl").string(), 1}, ".", warnings);
  expect_even(counts_of(*mesh, 0.4, 3, {true, true, true}), 0.4);
}

// Spheres that overlap the surface are pushed off it. If they only stayed where they were, they jammed there.
TEST(FillOfSeveralSizes, FillsAMeshAtRandom) {
  const test::ScratchFolder folder;
  test::write_stl(folder / "corner.stl", test::sample_corner());
  std::vector<std::string> warnings;
  const auto mesh = make_region(MeshRegion{(folder / "corner.stl").string(), 0.5}, ".", warnings);
  for (const double fraction : {0.35, 0.5}) {
    for (const SizeDistribution& sizes :
         {SizeDistribution(FixedSize{0.03}), SizeDistribution(UniformSize{0.02, 0.05})}) {
      FillMethod method{};
      const auto radii = radii_of_fill(*mesh, {{}, {}, fraction}, sizes, 1, 0);
      const Spheres spheres = place_spheres(*mesh, radii, {}, 1, 0, nullptr, &method);
      EXPECT_EQ(method, FillMethod::relaxation);
      for (std::size_t i = 0; i < radii.size(); ++i) EXPECT_TRUE(mesh->holds(spheres.position[i], radii[i]));
    }
  }
}

}  // namespace scree::packing::packing_even_test
