#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "kernels/shapes/closest.hpp"
#include "scenes.hpp"

// Facets that continue each other must act as one surface, also where it is concave: forces have a potential and do not
// jump.
namespace scree::physics {
namespace {

constexpr double radius = 0.01, shell = 0.1;

/// A hollow cylinder about y of flat strips, turned by an angle. Every other rectangle is cut along the other diagonal.
TriangleMesh strips(std::uint32_t count, double turned = 0, double half_length = 0.5, std::uint32_t cuts = 1) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= cuts; ++j) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const double angle = turned + 2 * pi * k / count;
      mesh.vertices.push_back({shell * std::cos(angle), half_length * (2.0 * j / cuts - 1), shell * std::sin(angle)});
    }
  }
  for (std::uint32_t j = 0; j < cuts; ++j) {
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t a = j * count + k, b = j * count + (k + 1) % count, c = a + count, d = b + count;
      if ((j + k) % 2 == 0) {
        mesh.triangles.push_back({a, c, b}), mesh.triangles.push_back({b, c, d});
      } else {
        mesh.triangles.push_back({a, c, d}), mesh.triangles.push_back({a, d, b});
      }
    }
  }
  return mesh;
}

/// A hollow cylinder with random cuts: strips of random width, each a row of triangles with corners at random places.
TriangleMesh irregular_strips(std::uint32_t count, std::uint64_t seed) {
  Numbers numbers(seed);
  TriangleMesh mesh;
  constexpr std::uint32_t rows = 40;
  std::vector<double> angles;
  for (std::uint32_t k = 0; k < count; ++k) { angles.push_back(2 * pi * (k + numbers.between(-0.35, 0.35)) / count); }
  for (const double angle : angles) {
    for (std::uint32_t j = 0; j <= rows; ++j) {
      const double y = 0.2 * ((j + (j == 0 || j == rows ? 0 : numbers.between(-0.4, 0.4))) / rows - 0.5);
      mesh.vertices.push_back({shell * std::cos(angle), y, shell * std::sin(angle)});
    }
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    for (std::uint32_t j = 0; j < rows; ++j) {
      const std::uint32_t a = k * (rows + 1) + j, b = (k + 1) % count * (rows + 1) + j;
      if (numbers.next() < 0.5) {
        mesh.triangles.push_back({a, a + 1, b}), mesh.triangles.push_back({b, a + 1, b + 1});
      } else {
        mesh.triangles.push_back({a, a + 1, b + 1}), mesh.triangles.push_back({a, b + 1, b});
      }
    }
  }
  return mesh;
}

/// A sphere of 20 * 4^levels facets with the given radius.
TriangleMesh icosphere(double size, int levels) {
  const double t = (1 + std::sqrt(5.0)) / 2;
  TriangleMesh mesh{{{-1, t, 0},
                     {1, t, 0},
                     {-1, -t, 0},
                     {1, -t, 0},
                     {0, -1, t},
                     {0, 1, t},
                     {0, -1, -t},
                     {0, 1, -t},
                     {t, 0, -1},
                     {t, 0, 1},
                     {-t, 0, -1},
                     {-t, 0, 1}},
                    {{{0, 11, 5}},  {{0, 5, 1}},  {{0, 1, 7}},  {{0, 7, 10}}, {{0, 10, 11}}, {{1, 5, 9}}, {{5, 11, 4}},
                     {{11, 10, 2}}, {{10, 7, 6}}, {{7, 1, 8}},  {{3, 9, 4}},  {{3, 4, 2}},   {{3, 2, 6}}, {{3, 6, 8}},
                     {{3, 8, 9}},   {{4, 9, 5}},  {{2, 4, 11}}, {{6, 2, 10}}, {{8, 6, 7}},   {{9, 8, 1}}}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t p, std::uint32_t q) {
      const auto [place, fresh] =
          middles.try_emplace({std::min(p, q), std::max(p, q)}, static_cast<std::uint32_t>(mesh.vertices.size()));
      if (fresh) { mesh.vertices.push_back(0.5 * (mesh.vertices[p] + mesh.vertices[q])); }
      return place->second;
    };
    std::vector<std::array<std::uint32_t, 3>> finer;
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
    for (Real3& v : mesh.vertices) { v = (1 / norm(v)) * v; }
  }
  for (Real3& v : mesh.vertices) { v = (size / norm(v)) * v; }
  return mesh;
}

