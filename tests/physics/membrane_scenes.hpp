#pragma once

#include "host/packing/membrane_nodes.hpp"
#include "scenes.hpp"

/// Tubes of membranes along z, made by hand, and the closed forms of their lattice.
namespace scree::physics {

/// A tube whose nodes lie on a circle; nothing is inside.
struct Tube {
  double node = 1e-3, room = 12.7e-3, length = 0.04;  ///< [m] radius of the nodes, radius and length of the tube
  double young = 1e6, ratio = 0;                      ///< [Pa], [-] of the bonds
  double damping = 0;                                 ///< [-] Cundall's
  std::uint32_t fixed_ends = 0;                       ///< bits: components in which the first and the last ring stay
};

/// A scene with one membrane, of unbreakable bonds, as the first particles. Group 1 are the rings at its ends.
inline Scene tube_scene(const Tube& tube, double pressure, double time_step) {
  MaterialPair pair;
  pair.bond.tensile_strength = pair.bond.cohesion = 0.5 * tube.young;
  const Substance latex{tube.young, tube.ratio, 1000};
  Scene scene = empty_scene(LawKind::bonded, latex, latex, pair, time_step);
  scene.interaction_range = 1.05 * 1.5;
  const packing::MembraneNodes nodes = packing::membrane_nodes(
      {.name = "sleeve", .from = {0, 0, 0}, .to = {0, 0, tube.length}, .radius = tube.room}, tube.node);
  for (const Real3& place : nodes.spheres.position) { physics::add_sphere(scene, place, tube.node); }
  scene.groups.assign(2, {});
  for (SceneGroup& group : scene.groups) { group.damping = tube.damping; }
  scene.groups[1].fixed = tube.fixed_ends;
  const std::uint32_t n = nodes.lattice.nodes(), around = nodes.lattice.around;
  for (std::uint32_t k = 0; k < n; ++k) { scene.particles.group.push_back(k < around || k >= n - around ? 1 : 0); }
  scene.membranes.push_back({"sleeve", 0, 0, nodes.lattice, {{0, pressure}}});
  return scene;
}

/// The lattice of a tube: its nodes lie at the radius `circle` [m], two neighbours in a ring are 2 `half` [rad] apart,
/// and rings have the distance `rise` [m].
struct TubeLattice {
  double circle, half, rise;
  MembraneLattice lattice;

  explicit TubeLattice(const Tube& tube, const Scene& scene)
      : circle(tube.room + tube.node),
        half(pi / scene.membranes[0].lattice.around),
        rise((tube.length - 2 * tube.node) / (scene.membranes[0].lattice.rings - 1)),
        lattice(scene.membranes[0].lattice) {}

  /// [m] Distance of neighbours in a ring.
  [[nodiscard]] double chord() const { return 2 * circle * std::sin(half); }
  /// [m2] Force of a unit pressure on a node between two rings: 2/3 R h (sin a + sin 2a), from the area vectors of its
  /// six triangles.
  [[nodiscard]] double inward() const { return 2.0 / 3.0 * circle * rise * (std::sin(half) + std::sin(2 * half)); }
  /// [m2] The same along the axis, into the tube, on a node at an end: R^2/3 sin a (1 - cos a). It vanishes on others.
  [[nodiscard]] double along_at_ends() const { return circle * circle / 3 * std::sin(half) * (1 - std::cos(half)); }
  /// [m3] Volume between the polygons of all rings.
  [[nodiscard]] double volume_of_prisms() const {
    return 0.5 * lattice.around * circle * circle * std::sin(2 * half) * rise * (lattice.rings - 1);
  }
};

}  // namespace scree::physics
