#include <gtest/gtest.h>

#include "cell_scenes.hpp"

/// What must not change the result of a run in a periodic cell.
namespace scree::physics::cell_invariances_test {

/// A packing under pressure in a cell that has been deformed to a parallelepiped and continues to deform in all
/// components.
Scene dense_oblique(std::size_t n) {
  Scene scene = packed_cell(n, 0.5);
  scene.cell->velocity_gradient = {{{-1, 8, 2}, {1, 0.5, -3}, {0.5, 2, 0.3}}};
  const auto engine = start(scene);
  engine->advance(400);
  Scene result = scene_from(scene, *engine);
  Numbers numbers(2);
  for (Real3& spin : result.particles.angular_velocity) { spin = numbers.in_cube(10); }
  return result;
}

// E03 in a cell: a common velocity changes no vector between two particles. Positions at other places round to 1e-17 m
// differently; 500 steps let these differences grow to less than 1e-9 r.
TEST(CellInvariances, E03Galilean) {
  Scene scene = dense_oblique(5), moving = scene;
  for (Real3& v : moving.particles.velocity) { v = v + Real3{3, -7, 5}; }
  const auto a = start(scene), b = start(moving);
  a->advance(500);
  b->advance(500);
  EXPECT_GT(a->counts().contacts, 250U);
  const Snapshot sa = a->snapshot(), sb = b->snapshot();
  const Matrix3 edges = a->cell()->edges;
  double worst = 0, farthest = 0;
  for (std::size_t i = 1; i < sa.id.size(); ++i) {
    const Real3 difference = (sb.position[i] - sb.position[0]) - (sa.position[i] - sa.position[0]);
    worst = std::max(worst, norm(shortest(difference, edges)));
    farthest = std::max(farthest, norm(shortest(sb.position[i] - sa.position[i], edges)));
  }
  std::printf("worst %g r\n", worst / grain);
  EXPECT_LT(worst, 1e-9 * grain);
  EXPECT_GT(farthest, grain);
}

// E04 in a cell: cell, flow, positions and velocities are turned by 37 degrees about (1, 2, 3).
TEST(CellInvariances, E04Rotation) {
  const Scene scene = dense_oblique(5);
  const Matrix3 turn = rotation_matrix({1, 2, 3}, 37 * pi / 180);
  Scene turned = scene;
  for (std::size_t i = 0; i < scene.particles.size(); ++i) {
    turned.particles.position[i] = turn * scene.particles.position[i];
    turned.particles.velocity[i] = turn * scene.particles.velocity[i];
    turned.particles.angular_velocity[i] = turn * scene.particles.angular_velocity[i];
  }
  for (std::size_t k = 0; k < 3; ++k) { turned.cell->edges[k] = turn * scene.cell->edges[k]; }
  turned.cell->velocity_gradient = product(turn, product(scene.cell->velocity_gradient, transposed(turn)));
  const auto a = start(scene), b = start(turned);
  a->advance(500);
  b->advance(500);
  const Snapshot sa = a->snapshot(), sb = b->snapshot();
  double worst = 0;
  for (std::size_t i = 0; i < sa.id.size(); ++i) {
    worst = std::max(worst, norm(shortest(sb.position[i] - turn * sa.position[i], b->cell()->edges)));
  }
  EXPECT_LT(worst, 1e-9 * grain);
  const Matrix3 expected = product(turn, product(stress_of(*a, scene), transposed(turn))), found = stress_of(*b, scene);
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_LT(norm(found[i] - expected[i]), 1e-9 * norm(expected[i])); }
}

