#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "scenes.hpp"

// A flat surface of many facets must act like one plane.
namespace scree::physics::tessellated_plane_test {

constexpr double radius = 0.01;
constexpr Substance stiff{1e7, 0.3, 2600};

bool is_left_turn(const TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a])[2] > 0;
}

/// Random triangulation of a square in z = 0 with its centre at the origin: a jittered grid with random diagonals,
/// and slivers around points added close to an edge.
TriangleMesh random_triangulation(double half, std::uint32_t cells, std::uint64_t seed) {
  Numbers numbers(seed);
  TriangleMesh mesh;
  const double width = 2 * half / cells;
  const auto jitter = [&](std::uint32_t k) {
    return k == 0 || k == cells ? 0.0 : numbers.between(-0.45, 0.45) * width;
  };
  for (std::uint32_t j = 0; j <= cells; ++j) {
    for (std::uint32_t i = 0; i <= cells; ++i) {
      const double x = -half + i * width + jitter(i), y = -half + j * width + jitter(j);
      mesh.vertices.push_back({x, y, 0});
    }
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (numbers.next() > 0.3) {
      mesh.triangles.push_back({a, b, c});
      return;
    }
    const double off = numbers.between(1e-4, 1e-3), along = numbers.between(0.2, 0.8);
    const Real3 point =
        ((1 - off) * (1 - along)) * mesh.vertices[a] + ((1 - off) * along) * mesh.vertices[b] + off * mesh.vertices[c];
    const auto p = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(point);
    mesh.triangles.push_back({a, b, p});
    mesh.triangles.push_back({b, c, p});
    mesh.triangles.push_back({c, a, p});
  };
  for (std::uint32_t j = 0; j < cells; ++j) {
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t a = j * (cells + 1) + i, b = a + 1, c = b + cells + 1, d = c - 1;
      const bool ac_inside = is_left_turn(mesh, a, b, c) && is_left_turn(mesh, a, c, d);
      const bool bd_inside = is_left_turn(mesh, a, b, d) && is_left_turn(mesh, b, c, d);
      if (ac_inside && !(bd_inside && numbers.next() < 0.5)) {
        add(a, b, c), add(a, c, d);
      } else {
        add(a, b, d), add(b, c, d);
      }
    }
  }
  for (const auto& t : mesh.triangles) { EXPECT_TRUE(is_left_turn(mesh, t[0], t[1], t[2])); }
  return mesh;
}

struct Tilt {
  Real3 axis;
  double angle;
  [[nodiscard]] Real3 operator()(const Real3& v) const { return rotated(v, axis, angle); }
};

Real3 nearest_vertex(const TriangleMesh& mesh, const Real3& at) {
  return *std::min_element(mesh.vertices.begin(), mesh.vertices.end(),
                           [&](const Real3& a, const Real3& b) { return norm(a - at) < norm(b - at); });
}

Scene scene_of(LawKind law, const MaterialPair& contact, double time_step) {
  Scene scene = law == LawKind::cundall_strack ? linear_scene(stiff, contact.friction, time_step)
                                               : hertz_scene(stiff, contact, time_step);
  scene.law = law;
  return scene;
}

/// Five spheres side by side that move along `heading`: one slides, one rolls, one spins about the normal, one is slow,
/// and one starts above a vertex of the mesh.
Scene lanes(double heading, const Tilt& tilt, const TriangleMesh& mesh, std::uint64_t steps, LawKind law) {
  Scene scene = scene_of(law, {0.3, 0}, 4e-5);
  scene.gravity = tilt({0, 0, -standard_gravity});
  const double path = 100 * radius, speed = path / (double(steps) * scene.time_step);
  const Real3 ahead{std::cos(heading), std::sin(heading), 0}, left{-ahead[1], ahead[0], 0};
  const double weight = sphere_mass(radius, stiff.density) * standard_gravity;
  const double hertz = 4.0 / 3.0 * stiff.young / (1 - stiff.poisson * stiff.poisson) * std::sqrt(radius);
  const double overlap =
      law == LawKind::cundall_strack ? weight / (stiff.young * radius) : std::cbrt(std::pow(weight / hertz, 2));
  const double speeds[] = {1.3 * speed, speed, speed, 0.05 * speed, speed};
  const double rolling[] = {0, 1, 0.5, 1, 1}, about_normal[] = {0, 0, 200, 0, 30};
  for (std::size_t k = 0; k < 5; ++k) {
    Real3 at = (-0.5 * path) * ahead + (6 * radius * (double(k) - 2)) * left;
    if (k == 4) { at = nearest_vertex(mesh, at); }
    const Real3 spin = (rolling[k] * speeds[k] / radius) * Real3{-ahead[1], ahead[0], 0} + Real3{0, 0, about_normal[k]};
    add_sphere(scene, tilt(at + Real3{0, 0, radius - overlap}), radius, tilt(speeds[k] * ahead), tilt(spin));
  }
  return scene;
}

