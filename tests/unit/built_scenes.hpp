#pragma once

#include <cstdint>

#include "scree/build_scene.hpp"

/// A small case, parts of it, and what build_scene() makes of it.
namespace scree::test::built_scenes {

inline ParticleGroup lattice_group() {
  ParticleGroup group;
  group.material = "glass";
  group.radius = FixedSize{0.05};
  group.lattice = Lattice{LatticeKind::simple_cubic, {{0, 0, 0}, {1, 1, 0.2}}, 0.1, 0};
  return group;
}

inline ParticleGroup fill_group(std::uint64_t count) {
  ParticleGroup group;
  group.material = "steel";
  group.radius = FixedSize{0.04};
  group.fill = Fill{BoxRegion{{0, 0, 0}, {1, 1, 1}}, count, {}};
  return group;
}

inline Case small_case() {
  Case input;
  input.time.duration = 1;
  input.materials = {{"glass", {2500, 1e7, 0.25, 0.4, 0.8}}, {"steel", {7800, 1e9, 0.3, 0.2, 0.6}}};
  input.particles = {lattice_group()};
  Boundary floor;
  floor.shape = PlaneBoundary{{0, 0, 0}, {0, 0, 4}};
  floor.material = "steel";
  input.boundaries = {{"floor", floor}};
  return input;
}

inline Scene build(const Case& input) {
  SceneReport report;
  return build_scene(input, report);
}

inline SceneReport report_of(const Case& input) {
  SceneReport report;
  (void)build_scene(input, report);
  return report;
}

}  // namespace scree::test::built_scenes
