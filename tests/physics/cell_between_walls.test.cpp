#include <gtest/gtest.h>

#include <cstring>

#include "cell_scenes.hpp"
#include "clump_shapes.hpp"
#include "host/measure/cell_meters.hpp"

/// Cells that repeat along x and y between walls across z, under control.
namespace scree::physics::cell_between_walls_test {

constexpr double pressure = grain_pressure;

/// A loose packing between a floor and a lid, pressed along x and y alone. `height` [m] is the length of the cell that
/// the case gives along z, which nobody meets.
Scene slab(double height, std::size_t n = 4) {
  Scene scene = loose_cell(n, 0.3);
  const double room = scene.cell->edges[2][2];
  scene.cell->edges[2][2] = height * room;
  scene.cell->periodic = {true, true, false};
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, room}, {0, 0, -1});
  CellStage press;
  press.goals[0] = press.goals[1] = stress(-pressure);
  press.inertial_number = 2e-2;
  press.stress_error = 0.01;
  press.unbalanced_force = 0.02;
  scene.cell->stages = {press};
  return scene;
}

MeasuredState measured(Engine& engine) {
  return MeasuredState(engine, {.forces = true, .contacts = true, .loads = true});
}

/// [Pa] The stress of the last measure of the control.
CellTensor stress_in(const EngineState& state) {
  CellTensor stress{};
  const StateArray* const measure = state.find("cell/measure");
  EXPECT_NE(measure, nullptr);
  if (measure != nullptr) { std::memcpy(stress.data(), measure->bytes.data(), sizeof(stress)); }
  return stress;
}

// The length that the case gives along z means nothing, so the run must not depend on it. Twice this length once halved
// all stresses that the control saw.
TEST(CellBetweenWalls, ControlDoesNotDependOnTheGivenHeight) {
  const Scene low = slab(1), high = slab(2);
  const auto a = start(low), b = start(high);
  a->advance(60000), b->advance(60000);
  ASSERT_TRUE(a->finished());
  EXPECT_EQ(a->step(), b->step());
  EXPECT_EQ(a->snapshot().position, b->snapshot().position);
  EXPECT_EQ(a->cell()->volume, b->cell()->volume);
  // The tolerance is the one at which the stage ends, and what ten steps change.
  const CellMeasures found = measure_cell(measured(*a), low);
  for (const std::size_t k : {0U, 1U}) { EXPECT_NEAR(found.stress[k], -pressure, 0.015 * pressure); }
  EXPECT_LT(found.stress[2], -0.1 * pressure) << "the walls hold the packing";
}

// The contact stress that the control sees is the one that rows of the series tell. Clumps touch walls beside their
// centres, and the lid moves, so walls count and the room changes. The two take particles back by one step in ways that
// differ by (L dt)^2, up to 1e-5 here.
TEST(CellBetweenWalls, ControlAndSeriesSeeTheSameStress) {
  Scene scene = hertz_scene(grain_matter, {0.3, 0.3}, grain_step);
  scene.clump_shapes = {shape_of({{-0.5 * grain, 0, 0}, {0.5 * grain, 0, 0}}, {grain, grain})};
  const double pitch = 3.1 * grain;
  Numbers numbers(7);
  for (int k = 0; k < 27; ++k) {
    const Real3 site{k % 3 + 0.5, k / 3 % 3 + 0.5, k / 9 + 0.5};
    add_clump(scene, 0, pitch * site, numbers.in_cube(0.5), numbers.in_cube(20));
  }
  scene.cell = box_cell({3 * pitch, 3 * pitch, 9 * pitch});
  scene.cell->periodic = {true, true, false};
  scene.verlet_distance = 0.1 * grain;
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  add_plane(scene, {0, 0, 3 * pitch}, {0, 0, -1}, {Motion{Translation{{0, 0, -0.1}}}});
  CellStage press;
  press.goals[0] = press.goals[1] = stress(-pressure);
  press.inertial_number = 0.1;
  scene.cell->stages = {press};
  const auto engine = start(scene);
  std::size_t seen = 0;
  for (int k = 0; k < 200; ++k) {
    engine->advance(10);
    if (engine->counts().boundary_contacts < 5) { continue; }
    const CellMeasures expected = measure_cell(measured(*engine), scene);
    const double room = 9 * pitch * pitch * engine->cell()->edges[0][0] / (3 * pitch) * engine->cell()->edges[1][1] /
                        (3 * pitch) * (3 * pitch - 0.1 * engine->time());
    EXPECT_NEAR(expected.volume, room, 1e-12 * room);
    const CellTensor seen_by_control = stress_in(engine->save());
    for (const std::size_t c : {0U, 1U, 5U}) {
      EXPECT_NEAR(seen_by_control[c], expected.stress[c], 5e-5 * std::fabs(expected.stress[2])) << k << " " << c;
    }
    ++seen;
  }
  EXPECT_GT(seen, 10U);
}

}  // namespace scree::physics::cell_between_walls_test
