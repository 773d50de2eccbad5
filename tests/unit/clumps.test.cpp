#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "host/clumps/clump.hpp"
#include "host/clumps/clump_file.hpp"
#include "host/clumps/disc_union.hpp"
#include "host/geometry/real3.hpp"
#include "host/packing/exact_math.hpp"
#include "host/packing/random.hpp"
#include "scree/errors.hpp"

/// Mass properties of clumps: volume, centre, inertia, principal axes.
namespace scree::clumps::clumps_test {

using std::numbers::pi;

double ball(double r) { return 4 * pi / 3 * r * r * r; }

void expect_near(const Real3& a, const Real3& b, double tolerance) {
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(a[k], b[k], tolerance) << k; }
}

std::vector<ClumpSphere> random_spheres(std::uint64_t seed, int count, double size) {
  packing::Random random(seed, 0);
  std::vector<ClumpSphere> spheres;
  for (int k = 0; k < count; ++k) {
    const Real3 c = random.in_ball();
    spheres.push_back({geometry::scaled(c, size), random.uniform(0.3, 0.6)});
  }
  return spheres;
}

/// p turned by an angle a about x, then by b about z.
Real3 turned(const Real3& p, double a, double b) {
  const Real3 q = {p[0], std::cos(a) * p[1] - std::sin(a) * p[2], std::sin(a) * p[1] + std::cos(a) * p[2]};
  return {std::cos(b) * q[0] - std::sin(b) * q[1], std::sin(b) * q[0] + std::cos(b) * q[1], q[2]};
}

// B05a: two balls less their common lens (closed form).
TEST(Clump, TwoSpheresThatOverlapB05a) {
  const auto body = make_clump({{{0, 0, 0}, 1}, {{1.2, 0, 0}, 0.8}});
  EXPECT_EQ(body.method, MassMethod::slices);
  EXPECT_NEAR(1000 * body.volume, 5890.486225480861, 1e-9);
  EXPECT_NEAR(body.center[0], 23.0 / 60, 1e-13);
  EXPECT_NEAR(1000 * body.inertia[0], 2157.390580082, 1e-8);
  EXPECT_NEAR(1000 * body.inertia[1], 4181.836158548, 1e-8);
  EXPECT_EQ(body.inertia[1], body.inertia[2]);
  expect_near(body.axes[0], {1, 0, 0}, 1e-12);
  EXPECT_LT(body.error, 1e-10);
  EXPECT_NEAR(body.bounding_radius, 2 - 23.0 / 60, 1e-13);
  EXPECT_NEAR(ball(body.equivalent_radius), body.volume, 1e-14);
}

// The closed form of B05a; the tolerance is the error of the grid.
TEST(Clump, OnAGridB05a) {
  const std::vector<ClumpSphere> spheres = {{{0, 0, 0}, 1}, {{1.2, 0, 0}, 0.8}};
  for (const auto& [n, tolerance] : {std::pair{64U, 0.01}, {128U, 0.003}}) {
    const auto body = make_clump(spheres, {n});
    EXPECT_EQ(body.method, MassMethod::grid);
    EXPECT_NEAR(1000 * body.volume / 5890.486225480861, 1, tolerance);
    EXPECT_NEAR(1000 * body.inertia[0] / 2157.390580082, 1, tolerance);
    EXPECT_NEAR(1000 * body.inertia[2] / 4181.836158548, 1, tolerance);
    EXPECT_LT(std::abs(1000 * body.volume / 5890.486225480861 - 1), body.error);
    EXPECT_LT(body.error, 3 * tolerance);
  }
}

