#include <gtest/gtest.h>

#include "cell_scenes.hpp"
#include "clump_shapes.hpp"
#include "host/measure/cell_meters.hpp"

/// Servos of cells hold their stress whatever the contacts lose, whatever the particles are, and while a dense packing
/// dilates.
namespace scree::physics::cell_servo_holds_test {

/// [Pa] Mean and largest error of the mean pressure over the last part of a run with an isotropic goal.
struct Hold {
  double mean = 0, worst = 0;
};

Hold hold_of(Scene scene) {
  CellStage stage = consolidation(grain_pressure, 2e-2);
  for (std::size_t k = 3; k < 6; ++k) { stage.goals[k] = stress(0); }
  stage.stress_error = stage.unbalanced_force = 0;
  scene.cell->stages = {stage};
  const auto engine = start(scene);
  engine->advance(20000);
  Hold hold;
  constexpr int looks = 100;
  for (int k = 0; k < looks; ++k) {
    engine->advance(50);
    const CellTensor now = measure_cell(MeasuredState(*engine), scene).stress;  // of clumps as wholes
    const double pressure = -(now[0] + now[1] + now[2]) / 3;
    hold.mean += pressure / looks;
    hold.worst = std::max(hold.worst, std::abs(pressure - grain_pressure));
  }
  return hold;
}

// Strong dashpots answer the rate of the cell at once. A servo that does not know them swings between 20 and 80 % of
// its goal.
TEST(CellServoHolds, HoldsAPressureAtLowRestitution) {
  for (const double damping : {0.3, 0.6, 0.7}) {  // of restitutions of some 0.35, 0.1 and 0.05
    for (const double friction : {0.0, 0.1}) {
      Scene scene = loose_cell(5, friction);
      for (MaterialPair& pair : scene.pairs) { pair.damping_ratio = damping; }
      const Hold hold = hold_of(scene);
      EXPECT_NEAR(hold.mean, grain_pressure, 0.01 * grain_pressure) << damping << " " << friction;
      EXPECT_LT(hold.worst, 0.05 * grain_pressure) << damping << " " << friction;
    }
  }
}

// The branches of stress and stiffness of clumps join centres of mass.
TEST(CellServoHolds, HoldsAPressureOfClumps) {
  Scene scene = loose_cell(4, 0.1, 0.0);
  const ParticleSet spheres = scene.particles;
  scene.particles = {};
  scene.clump_shapes = {dumbbell(0.6 * grain, 0.6 * grain)};
  for (const Real3& position : spheres.position) { add_clump(scene, 0, position); }
  const Hold hold = hold_of(scene);
  EXPECT_NEAR(hold.mean, grain_pressure, 0.01 * grain_pressure);
  EXPECT_LT(hold.worst, 0.05 * grain_pressure);
}

// In plane strain a dense packing becomes wider faster than it becomes shorter.
TEST(CellServoHolds, HoldsTheLateralStressOfADilatingPacking) {
  Scene scene = packed_cell(5, 0.5);
  CellStage stage;
  stage.goals[0] = stress(-grain_pressure);
  stage.goals[2] = strain_rate(-grain_rate(2e-3));
  stage.strain[2] = 0.08;
  scene.cell->stages = {stage};
  const auto engine = start(scene);
  double worst = 0;
  while (!engine->finished()) {
    engine->advance(200);
    const Matrix3 now = stress_of(*engine, scene);
    if (engine->cell()->strain[2] < -0.01) {
      worst = std::max(worst, std::abs(now[0][0] + grain_pressure) / grain_pressure);
    }
  }
  EXPECT_LT(worst, 0.1) << "it doubled while the limit of the rate was the driven rate";
}

}  // namespace scree::physics::cell_servo_holds_test
