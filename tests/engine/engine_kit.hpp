#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/backend/portability.hpp"
#include "scree/engine.hpp"
#include "scree/errors.hpp"
#include "scree/scene.hpp"

/// Shared parts of all tests that run an engine of the backend under test. What this header says of engines is defined
/// once in each test program (tests/kernels/backend_under_test.cpp). Tests that need no more than that are in
/// tests/engine: they are compiled once, and linked with the kernels of every backend.
namespace scree {

/// An engine of the backend under test.
std::unique_ptr<Engine> make_backend_engine(const Scene& scene, int threads = 1);
/// Why the backend cannot run here; empty if it can.
[[nodiscard]] std::string why_backend_is_missing();

/// Base of these tests: skips a test if the backend cannot run here.
class BackendTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string why = why_backend_is_missing();
    if (!why.empty()) { GTEST_SKIP() << why; }
  }
};

}  // namespace scree

// The rest is in the namespace of the compiler: two compilers of one program make functions of their own.
namespace scree::inline SCREE_BACKEND {

/// Random numbers that are the same on every machine. Two draws among the arguments of one call are not: compilers
/// choose the order of arguments, so draw into names first.
class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}
  std::uint64_t whole(std::uint64_t below) { return generator_() % below; }
  double operator()(double low, double high) { return low + (high - low) * (double(generator_() >> 11) * 0x1p-53); }
  Real3 point(const Real3& low, const Real3& high) {
    const double x = (*this)(low[0], high[0]), y = (*this)(low[1], high[1]), z = (*this)(low[2], high[2]);
    return {x, y, z};
  }
  Real3 direction() {
    for (;;) {
      const Real3 v = point({-1, -1, -1}, {1, 1, 1});
      const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      if (square > 0.01 && square < 1) {
        return {v[0] / std::sqrt(square), v[1] / std::sqrt(square), v[2] / std::sqrt(square)};
      }
    }
  }

 private:
  std::mt19937_64 generator_;
};

// --- scenes ----------------------------------------------------------------------------------------------------

inline constexpr double bead = 1e-3;  ///< [m] radius of the spheres in most scenes

/// A scene with one material, a soft glass, without bodies, boundaries or gravity.
inline Scene glass_scene(Precision precision = Precision::mixed, LawKind law = LawKind::hertz_mindlin) {
  Scene scene;
  scene.precision = precision;
  scene.law = law;
  scene.materials = {Material{2500, 1e7, 0.25, 0.5, 0.5}};
  scene.pairs = {{0.5, 0.23}};
  scene.pairs[0].surface_energy = 0.05;
  scene.pairs[0].plasticity.ratio = 0.4;
  scene.pairs[0].springs.damping_ratio = scene.pairs[0].springs.shear_damping_ratio = 0.1;
  scene.time_step = 4e-6;
  scene.verlet_distance = 0.2 * bead;
  return scene;
}

inline void add_body(Scene& scene, const Real3& position, double radius = bead, const Real3& velocity = {},
                     const Real3& spin = {}) {
  scene.particles.position.push_back(position);
  scene.particles.velocity.push_back(velocity);
  scene.particles.angular_velocity.push_back(spin);
  scene.particles.radius.push_back(radius);
  scene.particles.material.push_back(0);
}

inline SceneBoundary& add_plane(Scene& scene, const Real3& point, const Real3& normal) {
  SceneBoundary boundary;
  boundary.name = "plane " + std::to_string(scene.boundaries.size());
  boundary.shape = PlaneBoundary{point, normal};
  scene.boundaries.push_back(boundary);
  return scene.boundaries.back();
}

inline SceneBoundary& add_cylinder(Scene& scene, const Real3& from, const Real3& to, double radius) {
  SceneBoundary boundary;
  boundary.name = "cylinder " + std::to_string(scene.boundaries.size());
  boundary.shape = CylinderBoundary{from, to, radius};
  scene.boundaries.push_back(boundary);
  return scene.boundaries.back();
}

