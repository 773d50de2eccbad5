#include "kernels/fluid/solid_table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "kernels/fluid/open_space.hpp"
#include "support.hpp"

// The sums of solid volumes on a lattice, and the parts of its surroundings that walls leave to a point.
namespace scree::inline SCREE_BACKEND::solid_table_test {

/// A lattice with these rows of steps [1/m].
SolidLattice lattice_of(const Mat3d& steps) {
  SolidLattice lattice;
  lattice.origin = {0.3, -0.2, 0.1};
  lattice.steps = steps;
  lattice.points_per_volume = math::abs(determinant(steps));
  return lattice;
}

struct Table {
  std::vector<std::uint64_t> keys, solids;
  SolidTable table;
  Table(const SolidLattice& lattice, std::size_t slots) : keys(slots), solids(slots) {
    table = {lattice, {keys.data(), slots}, {solids.data(), slots}};
  }
};

/// [n] Places in clusters, so that many are in the same cell as the one before.
std::vector<Vec3d> clusters(std::size_t n) {
  Random random(3);
  std::vector<Vec3d> places;
  Vec3d middle{};
  for (std::size_t k = 0; k < n; ++k) {
    if (k % 7 == 0) { middle = {random(-9, 9), random(-9, 9), random(-9, 9)}; }
    places.push_back(middle + Vec3d{random(-0.4, 0.4), random(-0.4, 0.4), random(-0.4, 0.4)});
  }
  return places;
}

// The number of a point along each direction comes back from its key, also below 0.
TEST(SolidTable, PointsFromKeys) {
  const Table one(lattice_of(identity<double>()), 64);
  for (const Vec3d& x : clusters(50)) {
    const PlaceAmongSolids at = one.table.place_of(x);
    const Vec3d low = SolidTable::point_of(at.cell.key(0)), high = SolidTable::point_of(at.cell.key(7)),
                u = one.table.lattice.place_of(x);
    EXPECT_EQ(low.x, std::floor(u.x));
    EXPECT_EQ(low.y, std::floor(u.y));
    EXPECT_EQ(low.z, std::floor(u.z));
    EXPECT_EQ(high.x - low.x, 1);
    EXPECT_EQ(high.z - low.z, 1);
  }
}

// There is room for all points: their number is within the bound for the box around the places.
TEST(SolidTable, RoomForAllPoints) {
  for (const double width : {0.3, 1.0, 4.0, 50.0}) {
    const SolidLattice lattice = lattice_of((1 / width) * Mat3d{{1, 0.3, 0}, {0, 1, 0}, {0.2, -0.1, 1}});
    const std::vector<Vec3d> places = clusters(400);
    Table sums(lattice, 20000);
    Vec3d low = places[0], high = places[0];
    for (const Vec3d& x : places) {
      sums.table.add(x, 1e-3);
      low = {std::min(low.x, x.x), std::min(low.y, x.y), std::min(low.z, x.z)};
      high = {std::max(high.x, x.x), std::max(high.y, x.y), std::max(high.z, x.z)};
    }
    const auto taken = std::count_if(sums.keys.begin(), sums.keys.end(), [](std::uint64_t key) { return key != 0; });
    const double bound = lattice.points_between(low, high);
    EXPECT_LE(double(taken), bound);
    EXPECT_LT(double(taken), double(SolidTable::slots_for(places.size(), bound)) * 0.8);
  }
}

// Sums do not depend on the number of slots, and a table that is too small ends the search for a slot.
TEST(SolidTable, AnyNumberOfSlots) {
  const SolidLattice lattice = lattice_of(identity<double>());
  const std::vector<Vec3d> places = clusters(300);
  Table large(lattice, 5000), tight(lattice, 1300), small(lattice, 64);
  for (const Vec3d& x : places) { large.table.add(x, 0.01), tight.table.add(x, 0.01), small.table.add(x, 0.01); }
  for (const Vec3d& x : places) {
    EXPECT_LT(large.table.porosity(x), 1);
    EXPECT_EQ(tight.table.porosity(x), large.table.porosity(x));
    EXPECT_LE(small.table.porosity(x), 1);
  }
}

#if !SCREE_ON_CUDA
// What the host adds and reads cell by cell is what is added and read place by place.
TEST(SolidTable, CellByCell) {
  const SolidLattice lattice = lattice_of(identity<double>());
  const std::vector<Vec3d> places = clusters(300);
  Table one(lattice, 4000), other(lattice, 4000);
  SolidAdder adder(other.table);
  for (std::size_t k = 0; k < places.size(); ++k) {
    one.table.add(places[k], 1e-3 * double(k));
    adder.add(places[k], 1e-3 * double(k));
  }
  adder.finish();
  SolidReader reader(other.table);
  for (const Vec3d& x : places) { EXPECT_EQ(reader.porosity(x), one.table.porosity(x)); }
}
#endif

/// The plane through `point` of a lattice with steps of length 1, with a normal of any length.
LatticePlane plane_at(const Vec3d& point, const Vec3d& normal) {
  const double largest = std::max({std::fabs(normal.x), std::fabs(normal.y), std::fabs(normal.z)});
  const Vec3d n = (1 / largest) * normal;
  return {{n.x, n.y, n.z}, dot(n, point), std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z)};
}

