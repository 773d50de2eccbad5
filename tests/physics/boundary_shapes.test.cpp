#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/math/real3.hpp"
#include "kernels/shapes/closest.hpp"
#include "scenes.hpp"

// Box, cone and sphere as boundaries, and the rims of open shells.
namespace scree::physics::boundary_shapes_test {

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};
constexpr double time_step = 2e-5;
const double stiffness = stiff.young * radius;  // [N/m] of a contact with a wall
const double mass = sphere_mass(radius, stiff.density);
const double weight = mass * standard_gravity;

void add_shape(Scene& scene, const BoundaryShape& shape) {
  SceneBoundary boundary;
  boundary.shape = shape;
  boundary.material = 1;
  scene.boundaries.push_back(boundary);
}
void add_cone(Scene& scene, const ConeBoundary& cone) { add_shape(scene, cone); }
void add_shell(Scene& scene, const SphereBoundary& shell) { add_shape(scene, shell); }

// --- closest points ------------------------------------------------------------------------------------------------

/// Distance to a cone by a fine search along ring and generator. It shares no code with the engine.
double searched_distance(const Vec3d& x, const Surface& cone) {
  const Vec3d helper = std::fabs(cone.axis.x) < 0.5 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  const Vec3d u = (1 / norm(cross(cone.axis, helper))) * cross(cone.axis, helper), v = cross(cone.axis, u);
  double t0 = 0.5, a0 = pi, width_t = 0.5, width_a = pi, best = 1e300;
  for (int round = 0; round < 40; ++round) {
    double best_t = t0, best_a = a0;
    for (int i = -20; i <= 20; ++i) {
      for (int j = -20; j <= 20; ++j) {
        const double t = std::clamp(t0 + width_t * i / 20, 0.0, 1.0), a = a0 + width_a * j / 20;
        const double ring = cone.radius + t * (cone.second_radius - cone.radius);
        const Vec3d p =
            cone.point + (t * cone.length) * cone.axis + (ring * std::cos(a)) * u + (ring * std::sin(a)) * v;
        if (norm(x - p) < best) { best = norm(x - p), best_t = t, best_a = a; }
      }
    }
    t0 = best_t, a0 = best_a, width_t *= 0.5, width_a *= 0.5;
  }
  return best;
}

// Random cones, some with a tip, some nearly flat, with points all around. The search is right to 1e-9 of the size.
TEST(BoundaryShapes, ClosestPointOfRandomCones) {
  Numbers numbers(21);
  for (int k = 0; k < 400; ++k) {
    Vec3d axis = vec(numbers.in_cube(1));
    axis = (1 / norm(axis)) * axis;
    const double tip = k % 4 == 0 ? 0.0 : numbers.between(0.1, 1);
    const Surface cone{vec(numbers.in_cube(1)), axis, numbers.between(0.05, 2), tip, numbers.between(0, 1)};
    const Vec3d x = vec(numbers.in_cube(2));
    const ClosestOnCone found = closest_on_cone(x, cone, false);
    EXPECT_NEAR(norm(x - found.point), searched_distance(x, cone), 1e-9) << k;
    // The closest point lies on the shell. The far side is on the same shell, across the axis.
    for (const bool far_side : {false, true}) {
      const Vec3d p = closest_on_cone(x, cone, far_side).point - cone.point;
      const double along = dot(p, cone.axis), ring = norm(p - along * cone.axis);
      EXPECT_GT(along, -1e-12);
      EXPECT_LT(along, cone.length + 1e-12);
      EXPECT_NEAR(ring, cone.radius + along / cone.length * (cone.second_radius - cone.radius), 1e-12);
      const Vec3d radial = x - cone.point - dot(x - cone.point, cone.axis) * cone.axis;
      EXPECT_GE(dot(p, radial) * (far_side ? -1 : 1), -1e-12);
    }
  }
}

