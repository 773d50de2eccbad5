#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "cell_scenes.hpp"
#include "clump_shapes.hpp"

/// Runs with the law jaeger: the energy ledger, periodic cells and clumps.
namespace scree::physics::jaeger_runs_test {

constexpr Substance glass{1e7, 0.25, 2500};

/// Largest error of the balance over the largest term.
double worst_error(Engine& engine, int steps) {
  double worst = 0, scale = 0;
  for (int k = 0; k < steps; ++k) {
    engine.advance(1);
    const EnergyLedger e = engine.energies();
    scale = std::max(
        {scale, e.kinetic_translation + e.kinetic_rotation, e.elastic, e.friction, e.viscous, std::abs(e.cell)});
    worst = std::max(worst, std::abs(e.error));
  }
  return worst / scale;
}

// A spinning sphere bounces obliquely off a plane. The contact begins and ends between two steps, so the error is of
// first order, as for pairs.
TEST(JaegerRuns, ObliqueImpactOnAPlaneBalances) {
  for (const double damping : {0.0, 0.165}) {
    const auto error = [&](double step) {
      Scene scene = empty_scene(LawKind::jaeger, glass, {3e7, 0.1, 1}, {0.3, damping}, step);
      scene.energies = true;
      add_sphere(scene, {0, 0, 0.01001}, 0.01, {0.2, 0.1, -0.3}, {10, -20, 30});
      add_plane(scene, {0, 0, 0}, {0, 0, 1});
      const auto engine = start(scene);
      const double worst = worst_error(*engine, static_cast<int>(4e-3 / step));
      EXPECT_EQ(engine->counts().boundary_contacts, 0U);
      EXPECT_GT(engine->energies().friction, 1e-3 * engine->energies().kinetic_translation);
      return worst;
    };
    const double coarse = error(2e-6), fine = error(2e-7);
    std::printf("damping %g: %.2e -> %.2e\n", damping, coarse, fine);
    EXPECT_LT(fine, 1e-6);
    EXPECT_LT(fine, 0.2 * coarse);
  }
}

// A dense packing sheared at constant volume to a strain of 0.2; tolerances as for hertz_mindlin.
TEST(JaegerRuns, ShearedCellBalances) {
  Scene packed = packed_cell(4, 0.5);
  ASSERT_EQ(packed.particles.size(), 64U);
  packed.law = LawKind::jaeger;
  packed.energies = true;
  packed.cell->velocity_gradient = {{{0, grain_rate(0.1), 0}, {0, 0, 0}, {0, 0, 0}}};
  double last = 1;
  for (const double part : {1.0, 0.25}) {
    Scene scene = packed;
    scene.time_step *= part;
    const auto engine = start(scene);
    engine->advance(1);
    const double error = worst_error(*engine, static_cast<int>(0.01 / scene.time_step));
    std::printf("cell: error %.2e, longest history %d\n", error, int(engine->counts().longest_history));
    EXPECT_GT(engine->counts().longest_history, 10U);
    EXPECT_LT(error, 3e-3);
    EXPECT_LT(error, last);
    last = 0.5 * error;
  }
}

// The tractions of each contact in this packing: their sums are the forces, and no traction exceeds friction.
TEST(JaegerRuns, TractionsSumToTheForces) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    Scene scene = packed_cell(4, 0.5);
    scene.law = LawKind::jaeger;
    scene.precision = precision;
    for (MaterialPair& pair : scene.pairs) { pair.damping_ratio = 0; }
    scene.cell->velocity_gradient = {{{0, grain_rate(0.1), 0}, {0, 0, 0}, {0, 0, 0}}};
    const auto engine = start(scene);
    engine->advance(150);
    const double digits = precision == Precision::double_ ? 1e-10 : 2e-5;
    std::size_t partial = 0, seen = 0;
    for (const TouchingContact& contact : engine->touching_contacts()) {
      const auto tractions = engine->tractions(contact.first, contact.second, false, 50);
      ASSERT_TRUE(tractions.has_value());
      const double normal = dot(contact.force, contact.normal), t1 = tractions->tangential_force[0],
                   t2 = tractions->tangential_force[1];
      const Real3 along = contact.force - normal * contact.normal;
      const double limit = 0.5 * normal;
      EXPECT_NEAR(tractions->normal_force, normal, digits * normal);
      EXPECT_LT(norm(t1 * tractions->tangent[0] + t2 * tractions->tangent[1] + along), digits * limit);
      EXPECT_NEAR(tractions->pressure_sum, normal, 1e-4 * normal);
      EXPECT_NEAR(tractions->traction_sum[0], t1, 1e-4 * limit);
      EXPECT_NEAR(tractions->traction_sum[1], t2, 1e-4 * limit);
      for (std::size_t k = 0; k < tractions->r.size(); ++k) {
        EXPECT_LE(std::hypot(tractions->traction[k][0], tractions->traction[k][1]),
                  0.5 * tractions->pressure[k] * (1 + 1e-6));
      }
      partial += norm(along) < 0.99 * limit && tractions->segments.size() > 3 ? 1 : 0;
      ++seen;
    }
    EXPECT_GT(seen, 100U);
    EXPECT_GT(partial, 50U);
  }
}

