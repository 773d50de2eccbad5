#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rotation_reference.hpp"
#include "scenes.hpp"

// Meshes that move as rigid bodies with six degrees of freedom.
namespace scree::physics::free_bodies_test {

using rotation::FreeTop;
using rotation::Matrix;
using rotation::Vector;

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};
constexpr double time_step = 2e-5;
const double stiffness = stiff.young * radius;  // [N/m] of a contact with a wall
const double ball = sphere_mass(radius, stiff.density);

/// A closed box about a centre, facing outwards.
TriangleMesh box_about(const Real3& centre, const Real3& half) {
  TriangleMesh mesh;
  for (unsigned corner = 0; corner < 8; ++corner) {
    mesh.vertices.push_back({centre[0] + ((corner & 1U) != 0 ? 1 : -1) * half[0],
                             centre[1] + ((corner & 2U) != 0 ? 1 : -1) * half[1],
                             centre[2] + ((corner & 4U) != 0 ? 1 : -1) * half[2]});
  }
  const std::vector<std::array<std::uint32_t, 4>> sides = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& [a, b, c, d] : sides) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  }
  return mesh;
}

FreeBody body_of(double mass, const Real3& inertia, const Real3& center) {
  FreeBody body;
  body.mass = mass;
  body.inertia = inertia;
  body.center = center;
  return body;
}
Drive drive_of(const FreeBody& body) {
  Drive drive;
  drive.body = body;
  return drive;
}
Matrix rotation_of(const BoundaryLoad& load) {
  return {Vector{load.rotation[0]}, Vector{load.rotation[1]}, Vector{load.rotation[2]}};
}

// Without contacts, leapfrog with a first kick of half a step gives v t + a t^2 / 2 exactly, and a body that turns
// about a principal axis the angle w t. Tolerance 1e-11: the rounding of 4000 steps.
TEST(FreeBodyMotion, FallAndSpinFreely) {
  Scene scene = linear_scene(stiff, 0, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  add_sphere(scene, {5, 5, 5}, radius);
  const Real3 center{0.1, 0.2, 0.3};
  add_mesh(scene, box_about(center, {0.03, 0.04, 0.05}));
  FreeBody body = body_of(2, {0.01, 0.02, 0.025}, center);
  body.velocity = {0.4, -0.2, 1};
  body.angular_velocity = {0, 0, 7};
  body.force = {3, 0, 0};
  scene.boundaries[0].drive = drive_of(body);
  scene.boundaries[0].drive->from = 0.02;
  const auto engine = start(scene);
  engine->advance(1000);
  EXPECT_EQ(engine->boundary_loads().at(0).shift, (Real3{}));
  EXPECT_LT(norm(engine->boundary_vertices(0).at(7) - Real3{0.13, 0.24, 0.35}), 1e-15);
  engine->advance(4000);
  const double t = 0.08, angle = 7 * t;
  const BoundaryLoad load = engine->boundary_loads().at(0);
  const Real3 shift = t * body.velocity + 0.5 * t * t * Real3{1.5, 0, -standard_gravity};
  EXPECT_LT(norm(load.shift - shift), 1e-11);
  EXPECT_LT(norm(load.spin - Real3{0, 0, 7}), 1e-11);
  const Real3 corner{0.03 * std::cos(angle) - 0.04 * std::sin(angle), 0.03 * std::sin(angle) + 0.04 * std::cos(angle),
                     0.05};
  EXPECT_LT(norm(engine->boundary_vertices(0).at(7) - (center + shift + corner)), 1e-11);
}

// Free rotation of an asymmetric body about no principal axis, against Jacobi's closed form, with principal axes that
// are turned against the world. SPIRAL is of second order: halving the step divides the error by four.
TEST(FreeBodyMotion, AnAsymmetricBodyTurnsAsJacobiSays) {
  const Vector moments = {1, 2, 3.2}, spin0 = {0.3, 1, 0.2};
  const double half = 0.35;
  const QuaternionWxyz axes = {std::cos(half), std::sin(half) * 2 / 3, -std::sin(half) / 3, std::sin(half) * 2 / 3};
  const Matrix to_world = rotation::matrix_of({axes[0], axes[1], axes[2], axes[3]});
  const FreeTop top(moments, spin0);
  const auto in_world = [&](const Vector& v) {
    return Real3{dot(to_world[0], v), dot(to_world[1], v), dot(to_world[2], v)};
  };
  std::vector<double> errors;
  for (const double step : {4e-3, 2e-3}) {
    Scene scene = linear_scene(stiff, 0, step);
    add_sphere(scene, {50, 50, 50}, radius);
    const Real3 center{0.5, -0.3, 0.2};
    add_mesh(scene, box_about(center, {0.3, 0.2, 0.1}));
    FreeBody body = body_of(4, moments, center);
    body.principal_axes = axes;
    body.angular_velocity = in_world(spin0);
    scene.boundaries[0].drive = drive_of(body);
    const auto engine = start(scene);
    engine->advance(static_cast<std::uint64_t>(std::llround(10 / step)));
    const BoundaryLoad load = engine->boundary_loads().at(0);
    // From principal axes at the start to those at the end, in the world: A R A^T.
    const Matrix expected =
        rotation::product(to_world, rotation::product(top.orientation(10), rotation::transposed(to_world)));
    errors.push_back(rotation::difference(rotation_of(load), expected));
    EXPECT_LT(norm(load.shift), 1e-12);
  }
  EXPECT_LT(errors[1], 1e-6);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.4);
}