/// Largest differences from the plane over a distance of 100 r. Every sphere must have one contact in every step.
struct Difference {
  double position = 0;        ///< [r]
  double force = 0;           ///< [m g]
  std::uint64_t longest = 0;  ///< largest number of segments in a load history
};
Difference difference_from_plane(double heading, const Tilt& tilt, Precision precision,
                                 LawKind law = LawKind::cundall_strack) {
  constexpr std::uint64_t steps = 10000;
  TriangleMesh mesh = random_triangulation(0.8, 40, 5);
  Scene on_plane = lanes(heading, tilt, mesh, steps, law);
  on_plane.precision = precision;
  Scene on_mesh = on_plane;
  add_plane(on_plane, {0, 0, 0}, tilt({0, 0, 1}));
  for (Real3& v : mesh.vertices) { v = tilt(v); }
  add_mesh(on_mesh, mesh);
  const auto plane = start(on_plane), facets = start(on_mesh);
  const double weight = sphere_mass(radius, stiff.density) * standard_gravity;
  Difference most;
  for (std::uint64_t k = 0; k < steps; ++k) {
    plane->advance(1);
    facets->advance(1);
    if (facets->counts().boundary_contacts != 5) {
      ADD_FAILURE() << "not one contact per sphere in step " << k;
      return most;
    }
    if (facets->counts().segments != plane->counts().segments) {
      ADD_FAILURE() << "load histories of other lengths in step " << k;
      return most;
    }
    most.longest = std::max(most.longest, plane->counts().longest_history);
    const Snapshot a = plane->snapshot({true, false}), b = facets->snapshot({true, false});
    most.position = std::fmax(most.position, most_apart(a, b) / radius);
    for (std::size_t i = 0; i < 5; ++i) { most.force = std::fmax(most.force, norm(a.force[i] - b.force[i]) / weight); }
  }
  return most;
}

constexpr Tilt level{{0, 0, 1}, 0};

// B02: random triangulation with slivers against the plane; 1e-9 r and 1e-9 F as in the catalogue.
TEST(TessellatedPlane, B02RollingAndSliding) {
  for (const double heading : {0.0, 0.6, 2.1}) {
    const Difference most = difference_from_plane(heading, level, Precision::double_);
    EXPECT_LT(most.position, 1e-9) << heading;
    EXPECT_LT(most.force, 1e-9) << heading;
  }
}

// B02 on a slanted surface: coordinates are rounded to 1e-16 m. At this stiffness each rounding is 1e-10 of the weight,
// so forces are compared to 1e-8.
TEST(TessellatedPlane, B02SlantedSurface) {
  const Difference most = difference_from_plane(0.6, {{1, 2, 0.5}, 0.7}, Precision::double_);
  EXPECT_LT(most.position, 1e-9);
  EXPECT_LT(most.force, 1e-8);
}

// B02 with load histories, which facets hand over as a whole. The length of a history depends on its smallest loops, so
// that rounding would change it.
TEST(TessellatedPlane, B02LoadHistories) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const double tolerance = precision == Precision::double_ ? 1e-9 : 1e-5;
    const Difference most = difference_from_plane(0.6, level, precision, LawKind::jaeger);
    std::printf("position %.2e r, force %.2e m g, up to %d segments\n", most.position, most.force, int(most.longest));
    EXPECT_LT(most.position, tolerance);
    EXPECT_LT(most.force, tolerance);
    EXPECT_GT(most.longest, 3U);
  }
}

// B02 in mixed precision: geometry is computed in double, so facets and plane give the same floats, except for a last
// bit (6e-8) now and then.
TEST(TessellatedPlane, B02MixedPrecision) {
  const Difference most = difference_from_plane(0.6, level, Precision::mixed);
  EXPECT_LT(most.position, 1e-5);
  EXPECT_LT(most.force, 1e-5);
}