Scene bead_scene(LawKind law, double young, double time_step) {
  const Substance soft{young, 0.3, 2600};
  MaterialPair contact{0, 0};
  Scene scene =
      law == LawKind::cundall_strack ? linear_scene(soft, 0, time_step) : hertz_scene(soft, contact, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  scene.energies = true;
  return scene;
}

const double mass = sphere_mass(radius, 2600);

/// A bead slides without friction for 2 s, from rest, 0.4 rad off the lowest place. Returns the largest error of the
/// energy balance over m g h.
double energy_made(Scene scene, const std::vector<TriangleMesh>& meshes, const Real3& start_at, double drop) {
  for (const TriangleMesh& mesh : meshes) { add_mesh(scene, mesh); }
  add_sphere(scene, start_at, radius);
  const auto engine = start(scene);
  const auto steps = static_cast<int>(2 / scene.time_step);
  double worst = 0, low = 1;
  for (int k = 0; k < steps; k += 100) {
    engine->advance(100);
    const EnergyLedger e = engine->energies();
    // Kinetic and elastic energy are functions of the state, and the work of gravity follows from the height, so the
    // error of the ledger is energy from nowhere.
    worst = std::max(worst, std::abs(e.error));
    low = std::min(low, read(*engine).position[2]);
  }
  EXPECT_LT(low, start_at[2] - 0.8 * drop);
  return worst / (mass * standard_gravity * drop);
}

Real3 in_cylinder(double gap = 0.9993) {
  const double orbit = (shell - radius) * gap;
  return {orbit * std::sin(0.4), 0.001, -orbit * std::cos(0.4)};
}
const double drop_in_cylinder = (shell - radius) * (1 - std::cos(0.4));

// The acceptance case: 0.1 % of m g h. Two separate contacts, as in earlier versions, give 8.6 % (E = 1e5) and 1 % (E =
// 1e7).
TEST(Seams, ABeadInAFacettedCylinderKeepsItsEnergy) {
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    for (const double young : {1e5, 1e7}) {
      for (const std::uint32_t count : {36U, 144U, 360U}) {
        if (count != 144 && (law == LawKind::hertz_mindlin || young > 1e6)) { continue; }  // one combination is enough
        const double made = energy_made(bead_scene(law, young, young > 1e6 ? 1e-5 : 4e-5), {strips(count, 0.01)},
                                        in_cylinder(), drop_in_cylinder);
        EXPECT_LT(made, 1e-3) << "law " << int(law) << ", E " << young << ", " << count << " facets";
      }
    }
  }
}

TEST(Seams, OtherCutsOfTheCylinder) {
  const double young = 1e5;
  EXPECT_LT(energy_made(bead_scene(LawKind::cundall_strack, young, 4e-5), {strips(144, 0.3, 0.1, 23)}, in_cylinder(),
                        drop_in_cylinder),
            1e-3);
  EXPECT_LT(energy_made(bead_scene(LawKind::cundall_strack, young, 4e-5), {irregular_strips(100, 4)}, in_cylinder(),
                        drop_in_cylinder),
            1e-3);
  EXPECT_LT(energy_made(bead_scene(LawKind::hertz_mindlin, young, 4e-5), {irregular_strips(60, 9)}, in_cylinder(),
                        drop_in_cylinder),
            1e-3);
  TriangleMesh turned = strips(144, 0, 0.2, 30);
  for (Real3& v : turned.vertices) { v = rotated(v, {0, 0, 1}, 0.05); }
  EXPECT_LT(energy_made(bead_scene(LawKind::cundall_strack, young, 4e-5), {turned}, in_cylinder(), drop_in_cylinder),
            1e-3);
}

