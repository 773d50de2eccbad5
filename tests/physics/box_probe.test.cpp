#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "probe_readings.hpp"
#include "scenes.hpp"
#include "scree/errors.hpp"

// The probe of type box against Hertz's law and lengths by hand, and against the stress of the contacts.
namespace scree::physics::box_probe_test {

constexpr Substance stuff{1e7, 0.3, 2500};
constexpr double radius = 0.1;
const std::vector<std::string> six{"x0", "x1", "y0", "y1", "z0", "z1"};

/// A wall across the axis k, on its lower or upper side.
void add_wall(Scene& scene, std::size_t k, bool upper, double place, std::vector<Motion> motion = {}) {
  Real3 point{}, normal{};
  point[k] = place, normal[k] = upper ? -1 : 1;
  add_plane(scene, point, normal, std::move(motion));
  scene.boundaries.back().name = six.at(2 * k + (upper ? 1 : 0));
}

/// A sphere at the origin between walls that overlap it by `overlap` [m] on both sides of each axis.
Scene sphere_in_box(const Real3& overlap) {
  Scene scene = hertz_scene(stuff, {0, 0}, 1e-6);
  add_sphere(scene, {0, 0, 0}, radius);
  for (std::size_t k = 0; k < 3; ++k) {
    add_wall(scene, k, false, overlap[k] - radius);
    add_wall(scene, k, true, radius - overlap[k]);
  }
  return scene;
}

double hertz_force(double overlap) {
  return 4.0 / 3 * stuff.young / (1 - stuff.poisson * stuff.poisson) * std::sqrt(radius) * std::pow(overlap, 1.5);
}

TEST(BoxProbe, ASphereThatSixWallsPress) {
  const Real3 overlap{1e-3, 2e-3, 3e-3};
  const Scene scene = sphere_in_box(overlap);
  const auto engine = start(scene);
  engine->advance(1);
  auto seen = read_probe({BoxProbe{six}}, *engine, scene);
  const Real3 length{2 * (radius - overlap[0]), 2 * (radius - overlap[1]), 2 * (radius - overlap[2])};
  const double volume = length[0] * length[1] * length[2], solid = 4.0 / 3 * pi * std::pow(radius, 3);
  constexpr std::array<const char*, 3> axes{"x", "y", "z"};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string axis = axes[k];
    EXPECT_NEAR(seen["length_" + axis + "[m]"], length[k], 1e-15);
    EXPECT_NEAR(seen["strain_" + axis], 0, 1e-15);
    const double stress = -hertz_force(overlap[k]) * length[k] / volume;
    EXPECT_NEAR(seen["stress_" + axis + "[Pa]"], stress, 1e-10 * std::fabs(stress));
  }
  EXPECT_NEAR(seen["volume[m3]"], volume, 1e-15);
  EXPECT_NEAR(seen["solid_fraction"], solid / volume, 1e-12);
  EXPECT_NEAR(seen["void_ratio"], volume / solid - 1, 1e-12);

  // Forces of contacts times their arms give the same stress (Love and Weber), but that contact points lie in the
  // middle of overlaps.
  auto weighed = read_probe({StressProbe{BoxRegion{{-1, -1, -1}, {1, 1, 1}}}}, *engine, scene);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string axis = axes[k];
    const double arms = (radius - 0.5 * overlap[k]) / (radius - overlap[k]);
    EXPECT_NEAR(weighed["contact_" + axis + axis + "[Pa]"] * 8, seen["stress_" + axis + "[Pa]"] * volume * arms, 1e-8);
  }
}

TEST(BoxProbe, StrainCountsFromThePlacesOfTheCase) {
  Scene scene = hertz_scene(stuff, {0, 0}, 1e-4);
  add_sphere(scene, {0, 0, 0}, radius);
  add_wall(scene, 2, false, -1, {{Translation{{0, 0, 2}}}});
  add_wall(scene, 2, true, 1, {{Translation{{0, 0, -1}}}});
  const auto engine = start(scene);
  engine->advance(1000);
  auto seen = read_probe({BoxProbe{{"z1", "z0"}, 0.5}}, *engine, scene);
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_NEAR(seen["length_z[m]"], 1.7, 1e-12);
  EXPECT_NEAR(seen["strain_z"], std::log(1.7 / 2), 1e-12);
  EXPECT_NEAR(seen["volume[m3]"], 0.85, 1e-12);
  EXPECT_EQ(seen["stress_z[Pa]"], 0);
  // With other walls half of the sphere's volume is still that of a whole one, by its centre.
  EXPECT_NEAR(seen["solid_fraction"], 4.0 / 3 * pi * std::pow(radius, 3) / 0.85, 1e-12);
}