// A contact across a face of the cell is like any other. Two spheres meet obliquely in the middle of the cell, or half
// an edge away from it. All coordinates are between 1/8 and 1/4 m, so that they round alike and give the same bits.
TEST(JaegerRuns, AContactAcrossTheEdgeHasTheSameBits) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    const double edge = 0x1p-4, corner = 0x1p-3, radius = 0x1p-7;
    const auto run = [&](double shift) {
      Scene scene = empty_scene(LawKind::jaeger, glass, glass, {0.3, 0.1}, 0x1p-18);
      scene.precision = precision;
      scene.cell = box_cell({edge, edge, edge});
      scene.cell->origin = {corner, corner, corner};
      const double middle = corner + 0.5 * edge, beyond = shift > 0 ? edge : 0;
      add_sphere(scene, {middle - radius + shift, middle, middle}, radius, {0.4, 0.1, 0}, {0, 3, 5});
      add_sphere(scene, {middle + radius + shift - beyond, middle + 0x1p-10, middle + 0x1p-9}, radius, {-0.4, 0, 0.1},
                 {4, -2, 1});
      return start(scene);
    };
    const auto inside = run(0), across = run(0.5 * edge);
    std::uint64_t longest = 0;
    bool crossed = false;
    for (int k = 0; k < 800; ++k) {
      inside->advance(1);
      across->advance(1);
      const auto a = inside->touching_contacts(), b = across->touching_contacts();
      ASSERT_EQ(a.size(), b.size()) << k;
      if (!b.empty()) {
        ASSERT_EQ(a[0].force, b[0].force) << k;
        crossed = crossed || b[0].cell_offset != std::array<std::int32_t, 3>{};
        EXPECT_EQ(a[0].cell_offset, (std::array<std::int32_t, 3>{}));
      }
      ASSERT_EQ(inside->snapshot().velocity, across->snapshot().velocity) << k;
      ASSERT_EQ(inside->counts().segments, across->counts().segments) << k;
      longest = std::max(longest, inside->counts().longest_history);
    }
    EXPECT_TRUE(crossed);
    EXPECT_GT(longest, 20U);
    EXPECT_EQ(inside->counts().contacts, 0U);
  }
}

/// A dumbbell that lies flat on a plane under its weight.
Scene lying(double friction, const Real3& velocity, const Real3& spin, double time_step) {
  const double radius = 0.01, half_distance = 0.012;
  Scene scene = empty_scene(LawKind::jaeger, glass, {rigid, 0, 1}, {friction, 0}, time_step);
  scene.energies = true;
  scene.gravity = {0, 0, -standard_gravity};
  scene.clump_shapes = {dumbbell(radius, half_distance)};
  const double hertz = 4.0 / 3.0 * glass.young / (1 - glass.poisson * glass.poisson) * std::sqrt(radius);
  const double rest = std::cbrt(std::pow(sphere_mass(radius, glass.density) * standard_gravity / hertz, 2));
  add_clump(scene, 0, {0, 0, radius - rest}, velocity, spin);
  add_plane(scene, {0, 0, 0}, {0, 0, 1});
  return scene;
}

