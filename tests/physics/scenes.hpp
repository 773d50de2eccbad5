#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/factory.hpp"
#include "scree/scene.hpp"

/// Small scenes made by hand, and readings of their engines. Catalogue ids (A01, ...) in the tests refer to
/// docs/verification.md; "exact" answers are closed forms or solutions of the contact ODE.
namespace scree::physics {

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double standard_gravity = 9.81;
/// Young's modulus [Pa] of a rigid wall: E* and G* of a contact are those of the sphere alone.
inline constexpr double rigid = 1e30;

// --- vectors ---------------------------------------------------------------------------------------------------

inline Real3 operator+(const Real3& a, const Real3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Real3 operator-(const Real3& a, const Real3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Real3 operator*(double s, const Real3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Real3& a, const Real3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Real3 cross(const Real3& a, const Real3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Real3& a) { return std::sqrt(dot(a, a)); }

/// v rotated by an angle [rad] about an axis of any length (Rodrigues).
inline Real3 rotated(const Real3& v, const Real3& axis, double angle) {
  const Real3 e = (1 / norm(axis)) * axis;
  return std::cos(angle) * v + std::sin(angle) * cross(e, v) + ((1 - std::cos(angle)) * dot(e, v)) * e;
}

/// Reproducible numbers in [0, 1) (splitmix64). Draw into names, not among the arguments of a call, whose order
/// compilers choose.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  double next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double between(double low, double high) { return low + (high - low) * next(); }
  Real3 in_cube(double half) { return {between(-half, half), between(-half, half), between(-half, half)}; }

 private:
  std::uint64_t state_;
};

// --- scenes ----------------------------------------------------------------------------------------------------

struct Substance {
  double young = 0, poisson = 0, density = 0;
};

/// An empty scene without gravity, in double precision. Spheres are of material 0, walls of material 1.
inline Scene empty_scene(LawKind law, const Substance& sphere, const Substance& wall, const MaterialPair& contact,
                         double time_step) {
  Scene scene;
  scene.precision = Precision::double_;
  scene.law = law;
  scene.time_step = time_step;
  for (const Substance& s : {sphere, wall}) {
    Material material;
    material.density = s.density;
    material.young_modulus = s.young;
    material.poisson_ratio = s.poisson;
    scene.materials.push_back(material);
  }
  scene.pairs.assign(4, contact);
  return scene;
}

inline Scene hertz_scene(const Substance& sphere, const MaterialPair& contact, double time_step) {
  return empty_scene(LawKind::hertz_mindlin, sphere, {rigid, 0, 1}, contact, time_step);
}

inline Scene linear_scene(const Substance& sphere, double friction, double time_step) {
  return empty_scene(LawKind::cundall_strack, sphere, sphere, {friction, 0}, time_step);
}

inline void add_sphere(Scene& scene, const Real3& position, double radius, const Real3& velocity = {},
                       const Real3& spin = {}, std::uint32_t material = 0) {
  ParticleSet& p = scene.particles;
  p.position.push_back(position);
  p.velocity.push_back(velocity);
  p.angular_velocity.push_back(spin);
  p.radius.push_back(radius);
  p.material.push_back(material);
  if (scene.verlet_distance == 0) { scene.verlet_distance = 0.1 * radius; }
}

inline void add_plane(Scene& scene, const Real3& point, const Real3& normal, std::vector<Motion> motion = {}) {
  SceneBoundary boundary;
  boundary.material = 1;
  boundary.shape = PlaneBoundary{point, (1 / norm(normal)) * normal};
  boundary.motion = std::move(motion);
  scene.boundaries.push_back(std::move(boundary));
}

inline void add_mesh(Scene& scene, TriangleMesh mesh, std::vector<Motion> motion = {}) {
  SceneBoundary boundary;
  boundary.shape = MeshBoundary{};
  boundary.material = 1;
  boundary.mesh = std::move(mesh);
  boundary.motion = std::move(motion);
  scene.boundaries.push_back(std::move(boundary));
}

inline void add_cylinder(Scene& scene, const Real3& from, const Real3& to, double radius) {
  SceneBoundary boundary;
  boundary.material = 1;
  boundary.shape = CylinderBoundary{from, to, radius};
  scene.boundaries.push_back(std::move(boundary));
}

/// Gravity, and `count` loose spheres of 0.5 to 1 times a radius in layers of 16, in a box that is open at the top.
inline void pour_into_box(Scene& scene, int count, double radius) {
  scene.gravity = {0, 0, -standard_gravity};
  Numbers random(4);
  for (int k = 0; k < count; ++k) {
    const double r = radius * random.between(0.5, 1), s = 2.2 * radius;
    add_sphere(scene,
               Real3{(k % 4 + 0.5) * s, (k / 4 % 4 + 0.5) * s, (k / 16 + 0.5) * s} + random.in_cube(0.1 * radius), r);
  }
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  for (const Real3& n : {Real3{1, 0, 0}, Real3{0, 1, 0}}) {
    add_plane(scene, {0, 0, 0}, n);
    add_plane(scene, (8.8 * radius) * n, -1 * n);
  }
}

/// Parallelogram corner, corner + u, corner + u + v, corner + v as two triangles; its outer side is that of u x v.
inline TriangleMesh parallelogram(const Real3& corner, const Real3& u, const Real3& v) {
  return {{corner, corner + u, corner + u + v, corner + v}, {{{0, 1, 2}, {0, 2, 3}}}};
}

inline double sphere_mass(double radius, double density) { return 4.0 / 3.0 * pi * radius * radius * radius * density; }

// --- reading ---------------------------------------------------------------------------------------------------

inline std::unique_ptr<Engine> start(const Scene& scene) { return make_host_engine(scene, 1); }

/// One particle, with the contact force of the last step; velocities belong to the middle of that step.
struct Reading {
  Real3 position{}, velocity{}, spin{}, force{};
};

inline Reading read(Engine& engine, std::size_t index = 0) {
  const Snapshot s = engine.snapshot({true, false});
  return {s.position.at(index), s.velocity.at(index), s.angular_velocity.at(index), s.force.at(index)};
}

inline std::vector<std::uint32_t> coordination(Engine& engine) { return engine.snapshot({false, true}).coordination; }

/// [s] When value(engine) passes through 0, by linear interpolation within each step: the first `count` times, or fewer
/// if the engine reaches the time `end` [s] before.
template <class Value>
std::vector<double> zero_crossings(Engine& engine, std::size_t count, double end, const Value& value) {
  std::vector<double> times;
  double before = value(engine), time_before = engine.time();
  while (times.size() < count && engine.time() < end) {
    engine.advance(1);
    const double now = value(engine), time = engine.time();
    if (before * now < 0) { times.push_back(time - (time - time_before) * now / (now - before)); }
    before = now, time_before = time;
  }
  return times;
}

/// [m] largest distance between particles of equal id in two snapshots with the same particles.
inline double most_apart(const Snapshot& a, const Snapshot& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    most = std::fmax(most, norm(a.position[i] - b.position.at(i)));
  }
  return most;
}

}  // namespace scree::physics
