#pragma once

#include "modes_kit.hpp"

/// Bonded level-set grains for tests: boxes with nodes in the middle of equal squares, so that the sum of the areas of
/// a face is exact and its second moment nearly so.
namespace scree::inline SCREE_BACKEND {

inline constexpr double bond_stiffness = 5e9, bond_shear_stiffness = 2e9;  ///< [Pa/m]
inline constexpr double bond_strength = 1e5, bond_cohesion = 6e4;          ///< [Pa]
inline constexpr std::size_t face_nodes = 10;                              ///< along an edge of the cube
inline constexpr double bond_gap = 0.02 * bead;                            ///< [m] between the faces

/// A box of these half edges, with n x n nodes on each face. The normals at all nodes of a face are those of the face:
/// the grid is fine enough that none is near an edge.
inline GrainShape box_grain(const Real3& half, std::size_t n) {
  GrainShape shape;
  shape.name = "box";
  fill_grid(shape, rounded_box(half, 0), std::max({half[0], half[1], half[2]}), 0.05 * bead);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
          Real3 x{};
          x[axis] = side * half[axis];
          x[u] = half[u] * ((2 * double(i) + 1) / double(n) - 1);
          x[v] = half[v] * ((2 * double(j) + 1) / double(n) - 1);
          shape.node.push_back(x);
          shape.node_area.push_back(4 * half[u] * half[v] / double(n * n));
        }
      }
    }
  }
  shape.volume = 8 * half[0] * half[1] * half[2];
  for (std::size_t k = 0; k < 3; ++k) {
    const double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
    shape.inertia[k] = shape.volume * (a * a + b * b) / 3;
  }
  shape.bounding_radius = length_of(half);
  shape.equivalent_radius = std::cbrt(0.75 * shape.volume / 3.14159265358979323846);
  return shape;
}

/// One material of grains, whose contacts make bonds.
inline Scene bond_scene(Precision precision = Precision::double_) {
  Scene scene = glass_scene(precision, LawKind::bonded);
  scene.pairs[0] = {};
  scene.pairs[0].friction = 0.4;
  Bond& bond = scene.pairs[0].bond;
  bond.tensile_strength = bond_strength;
  bond.cohesion = bond_cohesion;
  bond.gap = 0.05 * bead;
  bond.normal_stiffness = bond_stiffness;
  bond.shear_stiffness = bond_shear_stiffness;
  scene.interaction_range = 1.1;
  scene.time_step = 1e-6;
  scene.verlet_distance = 0.2 * bead;
  return scene;
}

/// A cube of half edge `bead` at the origin, whose upper face is bonded to a plate. The cube lends the nodes. The plate
/// comes second, unless it is asked for first. Faces that are less than 0 apart overlap.
inline Scene cube_and_plate(bool plate_first = false, double apart = bond_gap) {
  Scene scene = bond_scene();
  add_grain_shape(scene, box_grain({bead, bead, bead}, face_nodes));
  add_grain_shape(scene, box_grain({1.6 * bead, 1.6 * bead, bead}, face_nodes));
  const auto plate = [&] { physics::add_clump(scene, 1, {0, 0, 2 * bead + apart}); };
  if (plate_first) { plate(); }
  physics::add_clump(scene, 0, {0, 0, 0});
  if (!plate_first) { plate(); }
  return scene;
}

/// Both bodies keep their velocities.
inline Scene held(Scene scene) {
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.particles.group.assign(scene.particles.size(), 1);
  return scene;
}

}  // namespace scree::inline SCREE_BACKEND