TEST(Seams, ABeadInABowlKeepsItsEnergy) {
  for (const double young : {1e5, 1e7}) {
    TriangleMesh bowl = icosphere(shell, 4);
    for (Real3& v : bowl.vertices) { v = rotated(v, {1, 2, 3}, 0.7); }
    const double made = energy_made(bead_scene(LawKind::cundall_strack, young, young > 1e6 ? 1e-5 : 4e-5), {bowl},
                                    in_cylinder(0.998), drop_in_cylinder);
    EXPECT_LT(made, 1e-3) << young;
  }
}

/// The force on a sphere at a place, and the number of its contacts, without gravity.
struct Felt {
  Real3 force;
  std::uint32_t contacts;
};
Felt felt(Scene scene, const Real3& place) {
  add_sphere(scene, place, radius);
  const auto engine = start(scene);
  engine->advance(1);
  return {read(*engine).force, coordination(*engine).at(0)};
}

constexpr double young = 1e5, linear_stiffness = young * radius;

Scene surface(const std::vector<TriangleMesh>& meshes, LawKind law = LawKind::cundall_strack) {
  Scene scene = law == LawKind::cundall_strack ? linear_scene({young, 0.3, 2600}, 0, 1e-9)
                                               : hertz_scene({young, 0.3, 2600}, {0, 0}, 1e-9);
  for (const TriangleMesh& mesh : meshes) { add_mesh(scene, mesh); }
  return scene;
}

/// Two rectangles that share an edge along y; the second one rises by an angle.
TriangleMesh valley(double angle) {
  TriangleMesh mesh{{{-0.05, -0.1, 0}, {-0.05, 0.1, 0}, {0, -0.1, 0}, {0, 0.1, 0}},
                    {{{0, 2, 1}}, {{1, 2, 3}}, {{2, 4, 3}}, {{3, 4, 5}}}};
  mesh.vertices.push_back({0.05 * std::cos(angle), -0.1, 0.05 * std::sin(angle)});
  mesh.vertices.push_back({0.05 * std::cos(angle), 0.1, 0.05 * std::sin(angle)});
  return mesh;
}

/// Centre of a sphere that follows a valley at a height above its surface. The path coordinate s is 0 at the seam;
/// where the centre would have to turn a corner, the path is a straight line.
Real3 above_valley(double angle, double s, double height) {
  const double limit = height * std::sin(0.5 * angle);
  const auto on_the_left = [&](double x) { return Real3{x, 0, height}; };
  const auto on_the_right = [&](double x) {
    return Real3{x * std::cos(angle) - height * std::sin(angle), 0, x * std::sin(angle) + height * std::cos(angle)};
  };
  if (s < -limit || !(limit > 0)) { return on_the_left(s); }
  if (s > limit) { return on_the_right(s); }
  const double share = (s + limit) / (2 * limit);
  return (1 - share) * on_the_left(-limit) + share * on_the_right(limit);
}

// The force along a path over the seam. A step of 1e-4 r changes it by less than 1e-3 where the overlap is soft: at
// least 1 % of the radius for each 2.5 degrees. A step of 1e-6 r does so at any overlap and angle; without the
// treatment of seams, the change would be 50 % and more.
TEST(Seams, TheForceDoesNotJump) {
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    for (const double degrees : {0.5, 2.5, 10.0, 20.0}) {
      for (const double overlap : {1e-3, 1e-2, 0.08}) {
        const double angle = degrees * pi / 180;
        const Scene scene = surface({valley(angle)}, law);
        const double width = 1.2 * radius * std::sin(angle),
                     step = overlap >= 4e-3 * degrees ? 1e-4 * radius : 1e-6 * radius;
        double worst = 0;
        for (int k = 0; k <= 200; ++k) {
          const double s = width * (k / 100.0 - 1);
          const Felt here = felt(scene, above_valley(angle, s, radius * (1 - overlap)));
          const Felt there = felt(scene, above_valley(angle, s + step, radius * (1 - overlap)));
          worst = std::max(worst, norm(there.force - here.force) / norm(here.force));
          EXPECT_EQ(here.contacts, 1U);
        }
        EXPECT_LT(worst, 1e-3) << "law " << int(law) << ", " << degrees << " degrees, overlap " << overlap;
      }
    }
  }
}