// C14: trajectories do not depend on which edges describe the lattice, where its corner is, or which images of the
// particles are given. The other cell flips at other times, and positions round by 1e-17 m; 1e-9 r after 1e3 steps as
// in the catalogue.
TEST(CellInvariances, C14OtherEdgesOfTheLattice) {
  Scene scene = dense_oblique(8), other = scene;  // 512 spheres
  scene.cell->velocity_gradient =
      other.cell->velocity_gradient = {{{0, 12, 0}, {0, 0, 5}, {0, 0, 0}}};  // 0.6 and 0.25 in 1000 steps
  const Matrix3 edges = scene.cell->edges;
  other.cell->edges = {edges[0], edges[1] - edges[0], edges[2] + edges[1] - edges[0]};
  for (std::size_t i = 0; i < other.particles.size(); ++i) {
    if (i % 3 == 1) { other.particles.position[i] = other.particles.position[i] + edges[1] - edges[2]; }
  }
  const auto a = start(scene), b = start(other);
  double most_skew = 0;
  for (int part = 0; part < 10; ++part) {
    a->advance(100);
    b->advance(100);
    most_skew = std::max(most_skew, a->cell()->edges[1][0] / a->cell()->edges[0][0]);
  }
  EXPECT_GT(a->cell()->deformation[0][1], 0.5);
  EXPECT_LT(a->cell()->edges[1][0], 0.2 * a->cell()->edges[0][0]);  // the cell has flipped
  EXPECT_GT(most_skew, 0.4);
  const Snapshot sa = a->snapshot({.force = true}), sb = b->snapshot({.force = true});
  double worst = 0, most_force = 0, worst_force = 0;
  for (std::size_t i = 0; i < sa.id.size(); ++i) {
    worst = std::max(worst, norm(shortest(sb.position[i] - sa.position[i], a->cell()->edges)));
    most_force = std::max(most_force, norm(sa.force[i]));
    worst_force = std::max(worst_force, norm(sa.force[i] - sb.force[i]));
  }
  std::printf("worst %g r, force %g\n", worst / grain, worst_force / most_force);
  EXPECT_LT(worst, 1e-9 * grain);
  EXPECT_LT(worst_force, 1e-7 * most_force);
}

// C15: eight copies of a cell in a cell of twice the size move like the original. 1e-10 r after 500 steps as in the
// catalogue.
TEST(CellInvariances, C15ReplicatedCell) {
  Scene scene = dense_oblique(6);  // 216
  Scene copies = scene;
  copies.particles = {};
  for (Real3& edge : copies.cell->edges) { edge = 2.0 * edge; }
  for (int image = 0; image < 8; ++image) {
    const Real3 shift = double(image % 2) * scene.cell->edges[0] + double(image / 2 % 2) * scene.cell->edges[1] +
                        double(image / 4) * scene.cell->edges[2];
    for (std::size_t i = 0; i < scene.particles.size(); ++i) {
      add_sphere(copies, scene.particles.position[i] + shift, scene.particles.radius[i], scene.particles.velocity[i],
                 scene.particles.angular_velocity[i]);
    }
  }
  const auto a = start(scene), b = start(copies);
  a->advance(500);
  b->advance(500);
  EXPECT_EQ(8 * a->counts().contacts, b->counts().contacts);
  const Snapshot sa = a->snapshot(), sb = b->snapshot();
  double worst = 0;
  for (std::size_t i = 0; i < sb.id.size(); ++i) {
    worst = std::max(worst, norm(shortest(sb.position[i] - sa.position[i % sa.id.size()], a->cell()->edges)));
  }
  std::printf("worst %g r\n", worst / grain);
  EXPECT_LT(worst, 1e-10 * grain);
  const Matrix3 one = stress_of(*a, scene), eight = stress_of(*b, scene);
  for (std::size_t i = 0; i < 3; ++i) { EXPECT_LT(norm(one[i] - eight[i]), 1e-9 * norm(one[i])); }
}

// Controlled runs have the same bits with any number of threads, with any lists, and after a restart from any
// checkpoint.
TEST(CellInvariances, ControlledRunsHaveTheSameBits) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = loose_cell(5, 0.3);
    scene.precision = precision;
    CellStage shear;
    shear.goals[1] = stress(-grain_pressure);
    shear.goals[5] = strain_rate(grain_rate(0.1));
    scene.cell->stages = {consolidation(grain_pressure, 3e-2), shear};
    scene.cell->stages[0].stress_error = 0.05;
    scene.cell->stages[0].unbalanced_force = 0.1;
    const auto run = [&](int threads, double distance) {
      Scene own = scene;
      own.verlet_distance = distance;
      auto engine = make_host_engine(own, threads);
      engine->advance(6000);
      return engine;
    };
    const auto one = run(1, 0.1 * grain), two = run(2, 0.1 * grain), other = run(1, 0.3 * grain);
    EXPECT_EQ(one->cell()->stage, 1U);
    EXPECT_GT(one->cell()->strain[5], 0.05);
    EXPECT_EQ(one->hash(), two->hash());
    EXPECT_EQ(one->hash(), other->hash());
    EXPECT_NE(one->counts().searches, other->counts().searches);
    const auto began = start(scene), resumed = start(scene);
    began->advance(1237);
    resumed->restore(began->save());
    resumed->advance(6000 - 1237);
    EXPECT_EQ(resumed->hash(), one->hash());
    EXPECT_EQ(resumed->cell()->strain, one->cell()->strain);
  }
}

}  // namespace scree::physics::cell_invariances_test
