#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "given_mode_files.hpp"
#include "host/clumps/orientation.hpp"
#include "host/geometry/real3.hpp"
#include "host/grains/modes.hpp"
#include "scratch_folder.hpp"
#include "solid_meshes.hpp"

// Modes that a file gives, against closed forms of mass and stiffness.
namespace scree::modes::modes_given_test {

const std::vector<Formula> homogeneous = {strain(0, 0), strain(1, 1), strain(2, 2),
                                          strain(0, 1), strain(1, 2), strain(2, 0)};

// A sphere of radius 10, density 1, Young's modulus 1e4, Poisson's ratio 0.3: modes u = (x, 0, 0), ..., (y, x, 0), ...
constexpr double ball_radius = 10, ball_modulus = 1e4;
constexpr double mass_normal = 83775.80409572781, mass_shear = 167551.60819145563;
constexpr double stiffness_normal = 56387560.449047565, stiffness_between = 24166097.335306097,
                 stiffness_shear = 64442926.22748294;

/// Against these, where modes are scaled to a largest displacement of 1 at a node.
void expect_homogeneous(const GrainModes& modes, double mass_tolerance, double stiffness_tolerance) {
  ASSERT_EQ(modes.count, 6U);
  const double unit = ball_radius * ball_radius;
  for (std::size_t a = 0; a < 6; ++a) {
    const double mass = modes.mass[7 * a] * unit, stiffness = modes.stiffness[7 * a] * unit * ball_modulus;
    EXPECT_NEAR(mass / (a < 3 ? mass_normal : mass_shear), 1, mass_tolerance) << a;
    EXPECT_NEAR(stiffness / (a < 3 ? stiffness_normal : stiffness_shear), 1, stiffness_tolerance) << a;
  }
  EXPECT_NEAR(modes.stiffness[1] * unit * ball_modulus / stiffness_between, 1, stiffness_tolerance);
  EXPECT_NEAR(modes.mass[1] / modes.mass[0], 0, 1e-3);
}

// Linear displacements are exact in tetrahedra. What is left is that the mesh misses 0.5 % of the volume at the
// surface: the weights are scaled to the volume, but the mass of what lies far out stays too low.
TEST(ModesGiven, HomogeneousStrainsOnTetrahedraOfASphereHaveTheirClosedForms) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(ball_radius), 1);
  write_mesh(folder / "a.h5", test::ball_of_tetrahedra(ball_radius, 16), homogeneous);
  const GrainModes modes = modes_from(shape, folder / "a.h5");
  expect_homogeneous(modes, 4e-3, 1e-3);
  // Displacements at nodes are those of the nearest point of the mesh, which is up to 0.1 spacings inside.
  for (std::size_t k = 0; k < shape.node.size(); k += 31) {
    EXPECT_NEAR(modes.at_node[k][0], shape.node[k][0] / ball_radius, 0.02);
    EXPECT_NEAR(modes.at_node[k][1], 0, 0.002);
  }
}

TEST(ModesGiven, HomogeneousStrainsOnAGridHaveTheirClosedForms) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(ball_radius), 1);
  write_grid(folder / "a.h5", {12, 12, 12}, 1.7, homogeneous);
  GrainShape soft = shape;
  soft.modes = modes_from(shape, folder / "a.h5");
  expect_homogeneous(soft.modes, 2e-3, 2e-3);
  // As a case takes them: five without change of volume, K / M = 10 mu / R^2, and breathing.
  EXPECT_EQ(grains::fault_of(soft), std::nullopt);
  EXPECT_TRUE(grains::make_orthogonal(soft));
  const double mu = 0.5 / 1.3, unit = ball_radius * ball_radius;
  for (std::size_t a = 0; a < 5; ++a) {
    EXPECT_NEAR(soft.modes.stiffness[7 * a] / soft.modes.mass[7 * a] * unit / (10 * mu), 1, 3e-3);
  }
  EXPECT_NEAR(soft.modes.stiffness[35] / soft.modes.mass[35] * unit / 12.5, 1, 3e-3);
}