/// The sphere at a place, after one step without gravity; its force is the contact force.
Reading pressed(Scene scene, const Real3& place) {
  add_sphere(scene, place, radius);
  const auto engine = start(scene);
  engine->advance(1);
  Reading reading = read(*engine);
  EXPECT_EQ(coordination(*engine).at(0), engine->counts().wall_contacts);
  const BoundaryLoad load = engine->boundary_loads().at(0);
  EXPECT_LT(norm(load.force + reading.force), 1e-12 * stiffness * radius);
  return reading;
}

struct Press {
  Real3 place, closest;
};

// On the axis and near it, where the place beside the axis is only known up to rounding, the closest point lies on the
// shell, and as far away as the line of the shell is from the axis there.
TEST(BoundaryShapes, ClosestPointNearTheAxis) {
  Numbers numbers(22);
  for (int k = 0; k < 2000; ++k) {
    Vec3d axis = vec(numbers.in_cube(1));
    axis = (1 / norm(axis)) * axis;
    const Vec3d across = (1 / norm(cross(axis, {1, 2, 3}))) * cross(axis, {1, 2, 3});
    const Surface shell{vec(numbers.in_cube(1)), axis, 0.3, 0.1, k % 3 == 0 ? 0.1 : 0.4};
    const double along = 0.3 * k / 2000, offset = k % 4 == 0 ? 0 : std::pow(10, -18 + k % 13);
    const Vec3d x = shell.point + along * axis + offset * across;
    // A line through (0, 0.1) and (0.3, second_radius), its foot beside (along, 0) clamped to its ends.
    const double widening = shell.second_radius - 0.1, square = widening * widening + 0.09;
    const double t = std::clamp((0.3 * along - 0.1 * widening) / square, 0.0, 1.0);
    const double distance = std::hypot(0.3 * t - along, 0.1 + t * widening);
    const double tolerance = offset + 1e-12;
    for (const bool far_side : {false, true}) {
      const Vec3d at_cone = closest_on_cone(x, shell, far_side).point;
      EXPECT_NEAR(norm(x - at_cone), distance, tolerance) << along << ' ' << offset;
      EXPECT_NEAR(dot(at_cone - shell.point, axis), 0.3 * t, tolerance);
    }
    const Vec3d at_shell = closest_on_shell(x, {shell.point, axis, 0.3, 0.1});
    EXPECT_NEAR(norm(x - at_shell), 0.1, tolerance);
    EXPECT_NEAR(dot(at_shell - shell.point, axis), along, tolerance);
  }
}