TEST(Clump, ThreeThatTouchB05b) {
  const double r = 0.01, mass = 2500 * ball(r);
  const auto body = make_clump({{{0, 0, 0}, r}, {{2 * r, 0, 0}, r}, {{0, 2 * r, 0}, r}});
  EXPECT_EQ(body.method, MassMethod::closed_form);
  EXPECT_EQ(body.error, 0);
  EXPECT_NEAR(2500 * body.volume, 0.031415926535897934, 1e-15);
  for (const auto& [k, value] : {std::pair{0U, 38.0 / 15}, {1U, 5.2}, {2U, 98.0 / 15}}) {
    EXPECT_NEAR(2500 * body.inertia[k] / (mass * r * r), value, 1e-12);
  }
  expect_near(body.axes[2], {0, 0, 1}, 1e-12);
  const double half = std::sqrt(0.5);
  // Along the line between the two ends, with a positive first component.
  expect_near(body.axes[0], {half, -half, 0}, 1e-12);
}

TEST(Clump, MembersAreInPrincipalAxes) {
  const auto spheres = random_spheres(3, 6, 3.0);
  const auto body = make_clump(spheres);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    Real3 back = body.center;
    for (std::size_t k = 0; k < 3; ++k) back = geometry::along(back, body.members[i].center[k], body.axes[k]);
    expect_near(back, spheres[i].center, 1e-13);
  }
  expect_near(geometry::cross(body.axes[0], body.axes[1]), body.axes[2], 1e-14);
  const auto again = make_clump(body.members);  // already in principal axes, so nothing turns
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(std::abs(again.axes[k][k]), 1, 1e-9); }
  expect_near(again.center, {0, 0, 0}, 1e-12);
  EXPECT_LE(body.inertia[0], body.inertia[1]);
  EXPECT_LE(body.inertia[1], body.inertia[2]);
}

TEST(Clump, OneSphereAndASymmetricOneKeepTheirAxes) {
  const auto one = make_clump({{{1, 2, 3}, 0.5}});
  expect_near(one.center, {1, 2, 3}, 1e-15);
  expect_near(one.members[0].center, {0, 0, 0}, 0);
  EXPECT_EQ(one.inertia[0], one.inertia[2]);
  EXPECT_NEAR(one.inertia[0], 0.4 * ball(0.5) * 0.25, 1e-15);
  std::vector<ClumpSphere> cube;
  for (unsigned k = 0; k < 8; ++k) { cube.push_back({{k & 1U ? 1. : -1., k & 2U ? 1. : -1., k & 4U ? 1. : -1.}, 1.2}); }
  const auto body = make_clump(cube);
  EXPECT_EQ(body.inertia[0], body.inertia[2]);
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_EQ(body.axes[k][k], 1); }
}

TEST(Clump, ScaledIsTheClumpOfScaledSpheres) {
  auto spheres = random_spheres(5, 5, 0.8);
  const auto body = scaled(make_clump(spheres), 3);
  for (auto& s : spheres) s = {geometry::scaled(s.center, 3), 3 * s.radius};
  const auto direct = make_clump(spheres);
  EXPECT_NEAR(body.volume / direct.volume, 1, 1e-12);
  EXPECT_NEAR(body.bounding_radius, direct.bounding_radius, 1e-12);
  EXPECT_NEAR(body.equivalent_radius, direct.equivalent_radius, 1e-12);
  expect_near(body.center, direct.center, 1e-12);
  for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(body.inertia[k] / direct.inertia[k], 1, 1e-11); }
  expect_near(body.members[2].center, direct.members[2].center, 1e-9);
}

