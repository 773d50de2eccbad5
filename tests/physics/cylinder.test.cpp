#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scenes.hpp"

// A sphere that rolls inside a horizontal cylinder, which is one boundary or a mesh of flat strips.
namespace scree::physics::cylinder_test {

constexpr double radius = 0.01, shell = 0.1, amplitude = 0.4;
constexpr Substance stiff{1e7, 0.3, 2600};
constexpr double time_step = 2e-5;

/// A horizontal cylinder along y with a sphere at the angle `amplitude` from the lowest line. The sphere is at rest,
/// except for its velocity `along` y.
Scene rolling_sphere(double along) {
  Scene scene = linear_scene(stiff, 0.5, time_step);
  scene.gravity = {0, 0, -standard_gravity};
  const double overlap =
      sphere_mass(radius, stiff.density) * standard_gravity * std::cos(amplitude) / (stiff.young * radius);
  const double orbit = shell - radius + overlap;
  add_sphere(scene, {orbit * std::sin(amplitude), 0, -orbit * std::cos(amplitude)}, radius, {0, along, 0},
             (along / radius) * Real3{-std::cos(amplitude), 0, -std::sin(amplitude)});
  return scene;
}

TriangleMesh strips(std::uint32_t count) {
  TriangleMesh mesh;
  for (std::uint32_t k = 0; k < count; ++k) {
    const double angle = 2 * pi * k / count;
    mesh.vertices.push_back({shell * std::cos(angle), -0.5, shell * std::sin(angle)});
    mesh.vertices.push_back({shell * std::cos(angle), 0.5, shell * std::sin(angle)});
    const std::uint32_t a = 2 * k, c = 2 * ((k + 1) % count);
    mesh.triangles.push_back({a, a + 1, c});
    mesh.triangles.push_back({c, a + 1, c + 1});
  }
  return mesh;
}

double angle_of(const Reading& r) { return std::atan2(r.position[0], -r.position[2]); }

/// Times at which the sphere passes the lowest line.
std::vector<double> passages(Engine& engine, std::size_t count) {
  return zero_crossings(engine, count, 2, [](Engine& e) { return angle_of(read(e)); });
}

/// Half period of a sphere that rolls without slip: a pendulum of length 7/5 (R - r), series in the amplitude to 1e-5.
double half_period() {
  const double square = amplitude * amplitude;
  return pi * std::sqrt(1.4 * (shell - radius) / standard_gravity) * (1 + square / 16 + 11 * square * square / 3072);
}

// Rolling pendulum (closed form). Tolerance 0.2 % for the flexibility of the contact.
TEST(Cylinder, RollingPendulum) {
  Scene scene = rolling_sphere(0);
  add_cylinder(scene, {0, -0.5, 0}, {0, 0.5, 0}, shell);
  const auto engine = start(scene);
  const std::vector<double> times = passages(*engine, 2);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_NEAR(times[0] / (0.5 * half_period()), 1, 2e-3);
  EXPECT_NEAR((times[1] - times[0]) / half_period(), 1, 2e-3);
}

/// Largest distance [r] between a sphere in a mesh of strips and one in the shell, over more than half a period.
double apart_from_shell(std::uint32_t count) {
  Scene on_shell = rolling_sphere(0.2);
  Scene on_mesh = on_shell;
  add_cylinder(on_shell, {0, -0.5, 0}, {0, 0.5, 0}, shell);
  add_mesh(on_mesh, strips(count));
  const auto a = start(on_shell), b = start(on_mesh);
  double most = 0;
  for (int k = 0; k < 100; ++k) {
    a->advance(200);
    b->advance(200);
    most = std::fmax(most, norm(read(*a).position - read(*b).position));
  }
  EXPECT_LT(angle_of(read(*a)), -0.3);
  return most / radius;
}

// 720 flat strips approximate the shell to 0.02 r. The sphere hops by some overlaps at each seam, and two strips bear
// it where both are below it, so finer strips do not converge faster.
TEST(Cylinder, FineMeshIsLikeTheShell) { EXPECT_LT(apart_from_shell(720), 0.02); }

}  // namespace scree::physics::cylinder_test
