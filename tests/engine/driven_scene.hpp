#pragma once

#include "busy_scene.hpp"

namespace scree::inline SCREE_BACKEND {

/// The busy scene with a swinging paddle that a torque turns, and a lid that falls on everything.
inline Scene driven_scene(Precision precision, double verlet) {
  Scene scene = busy_scene(precision, LawKind::hertz_mindlin, verlet);
  scene.outlets.clear();
  scene.outlet_names.clear();
  Oscillation swing;
  swing.direction = Real3{1, 1, 0};
  swing.amplitude = 0.3 * bead, swing.frequency = 900;
  scene.boundaries[2].motion = {{swing}};
  Drive turned;
  turned.rotation = DrivenRotation{.inertia = 2e-9, .axis = {0, 0, 1}, .torque = 1e-4, .rate = 40};
  scene.boundaries[2].drive = turned;
  std::get<PlaneBoundary>(scene.boundaries[3].shape).point = {0, 0, 19.5 * bead};
  Drive falls;
  falls.translation = DrivenTranslation{.mass = 2e-3, .free = {"z"}, .force = {0, 0, -1}, .velocity = {0, 0, -2}};
  falls.from = 1e-4;
  scene.boundaries[3].drive = falls;
  return scene;
}

}  // namespace scree::inline SCREE_BACKEND
