// A whole program with the engine of scree: three glass beads fall on a plane and come to rest.
// Prints the time [s] and the heights of their centres [m], a row every 10 ms.
#include <cstdio>

#include "scree/engine.hpp"

int main() {
  scree::Scene scene;
  scene.precision = scree::Precision::double_;
  scene.gravity = {0, 0, -9.81};
  scene.time_step = 2e-5;
  scene.verlet_distance = 3e-4;
  scene.materials = {
      {.density = 2500, .young_modulus = 1e7, .poisson_ratio = 0.25, .friction = 0.5, .restitution = {}}};
  scene.pairs = {{.friction = 0.5, .damping_ratio = 0.3}};
  scene.boundaries.resize(1);  // the default: a plane of material 0 through the origin, its normal along z
  scree::ParticleSet& beads = scene.particles;
  beads.position = {{0, 0, 0.02}, {0.01, 0, 0.03}, {0.02, 0, 0.04}};
  beads.radius = {3e-3, 4e-3, 5e-3};
  beads.velocity.resize(3);
  beads.angular_velocity.resize(3);
  beads.material.resize(3);

  const auto engine = scree::make_engine(scene, {});
  for (int row = 0; row < 50; ++row) {
    engine->advance(500);
    const scree::Snapshot now = engine->snapshot();
    std::printf("%.2f %.9f %.9f %.9f\n", now.time, now.position[0][2], now.position[1][2], now.position[2][2]);
  }
}
