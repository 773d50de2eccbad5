#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "scenes.hpp"

// The porosity that grains at walls see. Behind walls there is neither fluid nor solid.
namespace scree::physics::fluid_walls_test {

constexpr double radius = 1e-3, pitch = 2.1 * radius, speed = 1e-3;
const double solid_fraction = 4.0 / 3 * pi * std::pow(radius / pitch, 3);

/// A scene with so viscous a fluid that the drag is that of Stokes times porosity^-3.7, to rounding.
Scene creeping(double width) {
  Scene scene = linear_scene({1e5, 0.3, 2650}, 0, 1e-7);
  scene.groups.emplace_back();
  SceneFluid& fluid = scene.fluid.emplace();
  fluid.density = 1, fluid.viscosity = 1e3, fluid.drag = DragLaw::stokes;
  fluid.flow = {{0, speed, 0, 0}};
  fluid.hindrance = Hindrance::di_felice, fluid.hindrance_width = width;
  return scene;
}

/// The exponents x of 1 - exp(-x) with which the spheres take the velocity of the fluid in the first step.
std::vector<double> approaches(const Scene& scene) {
  const auto engine = start(scene);
  engine->advance(1);
  std::vector<double> result;
  for (const Real3& v : engine->snapshot({false, false}).velocity) { result.push_back(-std::log1p(-v[0] / speed)); }
  return result;
}

/// [n_spheres] The solid fraction that each sphere sees, from its drag.
std::vector<double> fractions_seen(Scene scene) {
  std::vector<double> among_others = approaches(scene);
  scene.fluid->hindrance = Hindrance::none;
  const std::vector<double> alone = approaches(scene);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    among_others[i] = 1 - std::pow(alone[i] / among_others[i], 1 / 3.7);
  }
  return among_others;
}

/// Fills a lattice of spheres into a box that begins `first` distances of spheres from the origin.
void fill(Scene& scene, const std::array<int, 3>& first, const std::array<int, 3>& counts) {
  for (int k = 0; k < counts[0] * counts[1] * counts[2]; ++k) {
    const std::array<int, 3> at{k % counts[0], k / counts[0] % counts[1], k / counts[0] / counts[1]};
    Real3 place{};
    for (std::size_t axis = 0; axis < 3; ++axis) { place[axis] = (first[axis] + at[axis] + 0.5) * pitch; }
    add_sphere(scene, place, radius);
  }
}

void add_box(Scene& scene, const std::array<int, 3>& first, const std::array<int, 3>& counts) {
  BoxBoundary box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.min[axis] = first[axis] * pitch, box.max[axis] = (first[axis] + counts[axis]) * pitch;
  }
  SceneBoundary boundary;
  boundary.material = 1;
  boundary.shape = box;
  scene.boundaries.push_back(std::move(boundary));
}

// In a box full of grains every grain sees the solid fraction of the lattice of grains, at faces, edges and corners as
// inside, also between two walls that are nearer to each other than the width. The points of the fractions are four
// distances of grains apart, and walls are whole distances from them: then the sum over the grains is the integral that
// the model divides by. To 1e-9: the fractions have 40 bits. Without the walls the grains in corners would see an
// eighth.
TEST(FluidWalls, ABoxFullOfGrains) {
  for (const std::array<int, 3> first : {std::array{0, 0, 0}, {1, 2, 3}, {-5, 3, -30}}) {
    for (const std::array<int, 3> counts : {std::array{12, 11, 10}, {9, 3, 2}, {1, 1, 1}}) {
      Scene scene = creeping(4 * pitch);
      fill(scene, first, counts);
      const std::vector<double> open = fractions_seen(scene);
      add_box(scene, first, counts);
      const std::vector<double> seen = fractions_seen(scene);
      for (std::size_t i = 0; i < seen.size(); ++i) { ASSERT_NEAR(seen[i], solid_fraction, 1e-9) << i; }
      EXPECT_LT(open[0], 0.4 * solid_fraction);
    }
  }
}