// All numbers are exact in the frame that is far away too. The moments are taken at most 4.5 edges of the box from the
// centre: that is 14 times the radius of gyration, both ways, so some 400 roundings are lost.
TEST(Clump, ATemplateFarFromItsOriginKeepsItsInertia) {
  const Real3 far{1 << 20, -(1 << 20), 1 << 21};
  for (const double half : {0.0, 0.1875, 0.25}) {  // one sphere, two that overlap, two that touch
    for (const unsigned resolution : {0U, 64U}) {
      std::vector<ClumpSphere> spheres = {{{half, 0, 0}, 0.25}};
      if (half > 0) { spheres.push_back({{-half, 0, 0}, 0.25}); }
      const auto near = make_clump(spheres, {resolution});
      for (auto& sphere : spheres) { sphere.center = geometry::add(sphere.center, far); }
      const auto body = make_clump(spheres, {resolution});
      EXPECT_EQ(body.method, near.method);
      for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(body.inertia[k] / near.inertia[k], 1, 1e-12) << half; }
      for (std::size_t i = 0; i < spheres.size(); ++i) {
        expect_near(body.members[i].center, near.members[i].center, 1e-14);
      }
      expect_near(body.center, far, 1e-9);
    }
  }
}

/// The orientation decides in which direction the union is sliced. Any orientation must give the same result, within
/// the estimated error.
TEST(Clump, TurningAndShiftingChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto spheres = random_spheres(seed, 3 + static_cast<int>(seed), 0.9);
    const auto body = make_clump(spheres);
    ASSERT_EQ(body.method, MassMethod::slices);
    auto other = spheres;
    for (auto& s : other)
      s.center = geometry::add(turned(s.center, 0.3 + 0.5 * double(seed), 1.1 * double(seed)), {4, -3, 2});
    const auto again = make_clump(other);
    const double tolerance = body.error + again.error;
    EXPECT_LT(tolerance, 1e-6) << seed;
    EXPECT_NEAR(again.volume / body.volume, 1, tolerance) << seed;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(again.inertia[k] / body.inertia[k], 1, 2 * tolerance + 1e-13) << seed;
    }
    expect_near(again.center,
                geometry::add(turned(body.center, 0.3 + 0.5 * double(seed), 1.1 * double(seed)), {4, -3, 2}),
                3 * tolerance + 1e-13);
    const auto counted = make_clump(spheres, {96});
    EXPECT_LT(counted.error, 0.03) << seed;
    EXPECT_LT(std::abs(counted.volume / body.volume - 1), counted.error) << seed;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LT(std::abs(counted.inertia[k] / body.inertia[k] - 1), 2 * counted.error) << seed;
    }
  }
}

/// Unions of known volume: lenses of two spheres, separate spheres, a sphere inside another, and equal spheres.
TEST(Clump, KnownUnions) {
  const auto cap = [](double r, double h) { return pi * h * h * (3 * r - h) / 3; };
  const std::vector<ClumpSphere> chain = {{{0, 0, 0}, 1}, {{0, 1.1, 1.3}, 1}, {{0, 2.2, 2.6}, 1}, {{9, 0, 0}, 0.5}};
  const double gap = std::hypot(1.1, 1.3);
  const auto sum = union_moments(chain);
  EXPECT_LT(sum.error, 1e-9);
  EXPECT_NEAR(sum.moments.volume / (3 * ball(1) + ball(0.5) - 4 * cap(1, 1 - gap / 2)), 1, sum.error);
  const std::vector<ClumpSphere> inside = {{{0, 0, 0}, 1}, {{0.1, 0.2, 0}, 0.5}, {{0, 0, 0}, 1}, {{0.5, 0, 0}, 0.5}};
  const auto sphere = make_clump(inside);
  EXPECT_NEAR(sphere.volume, ball(1), 1e-13);
  expect_near(sphere.inertia, {0.4 * ball(1), 0.4 * ball(1), 0.4 * ball(1)}, 1e-13);
}

TEST(Clump, SpheresApartAreSummed) {
  const auto spheres = random_spheres(7, 5, 1);
  auto apart = spheres;
  for (std::size_t k = 0; k < apart.size(); ++k) apart[k].center[2] += 3.0 * static_cast<double>(k);
  const auto closed = union_moments(apart);
  EXPECT_EQ(closed.method, MassMethod::closed_form);
  auto nearly = apart;
  nearly.push_back({apart[0].center, 0.5 * apart[0].radius});  // inside the first sphere, which needs slices
  const auto slices = union_moments(nearly);
  EXPECT_EQ(slices.method, MassMethod::slices);
  EXPECT_NEAR(slices.moments.volume, closed.moments.volume, 1e-13);
  for (std::size_t k = 0; k < 6; ++k) { EXPECT_NEAR(slices.moments.second[k], closed.moments.second[k], 1e-10); }
}

