#pragma once

#include <algorithm>
#include <cmath>

#include "scenes.hpp"

/// Scenes in periodic cells, and readings of their stress.
namespace scree::physics {

// --- matrices: rows --------------------------------------------------------------------------------------------

inline Real3 operator*(const Matrix3& m, const Real3& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }
inline Matrix3 transposed(const Matrix3& m) {
  Matrix3 t;
  for (std::size_t i = 0; i < 3; ++i) { t[i] = {m[0][i], m[1][i], m[2][i]}; }
  return t;
}
inline Matrix3 product(const Matrix3& a, const Matrix3& b) {
  const Matrix3 t = transposed(b);
  return {t * a[0], t * a[1], t * a[2]};
}
inline Matrix3 identity_matrix() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }
inline double determinant_of(const Matrix3& m) { return dot(m[0], cross(m[1], m[2])); }
inline Matrix3 inverted(const Matrix3& m) {
  const double d = 1 / determinant_of(m);
  return transposed({d * cross(m[1], m[2]), d * cross(m[2], m[0]), d * cross(m[0], m[1])});
}
/// Rotation by an angle [rad] about an axis.
inline Matrix3 rotation_matrix(const Real3& axis, double angle) {
  return transposed(
      {rotated({1, 0, 0}, axis, angle), rotated({0, 1, 0}, axis, angle), rotated({0, 0, 1}, axis, angle)});
}

// --- scenes ----------------------------------------------------------------------------------------------------

inline PeriodicCell box_cell(const Real3& size) {
  PeriodicCell cell;
  cell.edges = {{{size[0], 0, 0}, {0, size[1], 0}, {0, 0, size[2]}}};
  return cell;
}

/// Packings here are made of spheres with a diameter of 10 mm, as soft as they may be: under grain_pressure overlaps
/// are 1 % of the radius.
constexpr double grain = 0.005;  // [m] mean radius
constexpr Substance grain_matter{1e7, 0.3, 2500};
constexpr double grain_pressure = 1e4;  // [Pa]
constexpr double grain_step = 5e-5;     // [s] some 0.1 of the critical step

/// [1/s] strain rate with a given inertial number under grain_pressure.
inline double grain_rate(double inertial) {
  return inertial * std::sqrt(grain_pressure / grain_matter.density) / (2 * grain);
}

/// n^3 moving spheres of different size on a jittered lattice in a cubic cell, with a solid fraction of 0.35.
inline Scene loose_cell(std::size_t n, double friction, double spread = 0.1, std::uint64_t seed = 1) {
  Scene scene = hertz_scene(grain_matter, {friction, 0.3}, grain_step);
  Numbers numbers(seed);
  const double pitch = 2 * grain * std::cbrt(pi / 6 / 0.35), room = 0.5 * pitch - (1 + spread) * grain;
  for (std::size_t k = 0; k < n * n * n; ++k) {
    const Real3 site{double(k % n) + 0.5, double(k / n % n) + 0.5, double(k / n / n) + 0.5};
    const Real3 velocity = numbers.in_cube(0.2);
    const double radius = grain * numbers.between(1 - spread, 1 + spread);
    add_sphere(scene, pitch * site + numbers.in_cube(std::max(room, 0.02 * grain)), radius, velocity);
  }
  scene.verlet_distance = 0.1 * grain;
  scene.cell = box_cell(double(n) * pitch * Real3{1, 1, 1});
  return scene;
}

inline CellGoal stress(double value) { return {CellGoal::Kind::stress, {{0.0, value}}}; }
inline CellGoal strain_rate(double value) { return {CellGoal::Kind::strain_rate, {{0.0, value}}}; }

/// A stage in which all normal stresses reach the same value.
inline CellStage consolidation(double pressure, double inertial = 1e-2) {
  CellStage stage;
  for (std::size_t k = 0; k < 3; ++k) { stage.goals[k] = stress(-pressure); }
  stage.inertial_number = inertial;
  stage.stress_error = 0.005;
  stage.unbalanced_force = 0.01;
  return stage;
}

/// A scene with the present particles and cell of an engine. Particles keep their velocities; contacts lose their
/// histories.
inline Scene scene_from(Scene scene, Engine& engine) {
  const Snapshot now = engine.snapshot();
  const CellState cell = engine.cell().value();
  scene.particles.position = now.position;
  scene.particles.velocity = now.fluctuation;
  scene.particles.angular_velocity.assign(now.id.size(), Real3{});
  scene.cell->edges = cell.edges;
  scene.cell->origin = cell.origin;
  scene.cell->stages.clear();
  return scene;
}

/// A packing that was compressed isotropically to a pressure [Pa]. Without a given friction it is made without
/// friction, and is dense.
inline Scene packed_cell(std::size_t n, double friction, double making_friction = 0, double pressure = grain_pressure) {
  Scene scene = loose_cell(n, making_friction);
  scene.cell->stages = {consolidation(pressure)};
  const auto engine = start(scene);
  engine->advance(200000);
  Scene result = scene_from(scene, *engine);
  if (!engine->finished()) { result.particles = {}; }  // every test fails without particles
  for (MaterialPair& pair : result.pairs) { pair.friction = friction; }
  return result;
}

// --- reading ---------------------------------------------------------------------------------------------------

/// [Pa] contact stress -(1/V) sum of f_on2 (x) branch, not symmetrised.
inline Matrix3 contact_stress(Engine& engine, double volume) {
  Matrix3 sum{};
  for (const TouchingContact& c : engine.touching_contacts()) {
    for (std::size_t i = 0; i < 3; ++i) { sum[i] = sum[i] - (c.force[i] / volume) * c.branch; }
  }
  return sum;
}

/// [Pa] stress with the kinetic part of the motion relative to the mean flow.
inline Matrix3 stress_of(Engine& engine, const Scene& scene) {
  const double volume = engine.cell()->volume;
  Matrix3 sum = contact_stress(engine, volume);
  const Snapshot now = engine.snapshot();
  for (std::size_t p = 0; p < now.id.size(); ++p) {
    const double mass = sphere_mass(now.radius[p], scene.materials[0].density);
    for (std::size_t i = 0; i < 3; ++i) {
      sum[i] = sum[i] - (mass * now.fluctuation[p][i] / volume) * now.fluctuation[p];
    }
  }
  return sum;
}

/// [m] unwrapped positions, which never jump.
inline std::vector<Real3> whole_way(const Snapshot& now, const CellState& cell) {
  std::vector<Real3> x = now.position;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) { x[i] = x[i] + double(now.image[i][k]) * cell.edges[k]; }
  }
  return x;
}

/// [m] the shortest image of a displacement.
inline Real3 shortest(const Real3& way, const Matrix3& edges) {
  const Real3 s = inverted(transposed(edges)) * way;
  const Real3 part{s[0] - std::round(s[0]), s[1] - std::round(s[1]), s[2] - std::round(s[2])};
  return transposed(edges) * part;
}

/// [-] solid fraction: volume of the spheres over the volume of the cell.
inline double solid_fraction(const Snapshot& now, double volume) {
  double sum = 0;
  for (const double r : now.radius) { sum += sphere_mass(r, 1) / volume; }
  return sum;
}

}  // namespace scree::physics