// At the place where the second facet begins to count, the force is the same on both sides.
TEST(Seams, TheSecondFacetBeginsAtNothing) {
  for (const double degrees : {0.5, 2.5, 10.0, 20.0}) {
    const double angle = degrees * pi / 180, reach = 0.999 * radius;  // from the seam
    const Scene scene = surface({valley(angle)});
    const auto at = [&](double turn) { return Real3{-reach * std::cos(turn), 0, reach * std::sin(turn)}; };
    for (const double onset : {pi / 2 - angle, pi / 2}) {
      const Felt before = felt(scene, at(onset - 1e-9)), after = felt(scene, at(onset + 1e-9));
      EXPECT_LT(norm(after.force - before.force), 1e-5 * norm(before.force)) << degrees;
    }
  }
}

/// Work over a closed path by the trapezoidal rule, divided by force times length.
double work_around(const Scene& scene, const std::vector<Real3>& path) {
  double work = 0, scale = 0;
  Real3 before = felt(scene, path.back()).force, from = path.back();
  for (const Real3& place : path) {
    const Real3 force = felt(scene, place).force;
    work += 0.5 * dot(before + force, place - from);
    scale += norm(force) * norm(place - from);
    before = force, from = place;
  }
  return std::abs(work) / scale;
}

// Closed paths over the seams, at varying depth: the work of a potential is 0. Tolerance 2e-4, the error of the
// trapezoidal rule.
TEST(Seams, ForcesHaveAPotential) {
  const auto around = [](const Real3& centre, double wide, double deep, int n) {
    std::vector<Real3> path;
    for (int k = 0; k < n; ++k) {
      const double turn = 2 * pi * k / n;
      path.push_back(centre + Real3{wide * std::cos(turn), 0.5 * wide * std::cos(turn + 1), deep * std::sin(turn)});
    }
    return path;
  };
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    for (const double degrees : {2.5, 15.0}) {
      const Scene scene = surface({valley(degrees * pi / 180)}, law);
      EXPECT_LT(work_around(scene, around({0, 0, 0.975 * radius}, 0.3 * radius, 0.015 * radius, 1000)), 2e-4)
          << degrees;
    }
    const Scene bowl = surface({icosphere(0.05, 3)}, law);
    EXPECT_LT(work_around(
                  bowl, around({0.0003, 0.0002, -(0.05 - radius) - 0.04 * radius}, 0.3 * radius, 0.02 * radius, 1000)),
              1e-3);
  }
}

// Shallow overlaps in a valley: neither contact reaches the seam, so the force is exactly the sum for two planes.
TEST(Seams, BothSidesBearWhereTheSeamIsOutOfReach) {
  for (const LawKind law : {LawKind::cundall_strack, LawKind::hertz_mindlin}) {
    const double angle = 15 * pi / 180, overlap = 1e-4 * radius;
    const Scene scene = surface({valley(angle)}, law);
    const double height = (radius - overlap) / std::cos(0.5 * angle);
    const Felt in_valley = felt(scene, {-height * std::sin(0.5 * angle), 0, height * std::cos(0.5 * angle)});
    const Felt on_plane = felt(scene, {-0.02, 0, radius - overlap});
    EXPECT_EQ(in_valley.contacts, 1U);
    EXPECT_NEAR(norm(in_valley.force) / norm(on_plane.force), 2 * std::cos(0.5 * angle), 1e-6);
  }
}

// Refined facets approach the smooth surface: the force in a fine cylinder of facets against the force in the shell.
TEST(Seams, FineFacetsAreFeltAsTheShell) {
  Scene smooth = linear_scene({young, 0.3, 2600}, 0, 1e-9);
  add_cylinder(smooth, {0, -0.5, 0}, {0, 0.5, 0}, shell);
  const Scene facets = surface({strips(1440)});
  Numbers numbers(3);
  for (int k = 0; k < 50; ++k) {
    const double turn = numbers.between(0, 2 * pi), orbit = shell - radius * 0.98;
    const Real3 place{orbit * std::cos(turn), 0.01, orbit * std::sin(turn)};
    EXPECT_LT(norm(felt(facets, place).force - felt(smooth, place).force),
              1e-2 * linear_stiffness * 0.02 * radius);  // strips lie 2e-7 m inside
  }
}

