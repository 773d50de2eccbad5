#pragma once

#include "engine_kit.hpp"

namespace scree::inline SCREE_BACKEND {

/// A scene with many features at once: two sizes of bodies in a ratio of 5, a rotating paddle of facets, a moving floor
/// inside a cylinder, outlets that remove bodies, friction, and enough gravity to press all bodies together at once.
inline Scene busy_scene(Precision precision, LawKind law, double verlet) {
  Scene scene = glass_scene(precision, law);
  scene.gravity = {0, 0, -800};
  scene.integration.damping = 0.3;
  scene.verlet_distance = verlet * bead;
  scene.interaction_range = law == LawKind::jkr ? 1.1 : 1;
  Random random(3);
  const double spacing = 2.1 * bead;
  add_lattice(scene, {10, 10, 8}, {-5 * spacing, -5 * spacing, 2 * bead}, spacing, {0.95 * bead, bead}, 1.5, random);
  for (std::size_t i = 0; i < scene.particles.size(); i += 6) { scene.particles.radius[i] = 0.2 * bead; }

  add_cylinder(scene, {0, 0, -20 * bead}, {0, 0, 200 * bead}, 14.5 * bead);
  SceneBoundary& floor = add_mesh(scene, sheet({-20 * bead, -20 * bead, 0}, {40 * bead, 0, 0}, {0, 40 * bead, 0}, 12));
  floor.motion = {{Translation{{0.3, 0, 0.2}}, 2e-4, 8e-4}};
  SceneBoundary& paddle = add_mesh(scene, sheet({-13 * bead, 0, 0.5 * bead}, {26 * bead, 0, 0}, {0, 0, 20 * bead}, 6));
  paddle.facet_loads = FacetOutput{};
  paddle.motion = {{Rotation{{0, 0, 1}, {0, 0, 0}, 60.0}}};
  add_plane(scene, {0, 0, 60 * bead}, {0, 0, -1});
  add_outlet(scene, "right", {9 * bead, 0, 0}, {1, 0, 0});
  add_outlet(scene, "top", {0, 0, 17.5 * bead}, {0, 0, 1});
  return scene;
}

}  // namespace scree::inline SCREE_BACKEND