// Faces from both sides, rims from above, from beside and from within, and the tip. The expected force is K u along the
// line from the closest point, worked out by hand; the tolerance of 1e-9 K r is rounding.
TEST(BoundaryShapes, ForcesAtFacesRimsAndTip) {
  const double root = std::sqrt(0.5);
  const ConeBoundary cone{{0, 0, 0}, {0, 0, 0.1}, 0, 0.1};  // opens upwards, half angle 45 degrees
  const std::vector<Press> on_cone = {
      // inside
      {{0.05 - 0.009 * root, 0, 0.05 + 0.009 * root}, {0.05, 0, 0.05}},
      {{0, -0.05 - 0.009 * root, 0.05 - 0.009 * root}, {0, -0.05, 0.05}},  // outside
      // below the tip
      {{0, 0, -0.0095}, {0, 0, 0}},
      // beside it
      {{0.003, 0, -0.0085}, {0, 0, 0}},
      // above the rim
      {{0.1, 0, 0.1095}, {0.1, 0, 0.1}},
      {{0.1, 0.006, 0.107}, {0.1 * 0.1 / std::hypot(0.1, 0.006), 0.1 * 0.006 / std::hypot(0.1, 0.006), 0.1}},
      {{-0.106, 0, 0.1}, {-0.1, 0, 0.1}},  // beside the rim
  };
  const SphereBoundary shell{{0.2, 0, 0}, 0.1};
  const std::vector<Press> on_shell = {
      {{0.2 + 0.0905 * 0.6, 0.0905 * 0.8, 0}, {0.26, 0.08, 0}},  // inside
      {{0.2, 0.1092 * 0.6, -0.1092 * 0.8}, {0.2, 0.06, -0.08}},  // outside
  };
  const CylinderBoundary pipe{{0, 0, 0}, {0, 0, 0.1}, 0.05};
  const std::vector<Press> on_pipe = {
      // above the rim
      {{0.05, 0, 0.1095}, {0.05, 0, 0.1}},
      // within
      {{0.046, 0, 0.108}, {0.05, 0, 0.1}},
      {{0, -0.056, -0.007}, {0, -0.05, 0}},  // below and outside
      {{0.0405, 0, 0.05}, {0.05, 0, 0.05}},  // the face
  };
  const auto expect = [&](const auto& add, const std::vector<Press>& presses) {
    for (const Press& press : presses) {
      Scene scene = linear_scene(stiff, 0.3, 1e-9);
      add(scene);
      const Real3 away = press.place - press.closest;
      const Real3 force = (stiffness * (radius - norm(away)) / norm(away)) * away;
      const Reading found = pressed(scene, press.place);
      EXPECT_LT(norm(found.force - force), 1e-9 * stiffness * radius)
          << press.place[0] << ' ' << press.place[1] << ' ' << press.place[2];
      EXPECT_GT(norm(found.force), 0);
    }
  };
  expect([&](Scene& scene) { add_cone(scene, cone); }, on_cone);
  // The same cone with its ends exchanged.
  expect([&](Scene& scene) { add_cone(scene, {cone.to, cone.from, cone.radius_to, cone.radius_from}); }, on_cone);
  expect([&](Scene& scene) { add_shell(scene, shell); }, on_shell);
  expect([&](Scene& scene) { add_cylinder(scene, pipe.from, pipe.to, pipe.radius); }, on_pipe);
  expect([&](Scene& scene) { add_cone(scene, {pipe.from, pipe.to, pipe.radius, pipe.radius}); }, on_pipe);
}

// --- box -----------------------------------------------------------------------------------------------------------

// A box gives the same numbers as its six planes, while spheres bounce with friction in its corners.
TEST(BoundaryShapes, BoxIsSixPlanes) {
  Scene in_box = linear_scene(stiff, 0.4, time_step);
  in_box.gravity = {1, 2, -standard_gravity};
  Numbers numbers(4);
  for (int k = 0; k < 8; ++k) {
    const Real3 corner{0.025 * (k & 1), 0.025 * ((k >> 1) & 1), 0.025 * (k >> 2)};
    add_sphere(in_box, corner + Real3{0.015, 0.015, 0.015}, radius, numbers.in_cube(1), numbers.in_cube(50));
  }
  Scene in_planes = in_box;
  const Real3 low{0, 0, 0}, high{0.06, 0.055, 0.06};
  add_shape(in_box, BoxBoundary{low, high});
  for (std::size_t k = 0; k < 3; ++k) {
    Real3 normal{};
    normal[k] = 1;
    add_plane(in_planes, low, normal);
    add_plane(in_planes, high, -1 * normal);
  }
  const auto box = start(in_box), planes = start(in_planes);
  box->advance(20000);
  planes->advance(20000);
  EXPECT_EQ(box->snapshot().position, planes->snapshot().position);
  EXPECT_EQ(box->snapshot().angular_velocity, planes->snapshot().angular_velocity);
  Real3 sum{};
  for (const BoundaryLoad& load : planes->boundary_loads()) { sum = sum + load.force; }
  EXPECT_LT(norm(box->boundary_loads().at(0).force - sum), 1e-12);
}

// --- bowl ----------------------------------------------------------------------------------------------------------