// A bed on a floor, under a lid, in a cell that repeats along one or both of the other axes and is many widths wide.
// Every grain sees the solid fraction of the lattice of grains to 1e-9, as in a box. A search for neighbours has no
// bounds along axes that repeat: taken from there, the table of the sums would be too small.
TEST(FluidWalls, AWideCell) {
  for (const bool repeats_along_y : {true, false}) {
    constexpr int wide = 80, high = 8;
    Scene scene = creeping(4 * pitch);
    fill(scene, {0, 0, 0}, {wide, wide, high});
    PeriodicCell cell;
    cell.edges = {{{wide * pitch, 0, 0}, {0, wide * pitch, 0}, {0, 0, 2 * high * pitch}}};
    cell.periodic = {true, repeats_along_y, false};
    scene.cell = cell;
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    add_plane(scene, {0, 0, high * pitch}, {0, 0, -1});
    if (!repeats_along_y) {
      add_plane(scene, {0, 0, 0}, {0, 1, 0});
      add_plane(scene, {0, wide * pitch, 0}, {0, -1, 0});
    }
    for (const double fraction : fractions_seen(scene)) { ASSERT_NEAR(fraction / solid_fraction, 1, 1e-9); }
  }
}

// A floor that slopes by 30 degrees under a bed whose layers are parallel to it. The walls of the model are sums over
// lines here, and the sums over grains are no longer integrals: grains near the floor see the fraction of the lattice
// to 3 %, as grains inside do. Without the floor those of the lowest layer would see half.
TEST(FluidWalls, ASlopingFloor) {
  const Real3 axis{0, 1, 0};
  const double angle = pi / 6;
  Scene scene = creeping(4 * pitch);
  std::vector<std::size_t> inside;
  for (int k = 0; k < 28 * 28 * 14; ++k) {
    const int x = k % 28, y = k / 28 % 28, z = k / 28 / 28;
    add_sphere(scene, rotated({(x - 13.5) * pitch, (y - 13.5) * pitch, (z + 0.5) * pitch}, axis, angle), radius);
    if (std::abs(x - 13.5) < 3 && std::abs(y - 13.5) < 3 && z < 4) { inside.push_back(static_cast<std::size_t>(k)); }
  }
  const std::vector<double> open = fractions_seen(scene);
  add_plane(scene, {0, 0, 0}, rotated({0, 0, 1}, axis, angle));
  const std::vector<double> seen = fractions_seen(scene);
  for (const std::size_t i : inside) { EXPECT_NEAR(seen[i] / solid_fraction, 1, 0.03) << i / 28 / 28; }
  EXPECT_LT(open[inside[0]], 0.7 * solid_fraction);
}

// A wall that moves counts where it is: the force is that of a wall that rests there. To 1e-9: the wall that moves has
// the rounding of its path.
TEST(FluidWalls, AWallThatMoves) {
  const auto force = [](double height, double rise) {
    Scene scene = creeping(4 * pitch);
    scene.groups[0].fixed = fixed_translation | fixed_rotation;
    fill(scene, {0, 0, 0}, {6, 6, 6});
    std::vector<Motion> motion;
    if (rise > 0) { motion.push_back({Translation{{0, 0, rise}}}); }
    add_plane(scene, {0, 0, height}, {0, 0, 1}, motion);
    const auto engine = start(scene);
    engine->advance(20);
    return engine->fluid_force()[0];
  };
  const double step = 1e-7, rise = 0.2 * pitch / (20 * step);
  const double there = force(-0.1 * pitch, 0);
  EXPECT_NEAR(force(-0.3 * pitch, rise) / there, 1, 1e-9);
  EXPECT_GT(std::fabs(force(-0.3 * pitch, 0) / there - 1), 1e-3);
}

}  // namespace scree::physics::fluid_walls_test
