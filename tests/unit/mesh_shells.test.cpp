#include "host/geometry/mesh_shells.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "case_errors.hpp"
#include "host/packing/fill.hpp"
#include "sample_meshes.hpp"
#include "scratch_folder.hpp"

/// Closed meshes of several shells, and fills of them.
namespace scree::geometry::mesh_shells_test {

TriangleMesh box(const Real3& low, const Real3& high) { return test::sample_box(low, high); }
TriangleMesh cube(double low, double high) { return box({low, low, low}, {high, high, high}); }

TriangleMesh turned(TriangleMesh mesh) {
  for (auto& corners : mesh.triangles) std::swap(corners[0], corners[1]);
  return mesh;
}

TriangleMesh joined(const std::vector<TriangleMesh>& parts) {
  TriangleMesh all;
  for (const TriangleMesh& part : parts) {
    const auto first = static_cast<std::uint32_t>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const auto& [a, b, c] : part.triangles) all.triangles.push_back({first + a, first + b, first + c});
  }
  return all;
}

TEST(MeshShells, AddUpOrAreHolesWhicheverWayTheyFace) {
  const TriangleMesh outer = cube(0, 1), inner = cube(0.2, 0.8), core = cube(0.3, 0.5), beside = cube(2, 2.5);
  for (const TriangleMesh& first : {outer, turned(outer)}) {
    EXPECT_NEAR(shell_volume(first).volume, 1, 1e-12);
    for (const TriangleMesh& second : {inner, turned(inner)}) {
      const ShellVolume hollow = shell_volume(joined({first, second}));
      EXPECT_NEAR(hollow.volume, 1 - 0.216, 1e-12);
      EXPECT_EQ(hollow.crossing, 0);
      for (const TriangleMesh& third : {core, turned(core)}) {
        EXPECT_NEAR(shell_volume(joined({second, third, first})).volume, 1 - 0.216 + 0.008, 1e-12) << "solid again";
      }
    }
    for (const TriangleMesh& second : {beside, turned(beside)}) {
      EXPECT_NEAR(shell_volume(joined({first, second})).volume, 1.125, 1e-12);
    }
  }
  EXPECT_EQ(shell_volume({}).volume, 0);
}

TEST(MeshShells, ThatTouchDoNotCross) {
  for (const TriangleMesh& other :
       {box({1, 0, 0}, {2, 1, 1}), box({1, 0.2, 0.3}, {1.5, 0.6, 0.9}), box({1, 1, 1}, {2, 2, 2})}) {
    const ShellVolume both = shell_volume(joined({cube(0, 1), other}));
    EXPECT_NEAR(both.volume, 1 + shell_volume(other).volume, 1e-12);
    EXPECT_EQ(both.crossing, 0);
  }
  const ShellVolume niche = shell_volume(joined({cube(0, 1), box({0.5, 0.2, 0.2}, {1, 0.8, 0.8})}));
  EXPECT_NEAR(niche.volume, 1 - 0.18, 1e-12) << "a hole that reaches the surface";
  EXPECT_EQ(niche.crossing, 0);
}

// Of the unit cube 0.36 lies in the bar, half of whose surface of 3.12 lies in the cube; both have 9.12.
TEST(MeshShells, ThatCrossAreSeen) {
  const auto poked = shell_volume(joined({cube(0, 1), box({0.5, 0.2, 0.2}, {1.5, 0.8, 0.8})}));
  EXPECT_NEAR(poked.crossing, (0.36 + 1.56) / 9.12, 0.01);
  const auto bars =
      shell_volume(joined({box({-1, -0.1, -0.1}, {1, 0.1, 0.1}), box({-0.11, -1, -0.11}, {0.11, 1, 0.11})}));
  EXPECT_GT(bars.crossing, 0.05) << "no corner of one lies in the other";
}

struct Made {
  explicit Made(const TriangleMesh& mesh) {
    test::write_stl(folder / "shells.stl", mesh);
    region = packing::make_region(MeshRegion{"shells.stl", 1}, folder.path(), warnings);
  }
  test::ScratchFolder folder;
  std::vector<std::string> warnings;
  std::unique_ptr<packing::FillRegion> region;
};

TEST(FillsOfMeshes, CountHolesAndSeparateParts) {
  const double r = 0.03;
  for (const auto& [mesh, volume] : {std::pair{joined({cube(0, 1), cube(0.2, 0.8)}), 1 - 0.216},
                                     std::pair{joined({cube(0, 1), turned(cube(1.5, 2))}), 1.125}}) {
    const Made made(mesh);
    EXPECT_NEAR(made.region->volume(), volume, 1e-6);
    const auto radii = packing::radii_of_fill(*made.region, {{}, {}, 0.1}, FixedSize{r}, 1, 0);
    EXPECT_NEAR(static_cast<double>(radii.size()), 0.1 * volume / (4.0 / 3.0 * std::numbers::pi * r * r * r), 0.5);
    for (const Real3& x : packing::place_spheres(*made.region, radii, {}, 1, 0).position) {
      EXPECT_TRUE(made.region->holds(x, r));
    }
  }
  EXPECT_IN("mesh.file: ", test::error_of([] { Made{joined({cube(0, 1), cube(0.5, 1.5)})}; }));
  EXPECT_IN("its parts cross at 1", test::error_of([] { Made{joined({cube(0, 1), cube(0.5, 1.5)})}; }));
}

}  // namespace scree::geometry::mesh_shells_test