/// Period of a sphere that starts from rest at `amplitude` from the lowest point of a bowl, measured by its passages of
/// this point.
double bowl_period(double friction, double amplitude, double bowl) {
  Scene scene = linear_scene(stiff, friction, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  const double orbit = bowl - radius + weight * std::cos(amplitude) / stiffness;
  // The sphere swings in the plane y = -3/4 x, which contains neither the x axis nor the y axis.
  add_sphere(scene,
             {0.8 * orbit * std::sin(amplitude), -0.6 * orbit * std::sin(amplitude), -orbit * std::cos(amplitude)},
             radius);
  add_shell(scene, {{0, 0, 0}, bowl});
  const auto engine = start(scene);
  const auto times = zero_crossings(*engine, 3, 5, [](Engine& e) { return read(e).position[0]; });
  EXPECT_EQ(times.size(), 3U);
  return times.size() == 3 ? times[2] - times[0] : 0;
}

// A sphere that slides in a bowl is a pendulum of length R - r; rolling without slip makes it 7/5 as long (closed
// forms, series in the amplitude to 1e-5). Tolerance 0.2 % for the flexibility of the contact.
TEST(BoundaryShapes, SphericalBowlIsAPendulum) {
  constexpr double bowl = 0.1, amplitude = 0.4;
  const double square = amplitude * amplitude;
  const double period =
      2 * pi * std::sqrt((bowl - radius) / standard_gravity) * (1 + square / 16 + 11 * square * square / 3072);
  EXPECT_NEAR(bowl_period(0, amplitude, bowl) / period, 1, 2e-3);
  EXPECT_NEAR(bowl_period(0.5, amplitude, bowl) / (std::sqrt(1.4) * period), 1, 2e-3);
}

// --- plugs ---------------------------------------------------------------------------------------------------------

/// Lets a sphere settle with Cundall's damping. Returns its position at rest.
Real3 settled(Scene scene, const Real3& from) {
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damping = 0.3;
  add_sphere(scene, from, radius);
  const auto engine = start(scene);
  engine->advance(20000);
  const Reading rest = read(*engine);
  EXPECT_LT(norm(rest.velocity), 1e-9);
  EXPECT_NEAR(rest.force[2] / weight, 1, 1e-6);
  EXPECT_NEAR(engine->boundary_loads().at(0).force[2] / weight, -1, 1e-6);
  EXPECT_EQ(engine->counts().wall_contacts, 2U);
  return rest.position;
}

// In a cone of half angle alpha, a sphere rests on the axis on two opposite points with N = m g / (2 sin alpha) each.
// Its centre is (r - N/K) / sin alpha above the tip (statics, closed form). The sphere starts beside the axis and
// swings across it.
TEST(BoundaryShapes, SphereRestsInACone) {
  for (const double alpha : {0.2, 0.5, 1.0}) {
    Scene scene = linear_scene(stiff, 0, time_step);
    const double tall = 0.2;
    add_cone(scene, {{0.3, 0, 0}, {0.3, 0, tall}, 0, tall * std::tan(alpha)});
    const double height = (radius - weight / (2 * std::sin(alpha)) / stiffness) / std::sin(alpha);
    const Real3 rest = settled(scene, {0.3 + 0.0002, -0.0001, height + 0.002});
    EXPECT_NEAR(rest[2], height, 1e-9) << alpha;
    EXPECT_NEAR(rest[0], 0.3, 1e-7) << alpha;
    EXPECT_NEAR(rest[1], 0, 1e-7) << alpha;
  }
}

// On a pipe narrower than itself, a sphere rests on two points of the rim: N = m g / (2 cos beta) with sin beta = R /
// (r - N/K) (statics, closed form).
TEST(BoundaryShapes, SphereRestsOnARim) {
  const double rim = 0.006;
  double force = 0.5 * weight, height = 0;
  for (int k = 0; k < 50; ++k) {  // fixed-point iteration
    const double distance = radius - force / stiffness;
    height = std::sqrt(distance * distance - rim * rim);
    force = 0.5 * weight * distance / height;
  }
  for (const bool as_cone : {false, true}) {
    Scene scene = linear_scene(stiff, 0, time_step);
    if (as_cone) {
      add_cone(scene, {{0, 0, -0.1}, {0, 0, 0}, 0.02, rim});
    } else {
      add_cylinder(scene, {0, 0, -0.1}, {0, 0, 0}, rim);
    }
    const Real3 rest = settled(scene, {0.001, -0.0005, height + 0.001});
    EXPECT_NEAR(rest[2], height, 1e-9) << as_cone;
    EXPECT_LT(std::hypot(rest[0], rest[1]), 1e-7) << as_cone;
  }
}

// A sphere slides down a cone with g (sin - mu cos) or rolls with 5/7 g sin (A21, closed forms). Tolerance 0.5 %, since
// the line of the slope is straight, but the cone is curved across it.
TEST(BoundaryShapes, A21InclineOnACone) {
  const double slope = 0.35;  // [rad] slope of the generators; the sphere is outside of a wide cone with its tip on top
  for (const bool rolls : {false, true}) {
    Scene scene = linear_scene(stiff, rolls ? 0.3 : 0, time_step);
    scene.gravity = {0, 0, -standard_gravity};
    const double tall = 2 * std::tan(slope);
    add_cone(scene, {{0, 0, 0}, {0, 0, tall}, 2, 0});
    const double lift = radius - weight * std::cos(slope) / stiffness;
    const Real3 foot{0.5, 0, tall - 0.5 * std::tan(slope)};
    add_sphere(scene, foot + lift * Real3{std::sin(slope), 0, std::cos(slope)}, radius);
    const auto engine = start(scene);
    engine->advance(10000);
    const Reading late = read(*engine);
    const double speed = late.velocity[0] * std::cos(slope) - late.velocity[2] * std::sin(slope);
    const double expected = standard_gravity * std::sin(slope) * (rolls ? 5.0 / 7.0 : 1.0) * engine->time();
    EXPECT_NEAR(speed / expected, 1, 5e-3) << rolls;
    EXPECT_NEAR(late.velocity[1], 0, 1e-9);
  }
}

// A sphere rolls down a rod thinner than itself with 5/7 g sin (closed form), whether its list has the far side of the
// rod or not. From outside, both sides lie in the same direction, so that rounding could exchange their histories.
// Tolerance 0.5 %, since the shear spring swings about its mean without damping.
TEST(BoundaryShapes, RollsDownAThinRod) {
  const double slope = 0.2, rod = 0.001;  // [rad], [m]
  const Real3 along{0.48, 0.64, -0.6}, up{0.36, 0.48, 0.8};
  std::vector<StateHash> hashes;
  for (const bool as_cone : {false, true}) {
    for (const double verlet : {0.02, 0.5}) {
      Scene scene = linear_scene(stiff, 0.5, time_step);
      scene.verlet_distance = verlet * radius;
      scene.gravity = standard_gravity * (std::sin(slope) * along - std::cos(slope) * up);
      const Real3 end = 2.0 * along;
      if (as_cone) {
        add_cone(scene, {-1.0 * end, end, rod, rod});
      } else {
        add_cylinder(scene, -1.0 * end, end, rod);
      }
      add_sphere(scene, (rod + radius - weight * std::cos(slope) / stiffness) * up, radius);
      const auto engine = start(scene);
      engine->advance(2000);
      const double speed = dot(read(*engine).velocity, along);
      EXPECT_NEAR(speed / (standard_gravity * std::sin(slope) * 5 / 7 * engine->time()), 1, 5e-3) << as_cone << verlet;
      hashes.push_back(engine->hash());
    }
    EXPECT_TRUE(hashes.back() == hashes[hashes.size() - 2]) << as_cone;
  }
}

}  // namespace scree::physics::boundary_shapes_test
