#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "case_errors.hpp"
#include "host/packing/fill.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

/// Regions that are hardly wider than a sphere, or just as wide.
namespace scree::packing::packing_narrow_test {

std::unique_ptr<FillRegion> made(const Region& region) {
  std::vector<std::string> warnings;
  return make_region(region, ".", warnings);
}

double volume_of(double radius) { return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }

/// Deepest overlap of two spheres, and deepest reach of one out of the region, over the radius.
double worst(const FillRegion& region, const Spheres& spheres) {
  double most = -1;
  for (std::size_t i = 0; i < spheres.radius.size(); ++i) {
    const double r = spheres.radius[i];
    if (!region.holds(spheres.position[i], r)) return 1;
    for (std::size_t j = 0; j < i; ++j) {
      const double apart = geometry::length(geometry::subtract(spheres.position[i], spheres.position[j]));
      most = std::max(most, (r + spheres.radius[j] - apart) / std::min(r, spheres.radius[j]));
    }
  }
  return most;
}

Spheres filled(const FillRegion& region, double fraction, double radius) {
  const Fill fill{{}, {}, fraction};
  return place_spheres(region, radii_of_fill(region, fill, FixedSize{radius}, 1, 0), {}, 1, 0);
}

/// Regions that are as wide as a sphere of radius 0.005 m: slabs whose faces are no round numbers, a tube across the
/// axes, a ring, a ball, a block of a mesh.
class JustWideEnough : public testing::Test {
 protected:
  JustWideEnough() {
    for (const double y : {0.0, 0.1, 0.3, 1.0, 7.3})
      regions.push_back(made(BoxRegion{{0, y, 0}, {0.2, y + 0.01, 0.2}}));
    regions.push_back(made(CylinderRegion{{0, 0.1, 0}, {0.1, 0.25, 0.07}, r}));
    regions.push_back(made(CylinderRegion{{0.3, 0.1, 0}, {0.3, 0.2, 0.17}, 0.113, 0.103}));
    regions.push_back(made(CylinderRegion{{0.1, 0.1, 0.1}, {0.1, 0.1 + 0.006, 0.1 + 0.008}, 0.1}));
    regions.push_back(made(SphereRegion{{0.1, 0.7, 1.3}, r}));
    TriangleMesh block = test::sample_box({0.1, 0.7, 0}, {0.11, 0.75, 0.03});
    test::write_stl(folder / "block.stl", block);
    regions.push_back(made(MeshRegion{(folder / "block.stl").string(), 1}));
  }
  const double r = 0.005;
  test::ScratchFolder folder;
  std::vector<std::unique_ptr<FillRegion>> regions;
};

TEST_F(JustWideEnough, PlacesInsideAreHeldAndLargerSpheresAreNot) {
  for (const auto& region : regions) {
    if (region->name() == "mesh") continue;  // in floats, and only pulled from nearby
    Random random(3, 0);
    for (int k = 0; k < 200; ++k) {
      EXPECT_TRUE(region->holds(region->candidate(r, random), r) || region->name() == "cylinder") << region->name();
      const auto box = region->bounds();
      Real3 point{};
      for (std::size_t a = 0; a < 3; ++a) point[a] = random.uniform(box.lower[a] - r, box.upper[a] + r);
      const Real3 inside = region->pulled_inside(point, r);
      EXPECT_TRUE(region->holds(inside, r)) << region->name() << " " << k;
      EXPECT_FALSE(region->holds(inside, r * (1 + 1e-6))) << region->name() << " " << k;
    }
  }
}

// Thin fills are inserted; denser ones start from a lattice.
TEST_F(JustWideEnough, BoxesAreFilledWhereverTheyLie) {
  for (std::size_t k = 0; k < 5; ++k) {
    for (const double fraction : {0.1, 0.3, 0.45}) {
      const Spheres spheres = filled(*regions[k], fraction, r);
      EXPECT_NEAR(static_cast<double>(spheres.radius.size()) * volume_of(r), fraction * regions[k]->volume(),
                  0.5 * volume_of(r) + 1e-12);
      EXPECT_LE(worst(*regions[k], spheres), 1e-9);
    }
  }
}

TEST_F(JustWideEnough, OtherRegionsTakeASphere) {
  for (std::size_t k = 5; k < regions.size(); ++k) {
    const Spheres one = place_spheres(*regions[k], {k + 1 == regions.size() ? (1 - 1e-5) * r : r}, {}, 1, 0);
    EXPECT_EQ(one.radius.size(), 1U) << k;
    EXPECT_LE(worst(*regions[k], one), 1e-9) << k;
  }
}

// Layers from one diameter on, tubes along an axis and across the axes. One sphere after the other in a tube has at
// most 2/3 (r/R)^2 of its volume, a layer of spheres side by side at most 0.605 d/h.
TEST(NarrowFills, GrowInLayersAndTubes) {
  const double r = 0.005;
  struct Narrow {
    Region region;
    double fraction;
  };
  for (const auto& [where, fraction] :
       {Narrow{BoxRegion{{0, 0.1, 0}, {0.1, 0.11, 0.1}}, 0.5}, Narrow{BoxRegion{{0, 0, 0}, {0.1, 0.0101, 0.1}}, 0.45},
        Narrow{BoxRegion{{0, 0, 0}, {0.1, 0.012, 0.1}}, 0.4}, Narrow{BoxRegion{{0, 0, 0}, {0.1, 0.0175, 0.1}}, 0.4},
        Narrow{CylinderRegion{{0, 0, 0}, {0, 0, 0.2}, 0.005}, 0.4},
        Narrow{CylinderRegion{{0, 0, 0}, {0.1, 0.15, 0.07}, 0.005}, 0.4},
        Narrow{CylinderRegion{{0, 0, 0}, {0, 0, 0.2}, 0.0075}, 0.25},
        Narrow{CylinderRegion{{0, 0, 0}, {0.1, 0.15, 0.07}, 0.0095}, 0.25}}) {
    const auto region = made(where);
    const Fill fill{{}, {}, fraction};
    PackingQuality quality;
    const Spheres spheres =
        pack_densely(*region, radii_of_fill(*region, fill, FixedSize{r}, 1, 0), {}, 1, 0, nullptr, quality);
    EXPECT_NEAR(static_cast<double>(spheres.radius.size()) * volume_of(r), fraction * region->volume(),
                0.5 * volume_of(r) + 1e-12);
    EXPECT_LE(worst(*region, spheres), 1e-9);
  }
}

// Sites of a lattice lie beside the axis of such a tube. Two of three spheres that fit are many for random places.
TEST(NarrowFills, OfTubesAcrossTheAxes) {
  for (const double radius : {0.005, 0.0051, 0.006}) {
    const auto tube = made(CylinderRegion{{0, 0, 0}, {0.1, 0.15, 0.07}, radius});
    for (const double fraction : {0.1, 0.3}) {
      const Spheres spheres = filled(*tube, fraction, 0.005);
      EXPECT_NEAR(static_cast<double>(spheres.radius.size()) * volume_of(0.005), fraction * tube->volume(),
                  0.5 * volume_of(0.005) + 1e-12);
      EXPECT_LE(worst(*tube, spheres), 1e-9);
    }
  }
}

}  // namespace scree::packing::packing_narrow_test