// A torque about a principal axis with resistance: T/c (1 - exp(-c t / I)); a force with resistance: F/c (1 - exp(-c t
// / m)). Both are of second order in the step: 1e-6 of the final value.
TEST(FreeBodyMotion, ResistanceBoundsTheSpeeds) {
  Scene scene = linear_scene(stiff, 0, time_step);
  add_sphere(scene, {5, 5, 5}, radius);
  add_mesh(scene, box_about({0, 0, 0}, {0.03, 0.04, 0.05}));
  FreeBody body = body_of(0.5, {0.01, 0.02, 0.025}, {0, 0, 0});
  body.force = {0, 2, 0};
  body.torque = {0, 0.3, 0};
  body.damping = 10;
  body.rotation_damping = 0.4;
  scene.boundaries[0].drive = drive_of(body);
  const auto engine = start(scene);
  engine->advance(2500);
  const double middle = (2500 - 0.5) * time_step;
  const BoundaryLoad load = engine->boundary_loads().at(0);
  EXPECT_NEAR(load.velocity[1] / (0.2 * (1 - std::exp(-20 * middle))), 1, 1e-6);
  EXPECT_NEAR(load.spin[1] / (0.75 * (1 - std::exp(-20 * middle))), 1, 1e-6);
}

struct Momenta {
  Real3 linear{}, angular{};  ///< angular: about the origin of the world
};

/// Spheres strike a free body with friction. What particles and body have together, in the middle of a step: the body's
/// part of the angular momentum from the orientation in that middle.
Momenta momenta(Engine& engine, const FreeBody& body, double step) {
  Momenta sum;
  const Snapshot now = engine.snapshot();
  for (std::size_t i = 0; i < now.id.size(); ++i) {
    const double mass = sphere_mass(now.radius[i], stiff.density);
    sum.linear = sum.linear + mass * now.velocity[i];
    sum.angular = sum.angular + mass * cross(now.position[i], now.velocity[i]) +
                  0.4 * mass * now.radius[i] * now.radius[i] * now.angular_velocity[i];
  }
  const BoundaryLoad load = engine.boundary_loads().at(0);
  sum.linear = sum.linear + *body.mass * load.velocity;
  sum.angular = sum.angular + *body.mass * cross(*body.center + load.shift, load.velocity);
  // Back by half a step about the spin, then I w in the axes of the body, which are those of the world at the start.
  const double turn = -0.5 * step * norm(load.spin);
  const Real3 axis = norm(load.spin) > 0 ? (1 / norm(load.spin)) * load.spin : Real3{1, 0, 0};
  std::array<Real3, 3> column{};
  for (std::size_t k = 0; k < 3; ++k) {
    column[k] = rotated({load.rotation[0][k], load.rotation[1][k], load.rotation[2][k]}, axis, turn);
    sum.angular = sum.angular + (*body.inertia)[k] * dot(column[k], load.spin) * column[k];
  }
  return sum;
}

