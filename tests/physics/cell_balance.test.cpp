#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "cell_scenes.hpp"
#include "clump_shapes.hpp"
#include "host/measure/cell_meters.hpp"

/// What the control of a cell measures while stages follow each other: the values of the present moment.
namespace scree::physics::cell_balance_test {

constexpr std::uint64_t rest_steps = 1000, squeeze_steps = 45;
constexpr double balance = 1e-3;  // [-] unbalanced force at which the last stage ends

/// The middle of site k of a lattice of 3 x 3 x 3 sites of length 1.
Real3 middle_of_site(int k) {
  const int row = k / 3, layer = k / 9;
  return {k % 3 + 0.5, row % 3 + 0.5, layer + 0.5};
}

/// 27 spheres of different size that overlap by some 2.5 % of their radius.
Scene lattice() {
  Scene scene = hertz_scene(grain_matter, {0.5, 0.3}, grain_step);
  Numbers numbers(3);
  const double pitch = 1.95 * grain;
  for (int k = 0; k < 27; ++k) {
    const Real3 site = middle_of_site(k);
    const Real3 off = numbers.in_cube(0.03 * grain);
    add_sphere(scene, pitch * site + off, numbers.between(0.95, 1.05) * grain);
  }
  scene.verlet_distance = 0.1 * grain;
  scene.cell = box_cell({3 * pitch, 3 * pitch, 3 * pitch});
  return scene;
}

CellStage stage_of(double rate, double steps) {
  CellStage stage;
  for (CellGoal& goal : stage.goals) { goal = strain_rate(0); }
  stage.goals[2] = strain_rate(rate);
  stage.duration = steps * grain_step;
  return stage;
}

/// The spheres come to rest, and are then squeezed within a few steps, without a measure.
Scene squeezed_after_rest(const CellStage& last) {
  Scene scene = lattice();
  CellStage rest = stage_of(0, double(rest_steps));
  rest.stress[0] = 1e30;  // never, but rests by measures
  scene.cell->stages = {rest, stage_of(-20, double(squeeze_steps)), last};
  return scene;
}

/// [Pa] The stiffness of the last measure of the control.
CellTensor stiffness_in(const EngineState& state) {
  std::array<CellTensor, 2> measure{};  // stress and stiffness
  const StateArray* const saved = state.find("cell/measure");
  EXPECT_NE(saved, nullptr);
  if (saved != nullptr) { std::memcpy(measure.data(), saved->bytes.data(), sizeof(measure)); }
  return measure[1];
}

double unbalanced_force(Engine& engine, const Scene& scene) {
  return measure_cell(MeasuredState(engine, {.forces = true, .contacts = true, .loads = true}), scene).unbalanced_force;
}

/// Advances to the end of the last stage, which must be the first measure of the series that is balanced, after some
/// that are not.
void expect_end_at_balance(Engine& engine, const Scene& scene) {
  int measures = 0;
  for (; !engine.finished(); ++measures) {
    engine.advance(10);
    ASSERT_LT(measures, 1000);
    EXPECT_EQ(unbalanced_force(engine, scene) <= balance, engine.finished()) << engine.step();
  }
  EXPECT_GT(measures, 2);
}

// A stage ends with the first of its measures, one every ten steps, at which the force is small. The force before the
// stage was small, too.
TEST(CellBalance, AStageEndsByTheForceOfTheSameMoment) {
  CellStage wait = stage_of(0, std::numeric_limits<double>::infinity());
  wait.unbalanced_force = balance;
  const Scene scene = squeezed_after_rest(wait);
  const auto engine = start(scene);
  engine->advance(rest_steps);
  EXPECT_EQ(engine->cell()->stage, 1U);
  EXPECT_LT(unbalanced_force(*engine, scene), balance) << "at rest";
  engine->advance(squeeze_steps + 5);
  EXPECT_EQ(engine->cell()->stage, 2U);
  EXPECT_GT(unbalanced_force(*engine, scene), 2 * balance) << "the spheres have just been squeezed";
  int measures = 1;
  while (!engine->finished()) {
    EXPECT_GT(unbalanced_force(*engine, scene), balance) << engine->step();
    engine->advance(10);
    ASSERT_LT(++measures, 1000);
  }
  EXPECT_LE(unbalanced_force(*engine, scene), balance);
  EXPECT_GT(measures, 2);
}

// Forces on particles whose centres are fixed never vanish. They count neither for the control nor in the series.
TEST(CellBalance, FixedParticlesDoNotCount) {
  CellStage wait = stage_of(0, std::numeric_limits<double>::infinity());
  wait.unbalanced_force = balance;
  Scene scene = lattice();
  scene.clump_shapes = {shape_of({{-0.1 * grain, 0, 0}, {0.1 * grain, 0, 0}}, {0.9 * grain, 0.9 * grain})};
  const Real3 place = scene.particles.position.back();
  scene.particles.position.pop_back(), scene.particles.velocity.pop_back(), scene.particles.radius.pop_back();
  scene.particles.angular_velocity.pop_back(), scene.particles.material.pop_back();
  add_clump(scene, 0, place, {});
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation;
  scene.particles.group.assign(scene.particles.size(), 0);
  scene.particles.group[4] = scene.particles.group[26] = scene.particles.group[27] = 1;
  scene.cell->stages = {wait};
  const auto engine = start(scene);
  expect_end_at_balance(*engine, scene);
  const Snapshot now = engine->snapshot({.force = true, .held = true});
  EXPECT_EQ(now.held[4], 1);
  EXPECT_EQ(now.held[5], 0);
  const Real3 on_clump = now.force[26] + now.force[27];
  EXPECT_GT(std::sqrt(dot(on_clump, on_clump)), 0) << "a fixed particle is pushed";
}

// Two neighbours are pulled apart, each by the force of its group. Contacts balance these forces in the end, so the
// control and the series must count them. A third particle cannot move along z, where the forces on it never vanish.
TEST(CellBalance, ForcesOfGroupsCount) {
  CellStage wait = stage_of(0, std::numeric_limits<double>::infinity());
  wait.unbalanced_force = balance;
  Scene scene = lattice();
  const double force = 0.3 * grain * grain * grain_matter.young * 1e-3;
  scene.groups.resize(4);
  scene.groups[1].force = {force, 0, 0};
  scene.groups[2].force = {-force, 0, 0};
  scene.groups[3].fixed = 4;
  scene.particles.group.assign(scene.particles.size(), 0);
  scene.particles.group[13] = 1, scene.particles.group[12] = 2, scene.particles.group[22] = 3;
  scene.cell->stages = {wait};
  const auto engine = start(scene);
  expect_end_at_balance(*engine, scene);
  const Snapshot now = engine->snapshot({.force = true});
  EXPECT_NEAR(now.force[13][0], -force, 0.1 * force) << "contacts balance the force";
  EXPECT_NEAR(now.force[12][0], force, 0.1 * force);
  EXPECT_GT(std::fabs(now.force[22][2]), 0.01 * force) << "the group holds this component";
}

// If the centres of all particles are fixed, no force is unbalanced, and none is balanced either.
TEST(CellBalance, WithoutFreeParticlesNothingIsBalanced) {
  CellStage wait = stage_of(0, 100);
  wait.unbalanced_force = 1e9;
  Scene scene = lattice();
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation;
  scene.particles.group.assign(scene.particles.size(), 1);
  scene.cell->stages = {wait};
  const auto engine = start(scene);
  engine->advance(90);
  EXPECT_GT(engine->counts().contacts, 0U);
  EXPECT_EQ(engine->cell()->stage, 0U);
  EXPECT_TRUE(std::isnan(unbalanced_force(*engine, scene)));
  engine->advance(20);
  EXPECT_TRUE(engine->finished()) << "its duration is over";
}

// Contact forces act where particles were one step ago. Clumps that spin turn their arms by 0.005 in a step, which
// their branches, from centre to centre, must not see. Reference: the centres before the step. Rounding is far below
// 1e-9, but velocities of members, which the measure of the series uses, are rounded to single precision: 1e-7 of 0.2
// m/s times a step of 5e-5 s, over a branch of 0.01 m.
TEST(CellBalance, BranchesOfClumpsAreThoseOfTheMomentOfTheForces) {
  Scene scene = hertz_scene(grain_matter, {0.5, 0.3}, grain_step);
  scene.clump_shapes = {shape_of({{-0.5 * grain, 0, 0}, {0.5 * grain, 0, 0}}, {grain, grain})};
  Numbers numbers(5);
  const double pitch = 2.4 * grain, side = 3 * pitch;
  for (int k = 0; k < 27; ++k) { add_clump(scene, 0, pitch * middle_of_site(k), {}, numbers.in_cube(100)); }
  scene.verlet_distance = 0.1 * grain;
  scene.cell = box_cell({side, side, side});
  CellStage stage = stage_of(0, 1e9);
  stage.stress[0] = 1e30;
  scene.cell->stages = {stage};
  const auto engine = start(scene);
  engine->advance(29);
  const std::vector<SnapshotClump> before = engine->snapshot().clumps;
  engine->advance(1);
  Matrix3 moment{};
  for (const TouchingContact& c : engine->touching_contacts()) {
    const Real3 branch = shortest(before[c.second / 2].position - before[c.first / 2].position, engine->cell()->edges);
    for (std::size_t i = 0; i < 3; ++i) { moment[i] = moment[i] + c.force[i] * branch; }
  }
  const MeasuredState state(*engine, {.forces = true, .contacts = true, .loads = true});
  const CellMeasures measures = measure_cell(state, scene);
  CellTensor control{};
  const EngineState saved = engine->save();
  std::memcpy(control.data(), saved.find("cell/measure")->bytes.data(), sizeof(control));
  constexpr std::size_t axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  const double scale = std::fabs(measures.stress[0] + measures.stress[1] + measures.stress[2]) / 3;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = axes[k];
    const double expected = -0.5 * (moment[i][j] + moment[j][i]) / (side * side * side) + measures.kinetic_stress[k];
    EXPECT_NEAR(measures.stress[k], expected, 1e-7 * scale) << k;
    EXPECT_NEAR(control[k], expected, 1e-7 * scale) << k;
  }
}

// The stiffness of Hertz contacts grows with the root of the overlap. The squeeze makes the overlap along z nearly
// three times as long.
TEST(CellBalance, AServoBeginsWithTheStiffnessOfItsStage) {
  CellStage press = stage_of(0, std::numeric_limits<double>::infinity());
  press.goals[2] = stress(-2 * grain_pressure);
  const auto engine = start(squeezed_after_rest(press));
  engine->advance(rest_steps);
  const CellTensor before = stiffness_in(engine->save());
  engine->advance(squeeze_steps + 5);
  EXPECT_EQ(engine->cell()->stage, 2U);
  EXPECT_GT(stiffness_in(engine->save())[2], 1.3 * before[2]);
}

}  // namespace scree::physics::cell_balance_test