/// Spinning spheres that fall obliquely on the surface and bounce with friction and restitution.
Scene bouncing(const Tilt& tilt, LawKind law) {
  Scene scene = scene_of(law, {0.3, 0.15}, 2e-5);
  scene.gravity = tilt({0, 0, -standard_gravity});
  Numbers numbers(12);
  for (int k = 0; k < 25; ++k) {
    const Real3 at{0.12 * (k % 5) - 0.24, 0.12 * (k / 5) - 0.24, 1.5 * radius};
    const Real3 velocity = numbers.in_cube(0.5) + Real3{0, 0, -0.5};
    add_sphere(scene, tilt(at), radius, tilt(velocity), tilt(numbers.in_cube(100)));
  }
  return scene;
}

/// Largest difference [r] of positions between plane and mesh, both with the same motion.
double bounces_apart(const Tilt& tilt, LawKind law, const std::vector<Motion>& motion) {
  TriangleMesh mesh = random_triangulation(0.8, 40, 15);
  Scene on_plane = bouncing(tilt, law), on_mesh = on_plane;
  add_plane(on_plane, {0, 0, 0}, tilt({0, 0, 1}), motion);
  for (Real3& v : mesh.vertices) { v = tilt(v); }
  add_mesh(on_mesh, mesh, motion);
  const auto plane = start(on_plane), facets = start(on_mesh);
  double most = 0;
  std::uint64_t touching = 0;
  for (int k = 0; k < 200; ++k) {
    plane->advance(50);
    facets->advance(50);
    most = std::fmax(most, most_apart(plane->snapshot(), facets->snapshot()) / radius);
    touching += plane->counts().boundary_contacts;
  }
  EXPECT_GT(touching, 50U);
  if (!motion.empty()) {
    const double a = plane->boundary_loads().at(0).work, b = facets->boundary_loads().at(0).work;
    EXPECT_GT(std::fabs(a), 1e-6);
    EXPECT_NEAR(a / b, 1, 1e-6);
  }
  return most;
}

// B02 with bouncing spheres, for several laws, level and slanted. An impact multiplies the rounding of coordinates
// (1e-16 m) by some tens: 1e-9 r as in the catalogue.
TEST(TessellatedPlane, B02Bouncing) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::cundall_strack, LawKind::jaeger}) {
    EXPECT_LT(bounces_apart(level, law, {}), 1e-9);
    EXPECT_LT(bounces_apart({{1, 2, 0.5}, 0.7}, law, {}), 1e-8);
  }
}

// B02 and B04 together: the surface slides, swings about an axis and shakes.
TEST(TessellatedPlane, B02B04OnAMovingSurface) {
  Oscillation turn;
  turn.axis = Real3{1, 0.5, 0};
  turn.amplitude = 0.05, turn.frequency = 10;
  Oscillation shake;
  shake.direction = Real3{0, 0, 1};
  shake.amplitude = 0.003, shake.frequency = 20, shake.phase = 1;
  const std::vector<Motion> motion{{Translation{{0.3, 0.1, 0}}}, {turn}, {shake}};
  EXPECT_LT(bounces_apart(level, LawKind::hertz_mindlin, motion), 1e-8);
}

// B02: spheres at rest exactly on edges and vertices have one contact and do not move.
TEST(TessellatedPlane, B02RestOnEdgeAndVertex) {
  const TriangleMesh mesh = random_triangulation(0.8, 20, 9);
  Scene scene = linear_scene(stiff, 0.3, 4e-5);
  scene.gravity = {0, 0, -standard_gravity};
  const double overlap = sphere_mass(radius, stiff.density) * standard_gravity / (stiff.young * radius);
  const Real3 up{0, 0, radius - overlap};
  for (std::size_t k = 30; k < 400; k += 9) {
    const auto& t = mesh.triangles[k];
    const Real3 at = k % 2 == 0 ? mesh.vertices[t[0]] : 0.5 * (mesh.vertices[t[0]] + mesh.vertices[t[1]]);
    bool is_free = true;
    for (const Real3& other : scene.particles.position) { is_free = is_free && norm(at + up - other) > 2.2 * radius; }
    if (is_free) { add_sphere(scene, at + up, radius); }
  }
  ASSERT_GT(scene.particles.size(), 20U);
  add_mesh(scene, mesh);
  const auto engine = start(scene);
  engine->advance(2000);
  const Snapshot after = engine->snapshot({false, true});
  for (std::size_t i = 0; i < after.id.size(); ++i) {
    EXPECT_EQ(after.coordination[i], 1U) << i;
    EXPECT_LT(norm(after.position[i] - scene.particles.position[i]), 1e-9 * radius) << i;
  }
}

}  // namespace scree::physics::tessellated_plane_test
