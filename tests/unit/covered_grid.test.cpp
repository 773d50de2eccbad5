#include "host/clumps/covered_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/clumps/fit_mesh.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/random.hpp"
#include "sample_meshes.hpp"

/// What spheres add to those that fill a mesh already, and the distances that this needs.
namespace scree::clumps::covered_grid_test {

/// The part of each cell that a sphere covers, cell by cell.
class EveryCell {
 public:
  explicit EveryCell(const CoveredGrid& grid) : grid_(grid), covered_(grid.size()) {}

  double part(std::size_t at, const ClumpSphere& sphere) const {
    const double edge = grid_.edge(), outer = sphere.radius + 0.5 * edge, inner = sphere.radius - 0.5 * edge;
    const double squared = geometry::squared_length(geometry::subtract(grid_.point(at), sphere.center));
    if (squared >= outer * outer) { return 0; }
    if (inner > 0 && squared <= inner * inner) { return 1; }
    return std::min(1.0, (outer - std::sqrt(squared)) / edge);
  }
  void cover(const ClumpSphere& sphere) {
    for (std::size_t at = 0; at < covered_.size(); ++at) { covered_[at] = std::max(covered_[at], part(at, sphere)); }
  }
  void clear() { std::fill(covered_.begin(), covered_.end(), 0.0); }
  double gain(const ClumpSphere& sphere) const {
    double sum = 0;
    for (std::size_t at = 0; at < covered_.size(); ++at) { sum += std::max(0.0, part(at, sphere) - covered_[at]); }
    return sum;
  }

 private:
  const CoveredGrid& grid_;
  std::vector<double> covered_;
};

TEST(CoveredGrid, AGainIsTheSumOverAllCellsToTheLastBit) {
  const TriangleMesh mesh = test::sample_box({5, -7, 100}, {6, -5.6, 102});
  CoveredGrid grid(mesh, 22);
  EveryCell every(grid);
  packing::Random random(5, 0);
  const auto sphere = [&] {
    for (;;) {
      const Real3 center{random.uniform(5, 6), random.uniform(-7, -5.6), random.uniform(100, 102)};
      const ClumpSphere largest = grid.largest_at(center, 0.1);
      if (largest.radius > 0.1) { return largest; }
    }
  };
  const auto compare = [&](int cover) {
    for (int k = 0; k < 12; ++k) {
      const ClumpSphere any = sphere();
      const double gain = every.gain(any);
      EXPECT_EQ(grid.gain(any), gain) << cover;
      EXPECT_GE(grid.most_gain(any), gain) << cover;
    }
  };
  std::vector<ClumpSphere> spheres;
  for (int cover = 0; cover < 6; ++cover) {
    compare(cover);
    spheres.push_back(sphere());
    grid.cover(spheres.back());
    every.cover(spheres.back());
    EXPECT_EQ(grid.gain(spheres.back()), 0);
    EXPECT_EQ(every.gain(spheres.back()), 0);
  }
  grid.cover_only(spheres, 2);
  every.clear();
  for (std::size_t k = 0; k < spheres.size(); ++k) {
    if (k != 2) { every.cover(spheres[k]); }
  }
  compare(7);
  EXPECT_EQ(grid.gain({{5.5, -6, 101}, 0}), 0) << "no sphere";
}

TEST(CoveredGrid, DistancesToAMeshAreThoseToItsTriangles) {
  const TriangleMesh mesh = test::sample_torus(1, 0.4, 14);
  const geometry::MeshSurface surface(mesh);
  packing::Random random(2, 0);
  for (int k = 0; k < 300; ++k) {
    const Real3 point{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-1, 1)};
    const double reach = random.uniform(0.01, 2);
    double nearest = reach * reach;
    for (const auto& [a, b, c] : mesh.triangles) {
      nearest =
          std::min(nearest, geometry::squared_distance(point, mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]));
    }
    EXPECT_EQ(surface.squared_distance_within(point, reach), nearest) << k;
  }
}

// As they were when every candidate was counted cell by cell. In both meshes many candidates are as good as others, so
// that the order of equal ones shows.
TEST(FitSpheres, TheSameSpheresAsByCountingAllCells) {
  const auto expect = [](const TriangleMesh& mesh, const std::vector<ClumpSphere>& expected) {
    const auto spheres = fit_spheres(mesh, {expected.size(), 24}, "mesh");
    ASSERT_EQ(spheres.size(), expected.size());
    for (std::size_t k = 0; k < spheres.size(); ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(spheres[k].center[axis], expected[k].center[axis], 1e-12) << k;
      }
      EXPECT_NEAR(spheres[k].radius, expected[k].radius, 1e-12) << k;
    }
  };
  const double r = 0.49947916666666664, y = 0.90052083333333321;
  expect(test::sample_box({0, 0, 0}, {1, 1.4, 2}), {{{0.5, y, 1.0078125}, r},
                                                    {{0.5, r, 0.5}, r},
                                                    {{0.5, y, 0.5}, r},
                                                    {{0.5, r, 1.5}, r},
                                                    {{0.5, y, 1.5}, r},
                                                    {{0.5, r, 0.9921875}, r}});
  expect(test::sample_corner(), {{{0.5, 7.0 / 6, 0.5}, 0.5},
                                 {{1.5, 0.5, 0.5}, 0.5},
                                 {{0.5, 0.5, 0.5}, 0.5},
                                 {{1.0234375, 0.5, 0.5}, 0.5},
                                 {{0.5, 0.84114583333333359, 0.5}, 0.5},
                                 {{0.5, 1.5, 0.5}, 0.5}});
}

}  // namespace scree::clumps::covered_grid_test