TEST(BoxProbe, APeriodicCellGivesTheSection) {
  Scene scene = hertz_scene(stuff, {0, 0}, 1e-6);
  PeriodicCell cell;
  cell.edges = {{{1, 0, 0}, {0.25, 2, 0}, {0, 0, 1}}};
  cell.periodic = {true, true, false};
  scene.cell = cell;
  add_sphere(scene, {0, 0, 0}, radius);
  add_wall(scene, 2, false, 1e-3 - radius);
  add_wall(scene, 2, true, radius - 1e-3);
  const auto engine = start(scene);
  engine->advance(1);
  auto seen = read_probe({BoxProbe{{"z0", "z1"}}}, *engine, scene);
  EXPECT_NEAR(seen["stress_z[Pa]"], -hertz_force(1e-3) / 2, 1e-10 * hertz_force(1e-3));
  EXPECT_NEAR(seen["volume[m3]"], 2 * 2 * (radius - 1e-3), 1e-14);
}

// Nothing infinite stands where there is nothing to measure.
TEST(BoxProbe, ABoxWithoutParticlesHasNoVoidRatio) {
  Scene scene = sphere_in_box({1e-3, 1e-3, 1e-3});
  scene.groups.resize(2);
  scene.groups[1].name = "nobody";
  scene.particles.group = {0};
  const auto engine = start(scene);
  engine->advance(1);
  auto seen = read_probe({BoxProbe{six}, {}, {"nobody"}}, *engine, scene);
  EXPECT_GT(seen["volume[m3]"], 0);
  EXPECT_EQ(seen["solid_fraction"], 0);
  EXPECT_TRUE(std::isnan(seen["void_ratio"])) << seen["void_ratio"];
}

TEST(BoxProbe, WallsThatMeetLeaveNoRoom) {
  Scene scene = hertz_scene(stuff, {0, 0}, 0.25);
  scene.verlet_distance = 0.01;  // that of tests follows from the particles, and there are none
  add_wall(scene, 2, false, -1, {{Translation{{0, 0, 1}}}});
  add_wall(scene, 2, true, 1, {{Translation{{0, 0, -1}}}});
  const auto engine = start(scene);
  for (const double length : {0.0, -0.5}) {  // at 1 s, and a step later
    engine->advance(length == 0 ? 4 : 1);
    auto seen = read_probe({BoxProbe{{"z0", "z1"}, 0.5}}, *engine, scene);
    EXPECT_EQ(seen["length_z[m]"], length);
    for (const char* name : {"strain_z", "solid_fraction", "void_ratio"}) {
      EXPECT_TRUE(std::isnan(seen[name])) << name << " is " << seen[name];
    }
  }
}

TEST(BoxProbe, WhatIsNoBoxIsSaid) {
  Scene scene = sphere_in_box({1e-3, 1e-3, 1e-3});
  add_plane(scene, {0, 0, -1}, {1, 0, 1});
  scene.boundaries.back().name = "slope";
  const auto problem = [&](const BoxProbe& keys) {
    try {
      const Probes probes(series_with({keys}), scene, {});
    } catch (const CaseError& error) { return error.problems().front().path + ": " + error.problems().front().message; }
    return std::string("none");
  };
  const std::string at = "output.series.probes.p.";
  EXPECT_EQ(problem({{"x0", "x1"}}),
            at + "walls: has no walls across y; name six planes, or two and the \"area\" of the sample between them");
  EXPECT_EQ(problem({{"x0", "x1", "y0"}}), at + "walls: lacks the plane opposite to \"y0\"");
  EXPECT_EQ(problem({{"x0", "slope"}}), at + "walls.1: \"slope\" must have its normal along x, y or z");
  EXPECT_EQ(problem({{"x0", "x2"}}).substr(0, 40), (at + "walls.1: unknown boundary").substr(0, 40));
  EXPECT_EQ(problem({six, 1.0}),
            at + "area: belongs to two walls; the section between more walls follows from their places");
}

}  // namespace scree::physics::box_probe_test