// The mesh reaches just over the nodes, so that the field continues beyond it: constant along the normal.
TEST(ModesGiven, ContinueBeyondTheMeshWithTheValueOfTheNearestPoint) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({6, 4, 3}), 0.5);
  write_mesh(folder / "a.h5", test::box_of_hexahedra({6, 4, 3}, {6, 4, 3}), {strain(0, 0), strain(1, 1)});
  const GrainModes modes = modes_from(shape, folder / "a.h5");
  // Axes of the body: the longest first, as in the source, up to signs.
  std::size_t far = 0;
  grains::for_each_point(grains::grid_of(shape), 0, [&](std::size_t at, std::size_t i, std::size_t j, std::size_t k) {
    const Real3 x = grains::grid_of(shape).place(i, j, k);
    far += std::fabs(x[0]) > 6.9 ? 1 : 0;
    EXPECT_NEAR(modes.field[at][0], std::clamp(x[0], -6.0, 6.0) / 6, 1e-5);
    EXPECT_NEAR(modes.field[shape.points() + at][1], std::clamp(x[1], -4.0, 4.0) / 4, 1e-5);
  });
  EXPECT_GT(far, 0U);
}

// A beam 160 x 4 x 4: w = cos(pi x / L), u = (pi z / L) sin(pi x / L). Mass A L / 2 (1 + (pi t / L)^2 / 12) less that
// of its motion as a whole; stiffness (lambda + 2 mu) I pi^4 / (2 L^3), as nothing gives way across. The strain of
// a cell is that of chords of the wave, and a little shear is left in its middle: both errors of the stiffness are of
// second order in pi / L times the length of a cell. Those of the mass are of fourth order.
TEST(ModesGiven, BendingOnHexahedraHasTheMassAndStiffnessOfABeam) {
  const double length = 160, t = 4, rate = std::numbers::pi / length, nu = 0.3;
  const Formula bending = [=](const Real3& x) {
    return Real3{x[2] * rate * std::sin(rate * x[0]), 0, std::cos(rate * x[0])};
  };
  const double mass =
      t * t * length / 2 * (1 + std::pow(rate * t, 2) / 12) - t * t * length * 4 / std::pow(std::numbers::pi, 2);
  const double modulus = (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  const double stiffness = modulus * std::pow(t, 4) / 12 * std::pow(std::numbers::pi, 4) / (2 * std::pow(length, 3));
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({80, 2, 2}), 1);
  // The largest displacement is that of the edges at the ends, after the mean, 2 / pi, is taken out.
  const double most = std::hypot(2 / std::numbers::pi, rate * t / 2);
  for (const std::uint32_t cells : {40U, 80U}) {
    write_mesh(folder / "a.h5", test::box_of_hexahedra({80, 2, 2}, {cells, 4, 4}), {bending});
    const GrainModes modes = modes_from(shape, folder / "a.h5", nu);
    const double cell = length / static_cast<double>(cells), error = std::pow(rate * cell, 2);
    EXPECT_NEAR(modes.mass[0] * most * most / mass, 1, 1e-4);
    EXPECT_NEAR(modes.stiffness[0] * most * most / stiffness, 1, 0.2 * error);
  }
}

// Cells of any shape: linear displacements have their strains exactly, and so has a bar that is twisted, whose cells
// are bricks. Bar of the half edges a, b, c: u = (0, -x z, x y), K = mu V (b^2 + c^2) / 3.
TEST(ModesGiven, StrainsThatHexahedraCanHaveAreExact) {
  const test::ScratchFolder folder;
  const double a = 6, b = 4, c = 3, nu = 0.25, volume = 8 * a * b * c, mu = 0.5 / (1 + nu);
  const GrainShape shape = made(*grains::make_box({a, b, c}), 0.5);
  auto mesh = test::box_of_hexahedra({a, b, c}, {6, 4, 4});
  write_mesh(folder / "twist.h5", mesh, {[](const Real3& x) { return Real3{0, -x[0] * x[2], x[0] * x[1]}; }});
  const double most = a * std::sqrt(b * b + c * c);
  EXPECT_NEAR(
      modes_from(shape, folder / "twist.h5", nu).stiffness[0] * most * most / (mu * volume * (b * b + c * c) / 3), 1,
      1e-9);
  for (Real3& point : mesh.points) {  // moved by up to a third of a cell; those on the surface stay on it
    const double wave = 0.1 * (a * a - point[0] * point[0]) * (b * b - point[1] * point[1]) *
                        (c * c - point[2] * point[2]) / (a * b * c) / 6;
    point = geometry::along(point, wave * std::sin(5 * point[0] + 3 * point[1]), {1, -0.7, 0.5});
  }
  write_mesh(folder / "linear.h5", mesh, {strain(0, 0), strain(0, 1)});
  const GrainModes modes = modes_from(shape, folder / "linear.h5", nu);
  EXPECT_NEAR(modes.stiffness[0] * a * a / ((1 - nu) / ((1 + nu) * (1 - 2 * nu)) * volume), 1, 1e-9);
  EXPECT_NEAR(modes.mass[0] * a * a / (volume * a * a / 3), 1, 1e-9);
}

