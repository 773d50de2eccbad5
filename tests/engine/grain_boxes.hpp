#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "grain_kit.hpp"

/// Boxes as level-set grains, for all tests of grains at edges.
namespace scree::inline SCREE_BACKEND::grain_boxes {

inline const Real3 half{3 * bead, 2 * bead, bead};

/// How a box is made.
struct BoxGrain {
  double rounding = 0.1 * bead, spacing = 0.25 * bead;
  std::size_t nodes = 600;
};

/// A flat box with springs of given stiffness.
inline Scene scene_of_box(double restitution_damping, double friction, const Real3& place, const Real3& velocity,
                          const std::array<double, 4>& orientation = {1, 0, 0, 0}, const BoxGrain& grain = {}) {
  Scene scene = glass_scene(Precision::double_, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].friction = friction;
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 2e4;
  scene.pairs[0].springs.shear_stiffness = 1e4;
  scene.pairs[0].springs.damping_ratio = scene.pairs[0].springs.shear_damping_ratio = restitution_damping;
  scene.time_step = 1e-6;
  scene.verlet_distance = 0.2 * bead;
  scene.energies = true;
  const Real3 core{half[0] - grain.rounding, half[1] - grain.rounding, half[2] - grain.rounding};
  add_grain_shape(scene, grain_of(rounded_box(core, grain.rounding), length_of(half), grain.spacing, grain.nodes));
  physics::add_clump(scene, 0, place, velocity, {0, 0, 0}, orientation);
  return scene;
}

/// The six sides of a block.
inline TriangleMesh block(const Real3& low, const Real3& high) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    mesh.vertices.push_back(
        {(k & 1) != 0 ? high[0] : low[0], (k & 2) != 0 ? high[1] : low[1], (k & 4) != 0 ? high[2] : low[2]});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

inline double kinetic(Engine& engine) {
  const EnergyLedger e = engine.energies();
  return e.kinetic_translation + e.kinetic_rotation;
}

/// The largest kinetic energy [J] over some steps.
inline double most_kinetic(Engine& engine, int batches) {
  double most = 0;
  for (int k = 0; k < batches; ++k) {
    engine.advance(50);
    most = std::max(most, kinetic(engine));
  }
  return most;
}

}  // namespace scree::inline SCREE_BACKEND::grain_boxes
