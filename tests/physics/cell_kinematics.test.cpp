#include <gtest/gtest.h>

#include "cell_scenes.hpp"

/// How particles move with a cell, and the relative motion of pairs across its faces.
namespace scree::physics::cell_kinematics_test {

constexpr Matrix3 flow{{{0, 0.7, 0}, {0.2, -0.1, 0}, {0, 0, 0.05}}};  // [1/s]

// C11. Free particles keep their relative place in the cell: x = F x0, however often the cell flips. F11 of the pure
// compression is (1 - 1e-4)^10000. Positions are rounded 1e4 times to some 1e-15 m: 1e-10 as in the catalogue.
TEST(CellKinematics, C11HomogeneousMotion) {
  for (const Matrix3& gradient :
       {Matrix3{{{-1, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, Matrix3{{{-1, 2.5, 0.3}, {0.2, 0.4, -1.5}, {0.1, 0, 0.5}}}}) {
    Scene scene = linear_scene({1e7, 0.3, 2500}, 0, 1e-4);
    scene.cell = box_cell({1, 1, 1});
    scene.cell->origin = {-0.25, 0.5, 0.125};
    scene.cell->velocity_gradient = gradient;
    Numbers numbers(3);
    for (int k = 0; k < 20; ++k) {
      add_sphere(scene, scene.cell->origin + Real3{0.5, 0.5, 0.5} + numbers.in_cube(0.5), 1e-3);
    }
    scene.verlet_distance = 1e-4;
    // Such a deformation brings particles together; only those that stay apart are compared.
    const auto engine = start(scene);
    engine->advance(10000);
    const CellState cell = engine->cell().value();
    const Snapshot now = engine->snapshot();
    const std::vector<Real3> x = whole_way(now, cell);
    std::size_t undisturbed = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (now.fluctuation[i] != Real3{}) { continue; }
      ++undisturbed;
      const Real3 expected = scene.cell->origin + cell.deformation * (scene.particles.position[i] - scene.cell->origin);
      EXPECT_LT(norm(x[i] - expected), 1e-10) << i;
    }
    EXPECT_GT(undisturbed, 10U);
    EXPECT_NEAR(cell.volume, determinant_of(cell.deformation), 1e-10);
    if (gradient[1][1] == 0) {
      EXPECT_NEAR(cell.deformation[0][0], 0.36786104643, 1e-11);
      EXPECT_NEAR(cell.strain[0], 1e4 * std::log1p(-1e-4), 1e-11);
    }
  }
}

/// Two overlapping spheres. The second one is one edge b away across the face, or, with `inside`, both are in the
/// middle of the cell.
Scene pair_across(LawKind law, double time_step, bool inside) {
  Scene scene = empty_scene(law, {1e7, 0.3, 1e12}, {1e7, 0.3, 1e12}, {1e3, 0},
                            time_step);  // so heavy that forces do not move them
  scene.cell = box_cell({1, 1, 1});
  scene.cell->velocity_gradient = flow;
  // Multiples of 2^-20, so that nothing is rounded.
  const Real3 branch{0.0625, -0.1875, 0.015625};
  const Real3 first{0.5, inside ? 0.5 : 0.0625, 0.5};
  add_sphere(scene, first, 0.1, {}, {1, 2, 3});
  add_sphere(scene, first + branch + Real3{0, inside ? 0.0 : 1.0, 0}, 0.1, {}, {-2, 1, 0.5});
  return scene;
}

// C13, the shear increment of a pair across a face: K_T dt (v2 - v1 + L H c) and spins. The antisymmetric part of L and
// the mean spin together are a rigid rotation, which causes no slip. So with the symmetric part D of L and the given
// spins w, u = dt [D b - (w1 + w2) / 2 x b], less its part along b. In one step of 1e-8 s the pair itself moves by 1e-8
// only.
TEST(CellKinematics, C13ShearAcrossAFace) {
  const Scene scene = pair_across(LawKind::cundall_strack, 1e-8, false);
  const auto engine = start(scene);
  engine->advance(2);
  const auto contacts = engine->touching_contacts();
  ASSERT_EQ(contacts.size(), 1U);
  const TouchingContact& c = contacts[0];
  EXPECT_EQ(c.cell_offset, (std::array<std::int32_t, 3>{0, -1, 0}));
  Matrix3 rate = flow;
  for (std::size_t i = 0; i < 3; ++i) { rate[i] = 0.5 * (flow[i] + transposed(flow)[i]); }
  const Real3 spins = scene.particles.angular_velocity[0] + scene.particles.angular_velocity[1];
  const Real3 slip = rate * c.branch - 0.5 * cross(spins, c.branch);
  const Real3 n = (1 / norm(c.branch)) * c.branch;
  // Two steps: the first one has the spins alone, because the cell did not move before.
  const Real3 first = -0.5 * cross(spins, c.branch);
  const Real3 slips = slip + first;
  const Real3 expected = (-0.3 * 1e6 * 1e-8) * (slips - dot(slips, n) * n);
  const Real3 shear = c.force - dot(c.force, n) * n;
  EXPECT_GT(norm(expected), 1e-4);
  EXPECT_LT(norm(shear - expected), 1e-6 * norm(expected));
}

// The place of a pair in the cell, and the face that it crosses, change no bit of its force.
TEST(CellKinematics, AFaceChangesNoBit) {
  const auto across = start(pair_across(LawKind::cundall_strack, 1e-3, false)),
             inside = start(pair_across(LawKind::cundall_strack, 1e-3, true));
  across->advance(1);
  inside->advance(1);
  const TouchingContact a = across->touching_contacts().at(0), b = inside->touching_contacts().at(0);
  EXPECT_EQ(a.force, b.force);
  EXPECT_LT(norm(a.branch - b.branch), 1e-14);  // computed from the positions after the step
  EXPECT_NE(a.cell_offset, b.cell_offset);
}

// The shear force of a pair that a cell shears, turns and twists by large angles. The force turns with the normal, and
// about the normal with the mean spin w: f' = (n x n' + (n.w) n) x f - K_T [D b]_T with b' = L b. The reference
// integrates this with the classical Runge-Kutta method, in steps of 1e-4 of the strain.
TEST(CellKinematics, ShearForceOverALargeStrain) {
  constexpr double dt = 1e-4, radius = 0.1;
  constexpr int steps = 6000;
  const Matrix3 gradient{{{0.1, 0.8, -0.3}, {-0.5, -0.3, 0.9}, {0.4, -0.6, 0.1}}};
  Scene scene = empty_scene(LawKind::cundall_strack, {1e7, 0.3, 1e12}, {1e7, 0.3, 1e12}, {1e3, 0}, dt);
  scene.cell = box_cell({1, 1, 1});
  scene.cell->velocity_gradient = gradient;
  const Real3 branch{0.06, -0.1, 0.07};
  add_sphere(scene, {0.5, 0.05, 0.5}, radius);
  add_sphere(scene, Real3{0.5, 1.05, 0.5} + branch, radius);
  const auto engine = start(scene);
  engine->advance(steps + 1);  // reported forces are those before the last move
  const auto contacts = engine->touching_contacts();
  ASSERT_EQ(contacts.size(), 1U);

  const Matrix3 back = transposed(gradient);
  Matrix3 rate;
  for (std::size_t i = 0; i < 3; ++i) { rate[i] = 0.5 * (gradient[i] + back[i]); }
  const Real3 spin =
      0.5 * Real3{gradient[2][1] - gradient[1][2], gradient[0][2] - gradient[2][0], gradient[1][0] - gradient[0][1]};
  struct Moment {
    Real3 b, f;
  };
  const auto change = [&](const Moment& at) -> Moment {
    const Real3 n = (1 / norm(at.b)) * at.b, way = gradient * at.b, slip = rate * at.b;
    const Real3 turn = (1 / norm(at.b)) * cross(n, way) + dot(n, spin) * n;
    return {way, cross(turn, at.f) - 0.3e6 * (slip - dot(slip, n) * n)};
  };
  const auto moved = [](const Moment& at, double h, const Moment& d) -> Moment {
    return {at.b + h * d.b, at.f + h * d.f};
  };
  Moment now{branch, {}};
  for (int k = 0; k < steps; ++k) {
    const Moment d1 = change(now), d2 = change(moved(now, dt / 2, d1)), d3 = change(moved(now, dt / 2, d2)),
                 d4 = change(moved(now, dt, d3));
    now = moved(moved(moved(moved(now, dt / 6, d1), dt / 3, d2), dt / 3, d3), dt / 6, d4);
  }
  const TouchingContact& c = contacts[0];
  const Real3 n = (1 / norm(c.branch)) * c.branch, shear = c.force - dot(c.force, n) * n;
  EXPECT_GT(norm(now.b - branch), 0.3 * norm(branch));
  EXPECT_GT(norm(now.f), 5e3);
  EXPECT_LT(norm(shear - now.f), 5e-4 * norm(now.f));
  EXPECT_NEAR(dot(c.force, n), 1e6 * (2 * radius - norm(now.b)), 5e-4 * 1e6 * 2 * radius);
}

// C13, the dashpot: a cell that is compressed at 1/s closes a branch of 0.198 m at 0.198 m/s.
TEST(CellKinematics, C13DashpotAcrossAFace) {
  Scene scene = empty_scene(LawKind::linear_spring_dashpot, {1e7, 0.3, 1e12}, {1e7, 0.3, 1e12}, {0, 0}, 1e-8);
  for (MaterialPair& pair : scene.pairs) {
    pair.springs.from_moduli = false;
    pair.springs.stiffness = 1e5;
    pair.springs.dashpot = 5e3;
  }
  scene.cell = box_cell({1, 1, 1});
  scene.cell->velocity_gradient = {{{0, 0, 0}, {0, -1, 0}, {0, 0, 0}}};
  add_sphere(scene, {0.5, 0.1, 0.5}, 0.1);
  add_sphere(scene, {0.5, 0.902, 0.5}, 0.1);
  const auto engine = start(scene);
  engine->advance(2);
  const auto contacts = engine->touching_contacts();
  ASSERT_EQ(contacts.size(), 1U);
  // One step of 1e-8 s shortens the branch by 2e-9 m, 1e-6 of the overlap.
  EXPECT_NEAR(contacts[0].force[1], -(1e5 * 0.002 + 5e3 * 0.198), 1e-3);
}

// In simple shear along any direction, the path of a free particle in the world is straight: V' = -L V is not a force,
// and the mean flow has no acceleration since L L = 0. Each step uses the flow at its start, which makes an error of L
// V dt T / 2 at the end.
TEST(CellKinematics, FreeFlightIsStraight) {
  Scene scene = linear_scene({1e7, 0.3, 2500}, 0, 1e-4);
  scene.cell = box_cell({1, 1, 1});
  const Real3 along{0.5, 1, -0.5}, normal{1, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) { scene.cell->velocity_gradient[i] = along[i] * normal; }
  add_sphere(scene, {0.3, 0.4, 0.2}, 1e-3, {3, -1, 2});
  const auto engine = start(scene);
  engine->advance(10000);
  const Real3 end = whole_way(engine->snapshot(), *engine->cell())[0];
  // When the cell begins to move, its flow is added to the velocity of the particle.
  const Real3 velocity = scene.particles.velocity[0] + scene.cell->velocity_gradient * scene.particles.position[0];
  EXPECT_LT(norm(end - (scene.particles.position[0] + velocity)),
            1e-4 * norm(scene.cell->velocity_gradient * velocity));
  EXPECT_GT(norm(scene.cell->velocity_gradient * velocity), 1);
}

}  // namespace scree::physics::cell_kinematics_test
