#pragma once

#include "engine_kit.hpp"

/// Dense beds in periodic cells.
namespace scree::inline SCREE_BACKEND {

/// n^3 moving beads of slightly different size in a cubic cell, in contact with their neighbours.
inline Scene dense_cell(int n, Precision precision = Precision::mixed, LawKind law = LawKind::hertz_mindlin,
                        std::uint64_t seed = 1) {
  Scene scene = glass_scene(precision, law);
  Random random(seed);
  const double spacing = 1.96 * bead;
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      for (int c = 0; c < n; ++c) {
        const Real3 x =
            random.point({-0.04 * bead, -0.04 * bead, -0.04 * bead}, {0.04 * bead, 0.04 * bead, 0.04 * bead});
        const Real3 v = random.direction(), w = random.direction();
        add_body(scene, {(a + 0.5) * spacing + x[0], (b + 0.5) * spacing + x[1], (c + 0.5) * spacing + x[2]},
                 random(0.97, 1.02) * bead, {0.02 * v[0], 0.02 * v[1], 0.02 * v[2]}, {20 * w[0], 20 * w[1], 20 * w[2]});
      }
    }
  }
  PeriodicCell cell;
  const double side = n * spacing;
  cell.edges = {{{side, 0, 0}, {0, side, 0}, {0, 0, side}}};
  scene.cell = cell;
  return scene;
}

/// A dense cell that is sheared and compressed.
inline Scene sheared_dense_cell(Precision precision) {
  Scene scene = dense_cell(5, precision);
  scene.cell->velocity_gradient = {{{0, 8, 0}, {0, 0, 0}, {0, 0, -3}}};
  return scene;
}

}  // namespace scree::inline SCREE_BACKEND