TEST(DiscUnion, AreaAndMomentsOfTwoDiscs) {
  DiscUnion discs;
  const auto one = discs.moments({{0.3, -0.2, 2}});
  EXPECT_NEAR(one.area, 4 * pi, 1e-14);
  EXPECT_NEAR(one.x, 0.3 * 4 * pi, 1e-14);
  EXPECT_NEAR(one.xx, 4 * pi * (1 + 0.09), 1e-13);
  EXPECT_NEAR(one.xy, -0.06 * 4 * pi, 1e-14);
  const double lens = 2 * std::acos(0.5) - std::sqrt(0.75);  // r^2 (2 a - sin 2 a), cos a = 1/2
  EXPECT_NEAR(discs.moments({{0, 0, 1}, {0, 1, 1}}).area, 2 * pi - lens, 1e-14);
  EXPECT_NEAR(discs.moments({{-1, 0, 1}, {-2, 0, 1}}).area, 2 * pi - lens, 1e-14);  // across the cut of the angle
  EXPECT_NEAR(discs.moments({{0, 0, 1}, {0, 0, 1}, {1e-17, 0, 1}}).area, pi, 1e-14);
}

TEST(ExactMath, AngleOfAPoint) {
  for (int k = -3000; k <= 3000; ++k) {
    const double angle = k * 0.001047, r = 1 + 0.01 * k * k;
    EXPECT_NEAR(packing::exact_atan2(r * std::sin(angle), r * std::cos(angle)), angle, 1e-15) << k;
  }
  EXPECT_EQ(packing::exact_atan2(0, 1), 0);
  EXPECT_NEAR(packing::exact_atan2(0, -1), pi, 5e-16);
  EXPECT_NEAR(packing::exact_atan2(-1, 0), -pi / 2, 3e-16);
}

std::string error_of(const std::string& text) {
  try {
    (void)parse_clump(text, "a.csv");
  } catch (const CaseError& error) { return error.what(); }
  return "";
}

TEST(ClumpFile, ReadsWhatIsWritten) {
  const auto spheres = random_spheres(9, 4, 1);
  const auto back = parse_clump(clump_text(spheres, "four"), "a.csv");
  ASSERT_EQ(back.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back[i].center, spheres[i].center);
    EXPECT_EQ(back[i].radius, spheres[i].radius);
  }
  EXPECT_EQ(parse_clump("r,z,y,x\n# a\n1,2,3,4\n", "a.csv")[0].center, (Real3{4, 3, 2}));
}

TEST(ClumpFile, SaysWhatIsWrong) {
  EXPECT_NE(error_of("").find("a.csv: is empty: a header line \"x,y,z,r\" is needed"), std::string::npos);
  EXPECT_NE(error_of("x,y,z,r\n").find("holds no sphere"), std::string::npos);
  EXPECT_NE(error_of("x,y,z\n1,2,3\n").find("a.csv: line 1: column \"r\" is missing"), std::string::npos);
  EXPECT_NE(error_of("x,y,z,radius\n").find("no column is called \"radius\""), std::string::npos);
  EXPECT_NE(error_of("x,y,z,r\n1,2,3,-1\n").find("line 2: r: must be > 0, got -1"), std::string::npos);
  EXPECT_NE(error_of("x,y,z,r\n1,2,nan,1\n").find("line 2: z: must be within "), std::string::npos);
  EXPECT_NE(error_of("x,y,z,r\n1,2,3\n").find("line 2: has 3 values, but the header has 4"), std::string::npos);
}

}  // namespace scree::clumps::clumps_test
