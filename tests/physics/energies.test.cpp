#include <gtest/gtest.h>

#include <algorithm>

#include "scenes.hpp"

/// The energy ledger: each term against its closed form, and the balance of all terms.
namespace scree::physics::energies_test {

constexpr Substance glass{1e7, 0.25, 2500};

double largest(const EnergyLedger& e) {
  return std::max({e.kinetic_translation + e.kinetic_rotation, e.elastic, std::abs(e.gravity), std::abs(e.boundaries),
                   e.friction, e.viscous, e.damping});
}

/// Runs step by step. Returns the largest error of the balance over the largest term so far.
double worst_error(Engine& engine, int steps) {
  double worst = 0, scale = 0;
  for (int k = 0; k < steps; ++k) {
    engine.advance(1);
    const EnergyLedger e = engine.energies();
    scale = std::max(scale, largest(e));
    worst = std::max(worst, std::abs(e.error));
  }
  return worst / scale;
}

/// Two spheres that hit each other obliquely, both spinning.
Scene oblique(LawKind law, double time_step, double damping_ratio, double friction) {
  Scene scene = empty_scene(law, glass, glass, {friction, damping_ratio}, time_step);
  scene.energies = true;
  add_sphere(scene, {0, 0, 0}, 0.01, {0.3, 0.05, 0}, {0, 3, 5});
  add_sphere(scene, {0.0251, 0.004, 0.002}, 0.015, {-0.1, 0, 0.1}, {4, -2, 1});
  return scene;
}

TEST(Energies, HeadOnImpactOfLinearSpringsBalancesToRoundOff) {
  // During the contact, leapfrog keeps m v- v+ / 2 + K u^2 / 2 of a linear spring exactly, with any step.
  Scene scene = empty_scene(LawKind::cundall_strack, glass, glass, {0, 0}, 2e-5);
  scene.energies = true;
  add_sphere(scene, {0, 0, 0}, 0.01, {0.2, 0, 0});
  add_sphere(scene, {0.02 - 1e-5, 0, 0}, 0.01, {-0.2, 0, 0});  // the contact exists from the start
  auto engine = start(scene);
  double most_elastic = 0, worst = 0;
  while (true) {
    engine->advance(1);
    if (engine->counts().contacts == 0) { break; }
    const EnergyLedger e = engine->energies();
    most_elastic = std::max(most_elastic, e.elastic);
    worst = std::max(worst, std::abs(e.error));
  }
  const double kinetic = sphere_mass(0.01, 2500) * 0.04;
  EXPECT_GT(most_elastic, 0.9 * kinetic);
  EXPECT_LT(worst, 1e-12 * kinetic);
}

TEST(Energies, ObliqueImpactsBalanceForEveryLaw) {
  // The contacts last about 1 ms. They begin and end between two steps, some of them under shear, and attraction jumps
  // in: the error is of first order in the step.
  struct Law {
    LawKind kind;
    double damping, friction, adhesion;
    bool rolling;
    double step;
  };
  for (const Law& law :
       {Law{LawKind::cundall_strack, 0, 0.3, 0, false, 2e-7}, Law{LawKind::cundall_strack, 0, 100, 0, false, 4e-8},
        Law{LawKind::cundall_strack, 0, 0.3, 0, true, 2e-7}, Law{LawKind::hertz_mindlin, 0, 0.3, 0, false, 2e-7},
        Law{LawKind::hertz_mindlin, 0.165, 0.3, 0, false, 2e-7},
        Law{LawKind::hertz_mindlin, 0.165, 100, 0, false, 2e-7}, Law{LawKind::hertz_mindlin, 0.165, 0.3, 0, true, 2e-7},
        Law{LawKind::hertz_mindlin_rescaled, 0.165, 0.3, 0, false, 2e-7},
        Law{LawKind::mindlin_reversal, 0.165, 0.3, 0, false, 2e-7}, Law{LawKind::jaeger, 0, 0.3, 0, false, 2e-7},
        Law{LawKind::jaeger, 0.165, 0.3, 0, false, 2e-7}, Law{LawKind::jaeger, 0.165, 100, 0, false, 2e-7},
        Law{LawKind::linear_spring_dashpot, 0.165, 0.3, 0, true, 2e-7}, Law{LawKind::bonded, 0, 0.3, 0, false, 2e-7},
        Law{LawKind::eepa, 0.165, 0.3, 0.5, false, 2e-7}, Law{LawKind::luding, 0.165, 0.3, 0.5, true, 2e-7},
        Law{LawKind::hertz_mindlin_dmt, 0.165, 0.3, 0.5, false, 2e-7},
        Law{LawKind::jkr, 0.165, 0.3, 0.5, false, 2e-7}}) {
    const auto error = [&](double step) {
      Scene scene = oblique(law.kind, step, law.damping, law.friction);
      for (MaterialPair& pair : scene.pairs) {
        pair.surface_energy = law.adhesion;
        pair.plasticity.ratio = 0.4;
        pair.springs.damping_ratio = pair.springs.shear_damping_ratio = law.damping;
        if (law.rolling) { pair.rolling = {0.3, 0.05, 0.2, 0.02, 0.1}; }
      }
      if (law.kind == LawKind::jkr) { scene.interaction_range = 1.1; }
      auto engine = start(scene);
      return worst_error(*engine, static_cast<int>(6e-3 / step));
    };
    const double coarse = error(10 * law.step), fine = error(law.step);
    std::printf("law %d damping %g friction %g rolling %d: %.3g -> %.3g\n", int(law.kind), law.damping, law.friction,
                int(law.rolling), coarse, fine);
    EXPECT_LT(fine, law.adhesion > 0 ? 1e-4 : 1e-6) << int(law.kind) << " " << law.damping << " " << law.friction;
    EXPECT_LT(fine, (law.adhesion > 0 ? 0.5 : 0.2) * coarse);
  }
}

TEST(Energies, NecksAndBondsThatBreakLoseWhatTheyStore) {
  // Each sphere moves at 1 m/s. The bond breaks at a strain of 1e-3, when its energy is A d0 s^2 / (2 E) (closed form).
  const double radius = 0.01, young = 1e8, strength = 1e5;
  MaterialPair pair;
  pair.friction = 0.5;
  pair.bond = {strength, strength, 1.2};
  Scene scene = empty_scene(LawKind::bonded, {young, 0.3, 2500}, {young, 0.3, 2500}, pair, 1e-9);
  scene.interaction_range = 1.3;
  scene.energies = true;
  add_sphere(scene, {0, 0, 0}, radius, {-1, 0, 0});
  add_sphere(scene, {0.0201, 0, 0}, radius, {1, 0, 0});
  auto engine = start(scene);
  engine->advance(20000);
  EXPECT_EQ(engine->counts().bonds, 0u);
  const EnergyLedger e = engine->energies();
  const double stored = pi * radius * radius * 0.0201 * strength * strength / (2 * young);
  EXPECT_NEAR(e.breakage, stored, 2e-3 * stored);  // it breaks up to one of a thousand steps late
  EXPECT_EQ(e.elastic, 0);
  EXPECT_LT(std::abs(e.error), 1e-3 * stored);
}

TEST(Energies, FreeFlightWithDampingAndOutletsIsExact) {
  Scene scene = linear_scene(glass, 0.3, 1e-3);
  scene.energies = true;
  scene.gravity = {0, 0, -standard_gravity};
  scene.integration.damping = 0.3;
  scene.outlet_names = {"out"};
  scene.outlets = {{{0, 0, -0.5}, {0, 0, -1}, 0}};
  add_sphere(scene, {0, 0, 0}, 0.01, {1, 0, 2});
  add_sphere(scene, {1, 0, 0}, 0.02, {0, 1, -1}, {3, 0, 0});
  add_sphere(scene, {2, 0, 0}, 0.01);
  auto engine = start(scene);
  const EnergyLedger before = engine->energies();
  const double m1 = sphere_mass(0.01, 2500), m2 = sphere_mass(0.02, 2500);
  EXPECT_NEAR(before.kinetic_translation, 2.5 * m1 + m2, 1e-14);
  EXPECT_NEAR(before.kinetic_rotation, 0.2 * m2 * 4e-4 * 9, 1e-17);
  engine->advance(200);
  // Gravity has done m g times the height fallen, up to the place where the last forces act.
  const Snapshot now = engine->snapshot();
  double fallen = 0;
  const double masses[] = {m1, m2, m1};
  for (std::size_t i = 0; i < 3; ++i) { fallen -= masses[i] * (now.position[i][2] - 1e-3 * now.velocity[i][2]); }
  EXPECT_NEAR(engine->energies().gravity, standard_gravity * fallen, 1e-13);
  EXPECT_GT(engine->energies().damping, 0.01 * m1);
  EXPECT_LT(std::abs(engine->energies().error), 1e-14);
  engine->advance(800);
  EXPECT_EQ(engine->counts().particles, 0u);
  const EnergyLedger end = engine->energies();
  EXPECT_EQ(end.kinetic_translation, 0);
  EXPECT_GT(end.removed, 0.1 * m2);
  EXPECT_LT(std::abs(end.error), 1e-13);
}

TEST(Energies, GroupsWithForcesFixedAndLedParticles) {
  // One particle is pushed along x and damped, one is fixed in z, one is led around an axis. Without contacts
  // everything is exact.
  Scene scene = linear_scene(glass, 0, 1e-3);
  scene.energies = true;
  scene.gravity = {0, 0, -standard_gravity};
  scene.groups.resize(3);
  scene.groups[0].force = {0.02, 0, 0};
  scene.groups[0].torque = {0, 1e-5, 0};
  scene.groups[0].damping = 0.2;
  scene.groups[1].fixed = 4;  // z
  scene.groups[2].fixed = fixed_translation | fixed_rotation;
  scene.groups[2].rotation = Rotation{{0, 0, 1}, {0, 0, 0}, 5};
  add_sphere(scene, {0, 0, 0}, 0.01, {0, 0.3, 0});
  add_sphere(scene, {1, 0, 0}, 0.01, {0.5, 0, -1});
  add_sphere(scene, {-1, 0, 0}, 0.01);
  scene.particles.group = {0, 1, 2};
  auto engine = start(scene);
  engine->advance(1);
  const double start_energy = 0.5 * sphere_mass(0.01, 2500) * (0.09 + 1.25);
  engine->advance(99);
  const EnergyLedger e = engine->energies();
  EXPECT_GT(e.groups, 1e-4);
  EXPECT_GT(e.damping, 1e-5);
  EXPECT_LT(std::abs(e.error), 1e-12 * start_energy);
  ParticleSet more;
  more.position = {{0, 5, 0}};
  more.velocity = {{0, 0, 3}};
  more.angular_velocity = {{1, 0, 0}};
  more.radius = {0.02};
  more.material = {0};
  more.group = {0};
  engine->insert(more);
  EXPECT_EQ(engine->energies().error, e.error);  // the new particle has made no step yet
  engine->advance(50);
  EXPECT_LT(std::abs(engine->energies().error), 1e-12 * start_energy);
  EXPECT_NEAR(engine->energies().removed, -0.5 * sphere_mass(0.02, 2500) * (9 + 0.4 * 4e-4), 1e-12);
}

TEST(Energies, WorkOfAMovingWall) {
  // A wall at speed V sends a ball at rest off with 2 V, so its work is 2 m V^2 (closed form). With a linear spring
  // only the beginning and the end of the contact have errors, of the order of (omega dt)^2.
  Scene scene = linear_scene(glass, 0, 1e-6);
  scene.energies = true;
  add_sphere(scene, {0.0101, 0, 0}, 0.01);
  add_plane(scene, {0, 0, 0}, {1, 0, 0}, {Motion{Translation{{0.2, 0, 0}}}});
  auto engine = start(scene);
  engine->advance(4000);
  EXPECT_EQ(engine->counts().boundary_contacts, 0u);
  const EnergyLedger e = engine->energies();
  const double work = 2 * sphere_mass(0.01, 2500) * 0.04;
  EXPECT_NEAR(e.boundaries, work, 1e-5 * work);
  EXPECT_NEAR(e.kinetic_translation, work, 1e-5 * work);
  EXPECT_LT(std::abs(e.error), 1e-5 * work);
}

/// Spheres in a box with four walls, above the place for a floor.
Scene box(LawKind law, double time_step) {
  Scene scene = empty_scene(law, {1e7, 0.3, 2600}, {1e7, 0.3, 2600}, {0.5, 0.1}, time_step);
  scene.energies = true;
  scene.gravity = {0, 0, -standard_gravity};
  Numbers numbers(7);
  for (int i = 0; i < 64; ++i) {
    const Real3 x = 0.022 * Real3{double(i % 4), double(i / 4 % 4), double(i / 16)};
    // One after the other, since compilers choose the order of arguments.
    const Real3 spin = numbers.in_cube(10), velocity = numbers.in_cube(0.3), shift = numbers.in_cube(5e-4);
    add_sphere(scene, x + Real3{0.011, 0.011, 0.0105} + shift, 0.01, velocity, spin);
  }
  add_plane(scene, {0, 0, 0}, {1, 0, 0});
  add_plane(scene, {0.088, 0, 0}, {-1, 0, 0});
  add_plane(scene, {0, 0, 0}, {0, 1, 0});
  add_plane(scene, {0, 0.088, 0}, {0, -1, 0});
  return scene;
}

TEST(Energies, SettlingBoxE02) {
  const double critical = 4.66708786e-4;  // critical step of a pair, C04
  double last = 1;
  for (const double part : {0.1, 0.025}) {
    Scene scene = box(LawKind::cundall_strack, part * critical);
    scene.integration.damping = 0.2;
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    auto engine = start(scene);
    const int steps = static_cast<int>(0.15 / scene.time_step);
    const double error = worst_error(*engine, steps);
    std::printf("box: error %.3g at %g of the critical step\n", error, part);
    EXPECT_LT(error, 3e-3);
    EXPECT_LT(error, last);
    last = error / 4;  // at least of first order
    const EnergyLedger e = engine->energies();
    EXPECT_GT(e.friction, 0);
    EXPECT_GT(e.damping, 0);
  }
}

TEST(Energies, SameBitsOnAnyThreadsAndLists) {
  struct Kind {
    Precision precision;
    LawKind law;
  };
  for (const auto [precision, law] :
       {Kind{Precision::double_, LawKind::hertz_mindlin}, Kind{Precision::mixed, LawKind::hertz_mindlin},
        Kind{Precision::double_, LawKind::jaeger}, Kind{Precision::mixed, LawKind::jaeger}}) {
    Scene scene = box(law, 2e-5);
    scene.precision = precision;
    add_plane(scene, {0, 0, 0}, {0, 0, 1}, {Motion{Translation{{0, 0, 0.1}}}});
    scene.outlet_names = {"out"};
    scene.outlets = {{{0.05, 0, 0.07}, {1, 0, 3}, 0}};
    const auto run = [&](int threads, double distance, bool energies) {
      Scene own = scene;
      own.verlet_distance = distance;
      own.energies = energies;
      auto engine = make_host_engine(own, threads);
      engine->advance(3000);
      return engine;
    };
    auto one = run(1, 1e-3, true), many = run(3, 3e-3, true), plain = run(1, 1e-3, false);
    const EnergyLedger a = one->energies(), b = many->energies();
    for (const auto member :
         {&EnergyLedger::kinetic_translation, &EnergyLedger::kinetic_rotation, &EnergyLedger::elastic,
          &EnergyLedger::gravity, &EnergyLedger::boundaries, &EnergyLedger::friction, &EnergyLedger::viscous,
          &EnergyLedger::parting, &EnergyLedger::removed, &EnergyLedger::error}) {
      EXPECT_EQ(a.*member, b.*member);
      EXPECT_NE(a.*member, 0);
    }
    EXPECT_LT(one->counts().particles, 64u);
    EXPECT_EQ(one->hash(), many->hash());
    EXPECT_EQ(one->hash(), plain->hash());  // the ledger does not change the run
    EXPECT_NE(one->counts().searches, many->counts().searches);
    const double scale = std::max(largest(a), a.removed);
    std::printf("balance of the shaken box: %.3g\n", std::abs(a.error) / scale);
    EXPECT_LT(std::abs(a.error), 1e-2 * scale);
  }
}

class EnergiesOfLaw : public testing::TestWithParam<LawKind> {};
INSTANTIATE_TEST_SUITE_P(Laws, EnergiesOfLaw, testing::Values(LawKind::hertz_mindlin, LawKind::jaeger));

TEST_P(EnergiesOfLaw, AResumedRunGoesOnWithTheSameSums) {
  Scene scene = box(GetParam(), 2e-5);
  add_plane(scene, {0, 0, 0}, {0, 0, 1}, {Motion{Translation{{0, 0, 0.1}}}});
  auto whole = start(scene), resumed = start(scene);
  whole->advance(700);
  const EngineState state = whole->save();
  const EnergyLedger then = whole->energies();
  resumed->restore(state);
  EXPECT_EQ(resumed->energies().error, then.error);
  EXPECT_EQ(resumed->energies().friction, then.friction);
  whole->advance(700);
  resumed->advance(700);
  const EnergyLedger a = whole->energies(), b = resumed->energies();
  for (const auto member :
       {&EnergyLedger::kinetic_translation, &EnergyLedger::elastic, &EnergyLedger::gravity, &EnergyLedger::boundaries,
        &EnergyLedger::friction, &EnergyLedger::viscous, &EnergyLedger::parting, &EnergyLedger::error}) {
    EXPECT_EQ(a.*member, b.*member);
  }
  // A run without a ledger can start from the state of one with a ledger, and the reverse.
  Scene plain = scene;
  plain.energies = false;
  auto other = start(plain);
  other->restore(state);
  other->advance(700);
  EXPECT_EQ(other->hash(), whole->hash());
  auto late = start(scene);
  late->restore(other->save());
  late->advance(10);
  EXPECT_LT(std::abs(late->energies().error), 1e-3 * late->energies().kinetic_translation);
}

}  // namespace scree::physics::energies_test
