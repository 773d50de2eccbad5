#pragma once

#include "engine_kit.hpp"

namespace scree::inline SCREE_BACKEND {

/// Bodies that fall into a heap between rough walls.
inline Scene heap(Precision precision, LawKind law, double verlet) {
  Scene scene = glass_scene(precision, law);
  scene.gravity = {1, 0.5, -9.81};
  scene.integration.damping = 0.6;
  scene.time_step = 8e-6;
  scene.verlet_distance = verlet * bead;
  Random random(11);
  add_lattice(scene, {4, 4, 5}, {0, 0, 0.1 * bead}, 2.2 * bead, {0.8 * bead, bead}, 0.05, random);
  add_box_walls(scene, {4 * 2.2 * bead, 4 * 2.2 * bead, 0});
  return scene;
}

/// A pyramid in which each layer lies in the hollows of the layer below. It is at rest almost from the start.
inline Scene pyramid(Precision precision, LawKind law, double verlet) {
  Scene scene = glass_scene(precision, law);
  scene.gravity = {1, 0.5, -9.81};
  scene.integration.damping = 0.6;
  scene.time_step = 8e-6;
  scene.verlet_distance = verlet * bead;
  const double spacing = 2.001 * bead;
  for (int layer = 0; layer < 4; ++layer) {
    for (int j = 0; j < 4 - layer; ++j) {
      for (int i = 0; i < 4 - layer; ++i) {
        add_body(scene,
                 {(i + 0.5 * (layer + 1)) * spacing, (j + 0.5 * (layer + 1)) * spacing, bead + layer * 1.416 * bead});
      }
    }
  }
  add_box_walls(scene, {4 * spacing, 4 * spacing, 0});
  return scene;
}

}  // namespace scree::inline SCREE_BACKEND