double open_part(std::vector<LatticePlane> planes, const Vec3d& point) {
  return OpenSpace(Span<LatticePlane>{planes.data(), planes.size()}, point).part();
}

/// The exact part in front of one plane, whose normal has no component near 0: each hat is the sum of two uniform
/// numbers, so the part is the distribution of a weighted sum of six, the sixth difference of t^6 / 6!.
double exact_part(const LatticePlane& plane, const Vec3d& point) {
  const double gap = plane.gap(point);
  double sum = 0;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      for (int k = -1; k <= 1; ++k) {
        const double factor = (i == 0 ? -2.0 : 1.0) * (j == 0 ? -2.0 : 1.0) * (k == 0 ? -2.0 : 1.0);
        const double t = gap + i * plane.normal[0] + j * plane.normal[1] + k * plane.normal[2];
        if (t > 0) { sum += factor * std::pow(t, 6); }
      }
    }
  }
  return sum / (720 * std::pow(plane.normal[0] * plane.normal[1] * plane.normal[2], 2));
}

// One slanted plane, at all distances, against the closed form. To 2e-4 of the whole.
TEST(OpenSpace, OneSlantedPlane) {
  for (const Vec3d& normal : {Vec3d{1, 2, 3}, Vec3d{-3, 1, 0.7}, Vec3d{1, 1, 1}, Vec3d{0.5, -1, 0.3}}) {
    const LatticePlane plane = plane_at({0, 0, 0}, normal);
    for (double way = -3; way <= 3; way += 0.0625) {
      const Vec3d point = (way / norm(normal)) * normal;
      EXPECT_NEAR(open_part({plane}, point), exact_part(plane, point), 2e-4) << way;
    }
  }
}

// Planes normal to directions of the lattice, against integrals of the hat: a wall, a slit, an edge and a corner.
TEST(OpenSpace, StraightPlanes) {
  const LatticePlane floor = plane_at({0, 0, 0}, {0, 0, 2}), lid = plane_at({0, 0, 0.5}, {0, 0, -1}),
                     left = plane_at({0, 0, 0}, {1, 0, 0}), back = plane_at({0, 0, 0}, {0, -1, 0});
  EXPECT_EQ(open_part({floor}, {5, 7, 0}), 0.5);
  EXPECT_EQ(open_part({floor}, {5, 7, 1}), 1);
  EXPECT_EQ(open_part({floor}, {5, 7, -1}), 0);
  EXPECT_EQ(open_part({floor}, {5, 7, 0.5}), 0.875);
  EXPECT_EQ(open_part({floor}, {5, 7, -0.5}), 0.125);
  EXPECT_EQ(open_part({floor, lid}, {5, 7, 0.25}), 0.4375);  // 2 (1/4 - 1/32)
  EXPECT_EQ(open_part({floor, left}, {0, 7, 0}), 0.25);
  EXPECT_EQ(open_part({floor, left, back}, {0, 0, 0}), 0.125);
  EXPECT_EQ(open_part({floor, left, back}, {-0.5, 0.5, 1}), 0.125 * 0.125);
}

// The valley between two slanted planes, a trough with an end, and the corner of a box that is turned, against sums
// over 40^3 cells. To 1 % of the whole; the sums have errors of 0.3 %.
TEST(OpenSpace, SeveralPlanes) {
  const std::vector<std::vector<Vec3d>> walls{{{1, 0, 1}, {-1, 0, 1}},
                                              {{1, 0, 2}, {-1, 0, 2}, {0, 1, 0}},
                                              {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}},
                                              {{4, 0, 3}, {-4, 0, 3}, {0, 4, 3}, {0, -4, 3}}};
  for (const std::vector<Vec3d>& normals : walls) {
    std::vector<LatticePlane> planes;
    for (const Vec3d& normal : normals) { planes.push_back(plane_at({0, 0, 0}, normal)); }
    for (const Vec3d& point :
         {Vec3d{0.1, 0.2, 0.3}, Vec3d{0.03, -0.05, 0.02}, Vec3d{-0.4, 0.3, 0.7}, Vec3d{0.2, -0.3, -0.4}}) {
      constexpr int n = 40;
      double sum = 0;
      for (int k = 0; k < n * n * n; ++k) {
        const auto along = [](int i) { return 2 * (i + 0.5) / n - 1; };
        const Vec3d u{along(k % n), along(k / n % n), along(k / n / n)};
        const bool open = std::all_of(planes.begin(), planes.end(),
                                      [&](const LatticePlane& plane) { return plane.gap(point + u) >= 0; });
        if (open) { sum += (1 - std::fabs(u.x)) * (1 - std::fabs(u.y)) * (1 - std::fabs(u.z)); }
      }
      EXPECT_NEAR(open_part(planes, point), sum * 8 / (n * n * n), 0.01);
    }
  }
}

}  // namespace scree::inline SCREE_BACKEND::solid_table_test