// A sphere that plugs a funnel of facets touches it all around. It rests on the facets and does not fall through.
TEST(Seams, ARingOfFacetsBears) {
  for (const std::uint32_t count : {12U, 200U}) {
    TriangleMesh funnel;
    for (std::uint32_t k = 0; k < count; ++k) {
      const double turn = 2 * pi * k / count;
      funnel.vertices.push_back({0.02 * std::cos(turn), 0.02 * std::sin(turn), 0.02});
    }
    funnel.vertices.push_back({0, 0, 0});
    for (std::uint32_t k = 0; k < count; ++k) { funnel.triangles.push_back({k, (k + 1) % count, count}); }
    const double facet_height = std::cos(pi / count);
    // The distance of the axis from a facet, and the force of one contact along the axis.
    const double slope = std::atan(facet_height), overlap = 0.01 * radius;
    const Felt one = felt(surface({funnel}), {0, 0, (radius - overlap) / std::sin(slope)});
    const double alone = linear_stiffness * overlap * std::sin(slope);
    EXPECT_GE(one.force[2], 0.999 * alone) << count;
    EXPECT_LE(one.force[2], 1.001 * count * alone) << count;
  }
}

// --- two boundaries that continue each other -----------------------------------------------------------------------

TriangleMesh floor_piece(double from, double to, double half_width, std::uint32_t cuts, double tilt = 0) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= cuts; ++j) {
    const double y = half_width * (2.0 * j / cuts - 1);
    mesh.vertices.push_back({from, y, 0}),
        mesh.vertices.push_back({from + (to - from) * std::cos(tilt), y, (to - from) * std::sin(tilt)});
  }
  for (std::uint32_t j = 0; j < cuts; ++j) {
    mesh.triangles.push_back({2 * j, 2 * j + 1, 2 * j + 2}),
        mesh.triangles.push_back({2 * j + 2, 2 * j + 1, 2 * j + 3});
  }
  return mesh;
}

// Two meshes end to end, with common corners and without. The sphere has one contact, with the force of one plane.
TEST(Seams, TwoMeshesThatContinueEachOther) {
  for (const std::uint32_t cuts : {6U, 7U}) {
    const Scene scene = surface({floor_piece(-0.1, 0, 0.1, 6), floor_piece(0, 0.1, 0.1, cuts)});
    for (const double overlap : {1e-3, 1e-2, 0.05}) {
      for (int k = -60; k <= 60; ++k) {
        const Felt here = felt(scene, {k / 60.0 * 0.4 * radius, 0.0003, (1 - overlap) * radius});
        EXPECT_EQ(here.contacts, 1U) << k;
        EXPECT_LT(norm(here.force - Real3{0, 0, linear_stiffness * overlap * radius}),
                  1e-3 * linear_stiffness * overlap * radius)
            << k << ' ' << cuts;
      }
    }
  }
}

// A mesh that continues a plane, level or as a ramp, acts like the valley of one mesh.
TEST(Seams, AMeshThatGoesOnFromAPlane) {
  for (const double degrees : {0.0, 5.0, 20.0}) {
    const double angle = degrees * pi / 180;
    Scene scene = surface({floor_piece(0, 0.1, 0.1, 5, angle)});
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    const Scene whole = surface({valley(angle)});
    for (const double overlap : {1e-3, 1e-2, 0.05}) {
      for (int k = -60; k <= 60; ++k) {
        const Real3 place = above_valley(angle, k / 60.0 * 0.4 * radius, (1 - overlap) * radius);
        const Felt here = felt(scene, place), there = felt(whole, place);
        EXPECT_EQ(here.contacts, 1U);
        EXPECT_LT(norm(here.force - there.force), 1e-6 * norm(there.force)) << degrees << ' ' << overlap << ' ' << k;
      }
    }
  }
}