// A dumbbell slides along its axis: a = mu g (closed form). The tipping load mu g h / d is less than its weight, so
// both spheres stay on the plane. Loads oscillate about their new equilibrium, so the test takes the mean over many
// oscillations.
TEST(JaegerRuns, AClumpSlides) {
  const double mu = 0.2;
  Scene scene = lying(mu, {1, 0, 0}, {}, 2e-6);
  const auto engine = start(scene);
  engine->advance(1000);
  const double before = engine->snapshot().clumps.at(0).velocity[0];
  const int steps = 100000;
  engine->advance(steps);
  const SnapshotClump after = engine->snapshot().clumps.at(0);
  std::printf("slides: %.8f of mu g; %.1e\n",
              (before - after.velocity[0]) / (steps * scene.time_step) / (mu * standard_gravity),
              engine->energies().error / engine->energies().friction);
  EXPECT_NEAR((before - after.velocity[0]) / (steps * scene.time_step) / (mu * standard_gravity), 1, 1e-3);
  EXPECT_NEAR(after.velocity[1], 0, 1e-9);
  const EngineCounts counts = engine->counts();
  EXPECT_EQ(counts.boundary_contacts, 2U);
  EXPECT_EQ(counts.contacts_sliding, 2U);
  EXPECT_EQ(counts.contacts_in_part_slipping, 0U);
  EXPECT_LT(std::abs(engine->energies().error), 1e-4 * engine->energies().friction);
}

// A dumbbell begins to slide across its axis, and ends rolling at v0 / (1 + I / (m r^2)) = v0 / 1.4, since the angular
// momentum about the line of contact is conserved (closed form). The lever arm is half the overlap shorter than r,
// 5e-4. Without dashpots the tangential spring oscillates by 1e-2 of the speed, hence averages over many oscillations.
// Both members have the same history.
TEST(JaegerRuns, AClumpSlidesAndRolls) {
  Scene scene = lying(0.5, {0, 0.3, 0}, {}, 2e-6);
  const auto engine = start(scene);
  engine->advance(50000);
  double speed = 0, rolling = 0;
  const int samples = 2000;
  for (int k = 0; k < samples; ++k) {
    engine->advance(20);
    const SnapshotClump now = engine->snapshot().clumps.at(0);
    speed += now.velocity[1] / samples;
    rolling -= now.angular_velocity[0] * 0.01 / samples;
  }
  std::printf("rolls: %.6f of v0 / 1.4, by its spin %.6f; balance %.1e\n", speed / (0.3 / 1.4), rolling / (0.3 / 1.4),
              engine->energies().error / engine->energies().friction);
  EXPECT_NEAR(speed / (0.3 / 1.4), 1, 1e-3);
  EXPECT_NEAR(rolling / (0.3 / 1.4), 1, 1e-3);
  EXPECT_NEAR(engine->energies().friction / (0.5 * 2 * sphere_mass(0.01, glass.density) * 0.09 * (1 - 1 / 1.4)), 1,
              5e-3);
  EXPECT_LT(std::abs(engine->energies().error), 1e-4 * engine->energies().friction);
  EXPECT_EQ(engine->counts().contacts_sliding, 0U);
  const auto contacts = engine->touching_contacts();
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_LT(norm(contacts[0].force - contacts[1].force), 1e-9 * norm(contacts[0].force));
}

// B14: a clump of one sphere moves like the sphere, in an oblique impact on another one. 1e-12 r as in the catalogue
// after 300 steps.
TEST(JaegerRuns, B14OneMemberIsTheSphere) {
  const auto run = [](bool clumps) {
    Scene scene = empty_scene(LawKind::jaeger, glass, glass, {0.3, 0.1}, 2e-6);
    if (clumps) { scene.clump_shapes = {shape_of({{0, 0, 0}}, {0.01})}; }
    const auto add = [&](const Real3& x, const Real3& v, const Real3& w) {
      clumps ? add_clump(scene, 0, x, v, w) : add_sphere(scene, x, 0.01, v, w);
    };
    add({0, 0, 0}, {0.3, 0, 0}, {0, 0.3, 0.1});
    add({0.0197, 0.0035, 0.001}, {-0.1, 0, 0}, {0.4, -0.2, 0.1});
    auto engine = start(scene);
    engine->advance(300);
    EXPECT_GT(engine->counts().contacts, 0U);
    return engine;
  };
  const auto spheres = run(false), clumps = run(true);
  EXPECT_EQ(spheres->counts().segments, clumps->counts().segments);
  EXPECT_GT(spheres->counts().longest_history, 5U);
  EXPECT_LT(most_apart(spheres->snapshot(), clumps->snapshot()), 1e-12 * 0.01);
}

}  // namespace scree::physics::jaeger_runs_test