Momenta change_by_impacts(const Real3& moments, double step) {
  Scene scene = linear_scene(stiff, 0.4, step);
  const Real3 center{0.2, -0.1, 0.3};
  add_mesh(scene, box_about(center, {0.03, 0.03, 0.03}));
  for (int k = 0; k < 6; ++k) {
    const double s = k % 2 == 0 ? 1 : -1;
    const std::size_t axis = static_cast<std::size_t>(k) / 2;
    Real3 place = center, velocity{};
    place[axis] += s * (0.03 + 1.3 * radius);
    place[(axis + 1) % 3] += 0.004 * (k + 1);
    place[(axis + 2) % 3] -= 0.006 * k;
    velocity[axis] = -s * (0.4 + 0.1 * k);
    velocity[(axis + 1) % 3] = 0.1 * k;
    add_sphere(scene, place, radius, velocity, {20.0 * k, -30, 10.0 * s});
  }
  FreeBody body = body_of(5 * ball, moments, center);
  body.velocity = {0.05, 0, -0.1};
  body.angular_velocity = {1, 2, -1};
  scene.boundaries[0].drive = drive_of(body);
  const auto engine = start(scene);
  const Momenta before = momenta(*engine, body, 0);
  engine->advance(static_cast<std::uint64_t>(std::llround(0.06 / step)));
  EXPECT_EQ(engine->counts().boundary_contacts, 0U);
  EXPECT_GT(norm(engine->boundary_loads().at(0).spin - body.angular_velocity), 1);
  const Momenta after = momenta(*engine, body, step);
  EXPECT_LT(norm(after.linear - before.linear), 1e-12 * 6 * ball);
  return {after.linear - before.linear, after.angular - before.angular};
}

// Force and reaction act at one point. With three equal moments the spin is that of the momentum, so the sum is
// conserved to rounding: 1e-10 of that of one sphere. With others SPIRAL errs by the second order of the step.
TEST(FreeBodyMotion, ImpactsConserveMomentumAndAngularMomentum) {
  const double unit = ball * 0.5 * 0.3, of_body = 5 * ball * 0.0006;
  EXPECT_LT(norm(change_by_impacts({of_body, of_body, of_body}, time_step).angular), 1e-10 * unit);
  const Real3 other{0.7 * of_body, of_body, 1.5 * of_body};
  const double coarse = norm(change_by_impacts(other, time_step).angular),
               fine = norm(change_by_impacts(other, 0.5 * time_step).angular);
  EXPECT_LT(coarse, 1e-6 * unit);
  EXPECT_LT(fine, 0.5 * coarse);
}

// A box rests on four spheres that stand on a floor. Each bears a quarter of its weight, and the overlaps follow in
// closed form.
TEST(FreeBodyMotion, ABoxRestsOnABed) {
  constexpr double mass = 0.5, time = 0.4;
  Scene scene = linear_scene(stiff, 0.3, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damping = 0.5;
  for (const double x : {-0.02, 0.02}) {
    for (const double y : {-0.02, 0.02}) add_sphere(scene, {x, y, radius}, radius);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  const Real3 center{0, 0, 2 * radius + 0.02};
  add_mesh(scene, box_about(center, {0.04, 0.03, 0.02}));
  scene.boundaries[1].drive = drive_of(body_of(mass, {2e-4, 3e-4, 4e-4}, center));
  const auto engine = start(scene);
  engine->advance(static_cast<std::uint64_t>(time / time_step));
  const BoundaryLoad load = engine->boundary_loads().at(1);
  const double above = mass * standard_gravity / 4, below = above + ball * standard_gravity;
  EXPECT_NEAR(load.force[2] / (4 * above), 1, 1e-8);
  EXPECT_NEAR(load.shift[2], -(above + below) / stiffness, 1e-8 * radius);
  EXPECT_LT(norm(load.spin), 1e-9);
  EXPECT_LT(norm(load.velocity), 1e-9);
  EXPECT_NEAR(load.rotation[2][2], 1, 1e-12);
}

}  // namespace scree::physics::free_bodies_test
