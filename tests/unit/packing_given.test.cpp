#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "case_errors.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/lattice.hpp"
#include "host/packing/particle_file.hpp"
#include "host/packing/sphere_grid.hpp"

namespace scree::packing::packing_given_test {

using test::error_of;

struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  std::size_t most_neighbours = 0;
};

/// Smallest distance of two centres, and the largest number of neighbours at this distance.
Nearest nearest(const Spheres& spheres) {
  Nearest result;
  const auto distance = [&](std::size_t i, std::size_t j) {
    return geometry::length(geometry::subtract(spheres.position[i], spheres.position[j]));
  };
  const std::size_t n = spheres.position.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) result.distance = std::min(result.distance, distance(i, j));
  }
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < n; ++j) count += i != j && distance(i, j) < result.distance * (1 + 1e-9) ? 1 : 0;
    result.most_neighbours = std::max(result.most_neighbours, count);
  }
  return result;
}

Spheres lattice(LatticeKind type, double size, double spacing, double jitter, const SizeDistribution& radius) {
  return lattice_spheres({type, {{0, 0, 0}, {size, size, size}}, spacing, jitter}, radius, 1, 0);
}

TEST(Lattice, TouchingSimpleCubicFillsItsBox) {
  const Spheres spheres = lattice(LatticeKind::simple_cubic, 1, 0.2, 0, FixedSize{0.1});
  ASSERT_EQ(spheres.position.size(), 125u);
  EXPECT_EQ(spheres.position[0], (Real3{0.1, 0.1, 0.1}));
  EXPECT_NEAR(spheres.position[1][0], 0.3, 1e-15);  // the x index runs fastest
  EXPECT_NEAR(spheres.position[124][2], 0.9, 1e-15);
}

TEST(Lattice, NeighboursOfEachKind) {
  const auto of = [](LatticeKind type) { return nearest(lattice(type, 1, 0.2, 0, FixedSize{0.05})); };
  EXPECT_NEAR(of(LatticeKind::simple_cubic).distance, 0.2, 1e-14);
  EXPECT_EQ(of(LatticeKind::simple_cubic).most_neighbours, 6u);
  EXPECT_NEAR(of(LatticeKind::body_centred).distance, 0.2, 1e-14);
  EXPECT_EQ(of(LatticeKind::body_centred).most_neighbours, 8u);
  EXPECT_NEAR(of(LatticeKind::face_centred).distance, 0.2, 1e-14);
  EXPECT_EQ(of(LatticeKind::face_centred).most_neighbours, 12u);
}

TEST(Lattice, JitterMovesButNeverOverlapsOrLeaves) {
  const Spheres spheres = lattice(LatticeKind::face_centred, 1, 0.15, 1, UniformSize{0.05, 0.07});
  const Spheres still = lattice(LatticeKind::face_centred, 1, 0.15, 0, UniformSize{0.05, 0.07});
  EXPECT_EQ(spheres.radius, still.radius);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < spheres.position.size(); ++i) {
    moved += spheres.position[i] != still.position[i] ? 1 : 0;
    for (const double x : spheres.position[i]) {
      EXPECT_TRUE(x >= spheres.radius[i] - 1e-15 && x <= 1 - spheres.radius[i] + 1e-15);
    }
    for (std::size_t j = 0; j < i; ++j) {
      const double distance = geometry::length(geometry::subtract(spheres.position[i], spheres.position[j]));
      ASSERT_GE(distance, (spheres.radius[i] + spheres.radius[j]) * (1 - 1e-14));
    }
  }
  EXPECT_GT(moved, spheres.position.size() * 9 / 10);
}