// Boundaries that move relative to each other are not joined. The force of the one that slides away must remain.
TEST(Seams, WhatMovesApartIsNotJoined) {
  Scene scene = surface({floor_piece(-0.1, 0, 0.1, 6), floor_piece(0, 0.1, 0.1, 6)});
  scene.boundaries[1].motion = {{Translation{{0, 1, 0}}}};
  EXPECT_EQ(felt(scene, {0, 0.0003, 0.95 * radius}).contacts, 2U);
  scene.boundaries[0].motion = scene.boundaries[1].motion;  // both move together again
  EXPECT_EQ(felt(scene, {0, 0.0003, 0.95 * radius}).contacts, 1U);
}

// --- friction ------------------------------------------------------------------------------------------------------

// A sphere rolls down a hollow cylinder of flat strips. Its spin agrees with a smooth shell, and its force does not
// jump at the seams.
TEST(Seams, RollingFeelsNoKick) {
  Scene scene = linear_scene({1e5, 0.3, 2600}, 0.5, 4e-5);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, in_cylinder(1 + 0.004 * radius / (shell - radius)), radius);
  Scene smooth = scene;
  add_mesh(scene, strips(144, 0.01));
  add_cylinder(smooth, {0, -0.5, 0}, {0, 0.5, 0}, shell);
  const auto facets = start(scene), round = start(smooth);
  double kick = 0;
  Reading before = read(*facets);
  for (int k = 0; k < 5000; ++k) {
    facets->advance(1), round->advance(1);
    const Reading now = read(*facets);
    if (k > 0) { kick = std::max(kick, norm(now.force - before.force)); }
    before = now;
    EXPECT_EQ(coordination(*facets).at(0), 1U) << k;
  }
  EXPECT_GT(std::abs(read(*round).spin[1]), 5);
  // With two separate contacts, the spin would be wrong by 6 %, with kicks of twice the weight.
  EXPECT_NEAR(before.spin[1] / read(*round).spin[1], 1, 0.02);
  EXPECT_LT(kick, 0.05 * mass * standard_gravity);
}

// Two facets that meet in a groove are one contact with the weight w. The moment against rolling follows the normal
// force of that contact, w F, as it does on a plane: eta r times the force on the groove. A sphere is held and turned
// along the groove; friction has no lever about its own axis there but along the normal, so both runs differ by the
// moment alone.
TEST(Seams, RollingMomentFollowsTheForceOfTheJoint) {
  const double eta = 0.1, overlap = 1e-6, ball = 3e-3, half = 0.01;
  for (const double angle : {0.0, 0.1, 0.3}) {
    const double slope = std::tan(0.5 * angle);
    TriangleMesh groove{{{-half, -half, slope * half},
                         {0, -half, 0},
                         {half, -half, slope * half},
                         {-half, half, slope * half},
                         {0, half, 0},
                         {half, half, slope * half}},
                        {{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}}};
    Real3 torque[2]{}, force[2]{};
    for (const int rolls : {0, 1}) {
      MaterialPair pair{0.5, 0};
      if (rolls != 0) { pair.rolling = {.stiffness = 0.5, .friction = eta}; }
      Scene scene = hertz_scene({1e7, 0.25, 2500}, pair, 1e-6);
      scene.groups.resize(1);
      scene.groups[0].fixed = fixed_translation | fixed_rotation;
      add_sphere(scene, {0, 0, (ball - overlap) / std::cos(0.5 * angle)}, ball, {}, {500, 0, 0});
      add_mesh(scene, groove);
      const auto engine = start(scene);
      engine->advance(20);
      const BoundaryLoad load = engine->boundary_loads()[0];
      torque[rolls] = load.torque, force[rolls] = load.force;
    }
    EXPECT_NEAR(std::abs(torque[1][0] - torque[0][0]), eta * ball * std::abs(force[1][2]),
                1e-3 * eta * ball * std::abs(force[1][2]))
        << angle;
  }
}

}  // namespace
}  // namespace scree::physics