// The source of the grain is turned and shifted against its body frame. What the modes do must not depend on that.
TEST(ModesGiven, OfATurnedSourceAreThoseOfTheBody) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({6, 4, 3}), 0.5);
  GrainShape turned = shape;
  turned.center = {100, -20, 3};
  turned.to_source = clumps::unit_orientation({0.8, 0.3, -0.4, 0.2});
  const Formula in_body = [](const Real3& x) { return Real3{0.1 * x[0], 0.02 * x[2] * x[0], 0.05 * x[1]}; };
  const auto& q = turned.to_source;
  const Formula in_source = [&](const Real3& x) {
    const Real3 own = clumps::turned({q[0], -q[1], -q[2], -q[3]}, geometry::subtract(x, turned.center));
    return clumps::turned(q, in_body(own));
  };
  geometry::VolumeMesh mesh = test::box_of_hexahedra({6, 4, 3}, {12, 8, 6});
  write_mesh(folder / "a.h5", mesh, {in_body});
  const GrainModes expected = modes_from(shape, folder / "a.h5");
  EXPECT_EQ(modes_from(turned, folder / "a.h5", 0.3, 1, true).field, expected.field);
  for (Real3& point : mesh.points) point = geometry::add(turned.center, clumps::turned(q, point));
  write_mesh(folder / "b.h5", mesh, {in_source});
  const GrainModes modes = modes_from(turned, folder / "b.h5");
  EXPECT_NEAR(modes.mass[0] / expected.mass[0], 1, 1e-9);
  EXPECT_NEAR(modes.stiffness[0] / expected.stiffness[0], 1, 1e-9);
  for (std::size_t k = 0; k < expected.at_node.size(); k += 7) {
    EXPECT_NEAR(geometry::length(geometry::subtract(modes.at_node[k], expected.at_node[k])), 0, 1e-9);
  }
}

TEST(ModesGiven, InOtherLengthsAndWithMatricesOfTheFile) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_sphere(ball_radius), 1);
  const std::vector<Formula> two = {strain(0, 0), strain(1, 1)};
  write_grid(folder / "a.h5", {12, 12, 12}, 2, two);
  const GrainModes own = modes_from(shape, folder / "a.h5");
  // In millimetres, a grain of a thousandth of the size, with a mass and stiffness of the file.
  GrainShape small = made(*grains::make_sphere(1e-3 * ball_radius), 1e-3);
  write_grid(folder / "b.h5", {12, 12, 12}, 2, two,
             {{"mass", {3e4, 1e2, 1e2, 4e4}}, {"stiffness", {5e3, 1e3, 1e3, 7e3}}});
  const GrainModes modes = modes_from(small, folder / "b.h5", 0.3, 1e-3);
  for (std::size_t k = 0; k < own.at_node.size(); k += 17) {
    EXPECT_NEAR(modes.at_node[k][0], own.at_node[k][0], 1e-6);
  }
  const double unit = ball_radius * ball_radius;
  EXPECT_NEAR(modes.mass[0] * unit / 3e4 * 1e9, 1, 3e-3);
  EXPECT_NEAR(modes.mass[1] * unit / 1e2 * 1e9, 1, 3e-3);
  EXPECT_NEAR(modes.stiffness[0] * unit / 5e3 * 1e3, 1, 3e-3);
  EXPECT_NEAR(modes.stiffness[3] * unit / 7e3 * 1e3, 1, 3e-3);
}

// Modes with much rigid motion beside little strain: what is left are the modes without.
TEST(ModesGiven, LoseTheirRigidMotion) {
  const test::ScratchFolder folder;
  const GrainShape shape = made(*grains::make_box({6, 4, 3}), 0.5);
  const Formula moved = [](const Real3& x) {
    const Real3 motion = geometry::add({50, -30, 20}, geometry::cross({7, 5, -9}, x));
    return geometry::add(motion, strain(0, 1)(x));
  };
  const auto mesh = test::box_of_hexahedra({6, 4, 3}, {6, 4, 3});
  write_mesh(folder / "a.h5", mesh, {strain(0, 1)});
  write_mesh(folder / "b.h5", mesh, {moved});
  const GrainModes expected = modes_from(shape, folder / "a.h5"), modes = modes_from(shape, folder / "b.h5");
  EXPECT_NEAR(modes.mass[0] / expected.mass[0], 1, 1e-9);
  for (std::size_t k = 0; k < expected.field.size(); k += 7) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(modes.field[k][c], expected.field[k][c], 1e-6);
  }
}

}  // namespace scree::modes::modes_given_test