TEST(Lattice, FaultyOnesAreRefused) {
  EXPECT_IN("spacing: must be at least twice the largest radius, 0.14, got 0.13", error_of([] {
              (void)lattice(LatticeKind::simple_cubic, 1, 0.13, 0, UniformSize{0.05, 0.07});
            }));
  EXPECT_IN("box: is too small for a sphere of radius 0.6",
            error_of([] { (void)lattice(LatticeKind::simple_cubic, 1, 2, 0, FixedSize{0.6}); }));
  EXPECT_IN("spacing: gives more than",
            error_of([] { (void)lattice(LatticeKind::simple_cubic, 1, 1e-5, 0, FixedSize{5e-6}); }));
}

TEST(ParticleFile, ColumnsInAnyOrderWithCommentsAndBlanks) {
  const auto table = parse_particles(
      "# bed\n\nradius, z,y,x, wx,wy,wz,vx,vy,vz\r\n0.5, 3, 2, 1, 7,8,9, 4,5,6\r\n# end\n 1,0,0,5e0,0,0,0,0,0,-1", "f");
  ASSERT_EQ(table.radius.size(), 2u);
  EXPECT_EQ(table.position[0], (Real3{1, 2, 3}));
  EXPECT_EQ(table.velocity[0], (Real3{4, 5, 6}));
  EXPECT_EQ(table.angular_velocity[0], (Real3{7, 8, 9}));
  EXPECT_EQ(table.radius, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(table.line, (std::vector<std::size_t>{4, 6}));
}

TEST(ParticleFile, OtherSeparatorsAndQuotedNames) {
  const auto expect_both = [](const std::string& content) {
    const auto table = parse_particles(content, "f");
    EXPECT_EQ(table.position, (std::vector<Real3>{{1, 2, 3}, {5, -6, 7.5}})) << content;
    EXPECT_EQ(table.radius, (std::vector<double>{4, 0.5})) << content;
  };
  expect_both("x;y;z;radius\r\n1;2; 3;4\r\n5;-6;7.5;0.5\r\n");
  expect_both("x\ty\tz\tradius\n1\t2\t3\t4\n5\t-6\t7.5\t0.5\n");
  expect_both("# x y z\n  x y   z radius\n 1 2 3 4\n5   -6 7.5 0.5\n");
  expect_both("\"x\",\"y\",\"z\",\"radius\"\n1,2,3,4\n5,-6,7.5,0.5\n");
  const auto error = error_of([] { (void)parse_particles("x;y;z;radius\n1,5;2;3;4\n", "bed.csv"); });
  EXPECT_IN("line 2: x: \"1,5\" is not a number; the decimal sign is a point", error);
}

TEST(ParticleFile, LengthsOfTheFileBecomeMetres) {
  const std::string content = "x,y,z,diameter,vx,vy,vz\n1,2,3,8,5,6,7\n";
  const auto table = parse_particles(content, "f", {0.5, {10, 20, -30}});
  EXPECT_EQ(table.position[0], (Real3{10.5, 21, -28.5}));
  EXPECT_EQ(table.radius[0], 2);
  EXPECT_EQ(table.velocity[0], (Real3{5, 6, 7}));
  EXPECT_IN("line 2: x: must be within 1e+09 m, got 1e+10", error_of([&] {
              (void)parse_particles(content, "f", {1e10, {}});
            }));
}

TEST(ParticleFile, OptionalColumnsMayBeAbsent) {
  const auto table = parse_particles("x,y,z,radius\n1,2,3,4\n", "f");
  EXPECT_TRUE(table.velocity.empty() && table.angular_velocity.empty());
}

TEST(ParticleFile, TemperaturesAndFilms) {
  const auto table = parse_particles("x,y,z,film,radius,temperature\n1,2,3,0.25,4,300\n1,2,3,0,4,310.5\n", "f");
  EXPECT_EQ(table.temperature, (std::vector<double>{300, 310.5}));
  EXPECT_EQ(table.film, (std::vector<double>{0.25, 0}));
  const auto error = [](const std::string& content) {
    return error_of([&] { (void)parse_particles("x,y,z,radius," + content, "bed.csv"); });
  };
  EXPECT_IN("line 2: temperature: must be > 0 and at most 1e+30 K, got 0", error("temperature\n1,2,3,4,0\n"));
  EXPECT_IN("line 2: film: must be in [0, 1], got 1.5", error("film\n1,2,3,4,1.5\n"));
}

TEST(ParticleFile, FaultsNameLineAndColumn) {
  const auto error = [](const std::string& content) {
    return error_of([&] { (void)parse_particles(content, "bed.csv"); });
  };
  EXPECT_IN("bed.csv: is empty", error("# nothing\n"));
  EXPECT_IN("bed.csv: holds no particle", error("x,y,z,radius\n"));
  EXPECT_IN("line 1: has 3 numbers, but no header", error("1,2,3\n"));
  EXPECT_IN("no column is called \"radus\"; did you mean \"radius\"?", error("x,y,z,radus\n"));
  EXPECT_IN("no column is called \"x [mm]\"; write \"x\" without a unit; \"scale\" in the case turns its lengths into",
            error("x [mm];y [mm];z [mm];diameter [mm]\n0;0;5;4\n"));
  EXPECT_IN("no column is called \"width [mm]\"; known are", error("x,y,z,width [mm]\n"));
  EXPECT_IN("column \"radius\" is missing", error("x,y,z\n"));
  EXPECT_IN("column \"vz\" is missing", error("x,y,z,radius,vx,vy\n"));
  EXPECT_IN("column \"x\" occurs twice", error("x,y,z,radius,x\n"));
  EXPECT_IN("line 2: has 3 values, but the header has 4", error("x,y,z,radius\n1,2,3\n"));
  EXPECT_IN("line 2: y: \"two\" is not a number", error("x,y,z,radius\n1,two,3,1\n"));
  EXPECT_IN("line 2: z: must be finite, got inf", error("x,y,z,radius\n1,2,inf,1\n"));
  EXPECT_IN("line 2: x: must be within 1e+09 m, got -2e+09", error("x,y,z,radius\n-2e9,2,3,1\n"));
  const auto two = error("x,y,z,radius\n1,2,3,0\n1,2,3,1\n1,2,3,-1\n");
  EXPECT_IN("line 2: radius: must be > 0, got 0", two);
  EXPECT_IN("line 4: radius: must be > 0, got -1", two);
  EXPECT_IN("line 2: radius: must be from 1e-50 to 1e+09 m, got 1e-60", error("x,y,z,radius\n1,2,3,1e-60\n"));
  EXPECT_IN("line 2: vy: must be within 1e+30, got 1e+31", error("x,y,z,radius,vx,vy,vz\n1,2,3,1,0,1e31,0\n"));
}

TEST(SphereGrid, FindsSpheresOfAllSizesAfterMoves) {
  SphereGrid grid({{0, 0, 0}, {10, 10, 10}}, 1, 100);
  grid.insert({5, 5, 5}, 1);
  grid.insert({7, 5, 5}, 1e-5);
  grid.insert({12, 5, 5}, 3);  // outside of the bounds and larger than announced
  EXPECT_FALSE(grid.is_free({6.5, 5, 5}, 0.6));
  EXPECT_TRUE(grid.is_free({5, 5, 7}, 1));
  EXPECT_FALSE(grid.is_free({7, 5.00001, 5}, 1e-5));
  EXPECT_FALSE(grid.is_free({8.9, 5, 5}, 0.11));
  EXPECT_TRUE(grid.is_free({8.9, 5, 5}, 0.09));
  grid.move(0, {1, 1, 1});
  EXPECT_TRUE(grid.is_free({5, 5, 5}, 1));
  EXPECT_FALSE(grid.is_free({1, 1, 2.9}, 1));
  EXPECT_TRUE(grid.is_free({1, 1, 2.9}, 1, 0));
}

}  // namespace scree::packing::packing_given_test