inline SceneBoundary& add_mesh(Scene& scene, TriangleMesh mesh) {
  SceneBoundary boundary;
  boundary.name = "mesh " + std::to_string(scene.boundaries.size());
  boundary.shape = MeshBoundary{};
  boundary.mesh = std::move(mesh);
  scene.boundaries.push_back(boundary);
  return scene.boundaries.back();
}

inline void add_outlet(Scene& scene, const std::string& name, const Real3& point, const Real3& normal) {
  scene.outlets.push_back({point, normal, static_cast<std::uint32_t>(scene.outlet_names.size())});
  scene.outlet_names.push_back(name);
}

/// Adds a floor and four walls around [0, size.x] x [0, size.y].
inline void add_box_walls(Scene& scene, const Real3& size) {
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, 0}, {1, 0, 0});
  add_plane(scene, {size[0], 0, 0}, {-1, 0, 0});
  add_plane(scene, {0, 0, 0}, {0, 1, 0});
  add_plane(scene, {0, size[1], 0}, {0, -1, 0});
}

/// Adds bodies on a jittered lattice that starts at `corner`, with random radii and velocities. None overlap if the
/// spacing is more than twice the largest radius.
inline void add_lattice(Scene& scene, const std::array<int, 3>& n, const Real3& corner, double spacing,
                        const std::array<double, 2>& radii, double speed, Random& random) {
  const double shift = 0.5 * (spacing - 2 * radii[1]);
  for (int k = 0; k < n[2]; ++k) {
    for (int j = 0; j < n[1]; ++j) {
      for (int i = 0; i < n[0]; ++i) {
        const Real3 jitter = random.point({-shift, -shift, -shift}, {shift, shift, shift});
        const Real3 x{corner[0] + (i + 0.5) * spacing + jitter[0], corner[1] + (j + 0.5) * spacing + jitter[1],
                      corner[2] + (k + 0.5) * spacing + jitter[2]};
        const Real3 velocity = random.point({-speed, -speed, -speed}, {speed, speed, speed});
        add_body(scene, x, random(radii[0], radii[1]), velocity);
      }
    }
  }
}

/// A rectangle between two edges that start at `corner`, of n x n cells: 2 n^2 facets.
inline TriangleMesh sheet(const Real3& corner, const Real3& u, const Real3& v, std::uint32_t n) {
  TriangleMesh mesh;
  for (std::uint32_t j = 0; j <= n; ++j) {
    for (std::uint32_t i = 0; i <= n; ++i) {
      const double a = double(i) / n, b = double(j) / n;
      mesh.vertices.push_back(
          {corner[0] + a * u[0] + b * v[0], corner[1] + a * u[1] + b * v[1], corner[2] + a * u[2] + b * v[2]});
    }
  }
  for (std::uint32_t j = 0; j < n; ++j) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t p = j * (n + 1) + i, q = p + n + 1;
      mesh.triangles.push_back({p, p + 1, q + 1});
      mesh.triangles.push_back({p, q + 1, q});
    }
  }
  return mesh;
}

// --- brute force -----------------------------------------------------------------------------------------------

using IdPair = std::pair<std::uint32_t, std::uint32_t>;

/// All pairs of ids whose centres are closer than `reach(i, j)`, the lower id first.
template <class Reach>
std::set<IdPair> pairs_nearer_than(const Snapshot& state, const Reach& reach) {
  std::set<IdPair> pairs;
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    for (std::size_t j = i + 1; j < state.id.size(); ++j) {
      const Real3 &a = state.position[i], &b = state.position[j];
      const double dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
      const double limit = reach(i, j);
      if (dx * dx + dy * dy + dz * dz < limit * limit) { pairs.insert({state.id[i], state.id[j]}); }
    }
  }
  return pairs;
}

/// Pairs of ids that overlap, by brute force.
inline std::set<IdPair> overlapping_pairs(const Snapshot& state) {
  return pairs_nearer_than(state, [&](std::size_t i, std::size_t j) { return state.radius[i] + state.radius[j]; });
}

}  // namespace scree::inline SCREE_BACKEND
