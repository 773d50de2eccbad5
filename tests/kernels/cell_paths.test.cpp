#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fictitious_packing.hpp"

/// Paths of a periodic cell on which stresses count other stresses and strains follow other strains.
namespace scree::inline SCREE_BACKEND::cell_paths_test {

/// A goal of stress that counts multiples of other stresses.
CellGoal goal_with(double value, const CellTensor& plus) {
  CellGoal goal = stress_goal(value);
  goal.plus = plus;
  return goal;
}

// Compression and extension at constant mean stress: both lateral stresses give way by half of what the axial one
// gains.
TEST(CellControlTest, MeanStressHoldsWhileTheAxisIsDriven) {
  for (const double direction : {-1.0, 1.0}) {
    for (const double lasting : {0.1, 0.3, 1.0}) {
      FictitiousPacking packing = consolidated(packing_of(1e3, lasting));
      CellStage stage;
      stage.goals[0] = stage.goals[1] = goal_with(-1.5 * P, {0, 0, -0.5, 0, 0, 0});
      stage.goals[2] = rate_goal(direction * rate_at(packing, 1e-3));
      stage.strain[2] = 0.1;
      CellControl control = control_of(packing, {stage});
      double worst = 0, apart = 0;
      packing.run(control, 1000000, [&](const CellMeasure& m) {
        if (std::abs(packing.strain[2]) < 0.01) { return; }
        worst = std::max(worst, std::abs((m.stress[0] + m.stress[1] + m.stress[2]) / (3 * P) + 1));
        apart = std::max(apart, std::abs(m.stress[0] - m.stress[1]) / P);
      });
      EXPECT_TRUE(control.finished());
      EXPECT_LT(worst, 0.01) << direction << " " << lasting;  // 0.3 % of it are noise
      EXPECT_LT(apart, 1e-9);
      EXPECT_GT(std::abs(packing.measure().stress[2] - packing.measure().stress[0]), 0.7 * P);  // sheared to failure
    }
  }
}

// True triaxial compression: b = (middle - least) / (largest - least) of the pressures, at constant mean stress. With
// sz = 3 p - sx - sy the two conditions are sy = (1 - b) sx + b sz and sx + sy + sz = 3 p.
TEST(CellControlTest, TheMiddleStressKeepsItsRatio) {
  for (const double b : {0.2, 0.5, 0.8}) {
    FictitiousPacking packing = consolidated(packing_of(1e3, 0.3));
    CellStage stage;
    stage.goals[0] = goal_with(-3 * P, {0, -1, -1, 0, 0, 0});
    stage.goals[1] = goal_with(0, {1 - b, 0, b, 0, 0, 0});
    stage.goals[2] = rate_goal(-rate_at(packing, 1e-3));
    stage.strain[2] = 0.1;
    CellControl control = control_of(packing, {stage});
    double worst = 0, worst_mean = 0;
    packing.run(control, 1000000, [&](const CellMeasure& m) {
      if (packing.strain[2] > -0.01) { return; }
      worst = std::max(worst, std::abs((m.stress[1] - m.stress[0]) / (m.stress[2] - m.stress[0]) - b));
      worst_mean = std::max(worst_mean, std::abs((m.stress[0] + m.stress[1] + m.stress[2]) / (3 * P) + 1));
    });
    EXPECT_TRUE(control.finished());
    EXPECT_LT(worst, 0.02) << b;
    EXPECT_LT(worst_mean, 0.01) << b;
  }
}

// Cycles of the deviator, which no single stress shows, since the lateral stresses change as well.
TEST(CellControlTest, ARateReversesAtADeviator) {
  FictitiousPacking packing = consolidated(packing_of(1e3, 0.3));
  CellStage stage;
  const double rate = rate_at(packing, 1e-3);
  stage.goals[2] = rate_goal(-rate, 0.3 * P);
  stage.goals[2].plus = {-0.5, -0.5, 0, 0, 0, 0};
  stage.goals[0] = stage.goals[1] = rate_goal(0);
  CellControl control = control_of(packing, {stage});
  double low = 0, high = 0, last = 1;
  int turns = 0;
  packing.run(control, 20000, [&](const CellMeasure& m) {
    const double deviator = (m.stress[2] - 0.5 * (m.stress[0] + m.stress[1])) / P;
    low = std::min(low, deviator), high = std::max(high, deviator);
    if (control.state().sign[2] != last) { ++turns; }
    last = control.state().sign[2];
  });
  EXPECT_GT(turns, 6);
  // The rate reverses one interval of measures late at most: 10 dt * rate * (C11 - C12) = 1.4 % of P; 0.3 % are noise.
  EXPECT_NEAR(high, 0.3, 0.02);
  EXPECT_NEAR(low, -0.3, 0.02);
}

/// The component `k` takes this part of the strain of the axis z.
CellGoal follower_of_z(double part) {
  CellGoal goal;
  goal.kind = CellGoal::Kind::follows;
  goal.follows[2] = part;
  return goal;
}

// The cyclic triaxial test at constant volume: the lateral strains turn with the axial one. Six reversals end it.
TEST(CellControlTest, LateralStrainsFollowTheAxialOne) {
  FictitiousPacking packing = consolidated(packing_of(1e3, 0.3));
  CellStage stage;
  stage.goals[2] = rate_goal(-rate_at(packing, 1e-3), 0.3 * P);
  stage.goals[2].plus = {-0.5, -0.5, 0, 0, 0, 0};
  stage.goals[0] = follower_of_z(-0.7);
  stage.goals[1] = follower_of_z(-0.3);
  stage.reversals = 6;
  CellControl control = control_of(packing, {stage});
  const CellTensor before = packing.strain;
  double low = 0, high = 0, last = 1, swelling = 0, apart = 0;
  int turns = 0;
  packing.run(control, 100000, [&](const CellMeasure& m) {
    const double deviator = (m.stress[2] - 0.5 * (m.stress[0] + m.stress[1])) / P;
    low = std::min(low, deviator), high = std::max(high, deviator);
    if (control.state().sign[2] != last) { ++turns; }
    last = control.state().sign[2];
    CellTensor strain = packing.strain;
    for (std::size_t k = 0; k < 6; ++k) { strain[k] -= before[k]; }
    swelling = std::max(swelling, std::abs(strain[0] + strain[1] + strain[2]));
    apart = std::max(apart, std::abs(strain[0] + 0.7 * strain[2]));
  });
  EXPECT_TRUE(control.finished());
  EXPECT_EQ(turns, 6);
  // The rate reverses one interval of measures late at most: 10 dt rate times 1.5 (C11 - C12) is 2.1 % of P.
  EXPECT_NEAR(high, 0.3, 0.03);
  EXPECT_NEAR(low, -0.3, 0.03);
  EXPECT_LT(swelling, 1e-12);  // thousands of steps, each with a few roundings of strains below 1e-2
  EXPECT_LT(apart, 1e-12);
}

// A servo holds its stress where other strains follow its own, at constant volume and where all grow together.
TEST(CellControlTest, StrainsFollowAServo) {
  for (const double part : {-0.5, 0.0, 1.0}) {
    FictitiousPacking packing = consolidated(packing_of(1e3, 0.3));
    CellStage stage;
    stage.goals[0] = stage.goals[1] = follower_of_z(part);
    stage.goals[2] = stress_goal(-1.2 * P);
    stage.stress_error = 0.002;
    stage.duration = 20000 * packing.dt();
    CellControl control = control_of(packing, {stage});
    const CellTensor before = packing.strain;
    double largest = 0;
    const std::uint64_t steps =
        packing.run(control, 100000, [&](const CellMeasure& m) { largest = std::min(largest, m.stress[2] / P); });
    EXPECT_LT(steps, 15000U) << part;
    EXPECT_NEAR(packing.measure().stress[2] / P, -1.2, 0.005) << part;
    EXPECT_GT(largest, -1.21) << part;  // no overshoot; the noise is 0.4 % of P
    EXPECT_NEAR(packing.strain[0] - before[0], part * (packing.strain[2] - before[2]), 1e-12) << part;
  }
}

}  // namespace scree::inline SCREE_BACKEND::cell_paths_test
