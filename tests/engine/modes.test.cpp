#include <numbers>

#include "modes_kit.hpp"

// Deformable level-set grains: modes against closed forms, conservation, and the same bits whatever the order of nodes,
// the lists, the threads and restarts.
namespace scree::inline SCREE_BACKEND::modes_test {

using physics::add_clump;
using physics::turn;
using Modes = BackendTest;

constexpr double young = 1e7, density = 2500;  ///< of glass_scene

/// Linear springs without dashpots and friction.
Scene soft_scene(Precision precision = Precision::double_) {
  Scene scene = glass_scene(precision, LawKind::linear_spring_dashpot);
  scene.pairs[0] = {};
  scene.pairs[0].springs.from_moduli = false;
  scene.pairs[0].springs.stiffness = 2e3;
  scene.pairs[0].springs.shear_stiffness = 1e3;
  scene.time_step = 1e-7;
  scene.verlet_distance = 0.2 * bead;
  return scene;
}

// Leapfrog of a mode with the frequency w starts with half a kick: its amplitude after n steps is cos(n w' dt) with
// sin(w' dt / 2) = w dt / 2, exactly.
TEST_F(Modes, AFreeGrainVibratesAsLeapfrogDoes) {
  Scene scene = soft_scene();
  const GrainShape grain = soft_ball(bead, 0.2 * bead, 300);
  add_soft_shape(scene, grain);
  add_clump(scene, 0, {0, 0, 0}, {}, {}, turn({1, 2, 3}, 0.8), 1.5);
  scene.particles.clumps[0].amplitude = {0, 0.02 * bead, 0, 0, 0, 0.01 * bead};
  const auto engine = make_backend_engine(scene);
  engine->advance(777);
  const SnapshotClump state = engine->snapshot().clumps[0];
  for (const std::size_t a : {1U, 5U}) {
    const double mass = density * 1.5 * 1.5 * 1.5 * grain.modes.mass[7 * a],
                 stiffness = young * 1.5 * grain.modes.stiffness[7 * a];
    const double turned = 2 * std::asin(0.5 * scene.time_step * std::sqrt(stiffness / mass));
    const double expected = scene.particles.clumps[0].amplitude[a] * std::cos(777 * turned);
    EXPECT_NEAR(state.amplitude[a], expected, 1e-11 * bead) << "mode " << a;
  }
  EXPECT_EQ(state.amplitude[0], 0) << "a mode that nothing moves";
}

// x'' + 2 z w x' + w^2 x = 0 from rest; the step is short, so its error (w dt)^2 / 24 per radian is small.
TEST_F(Modes, DampingIsThatOfTheRatioOrTheStiffnessOrTheCoefficient) {
  GrainShape grain = soft_ball(bead, 0.2 * bead, 300);
  const double mass = density * grain.modes.mass[0], stiffness = young * grain.modes.stiffness[0];
  const double w = std::sqrt(stiffness / mass), ratio = 0.3;
  const ModeDamping all[] = {{.ratio = ratio}, {.coefficient = 2 * ratio * w * mass}, {.by_stiffness = 2 * ratio / w}};
  for (const ModeDamping& damping : all) {
    Scene scene = soft_scene();
    grain.modes.damping = damping;
    add_soft_shape(scene, grain);
    add_clump(scene, 0, {0, 0, 0}, {}, {}, turn({1, 2, 3}, 0.8));
    scene.particles.clumps[0].amplitude = {0.02 * bead};
    scene.time_step = 0.002 / w;
    const auto engine = make_backend_engine(scene);
    engine->advance(2000);
    const double t = 4, d = std::sqrt(1 - ratio * ratio);
    const double expected = std::exp(-ratio * t) * (std::cos(d * t) + ratio / d * std::sin(d * t));
    EXPECT_NEAR(engine->snapshot().clumps[0].amplitude[0] / (0.02 * bead), expected, 1e-6);
  }
}

/// Energy of the modes and of the motion of a run of balls with strain modes [J].
double energy_of(Engine& engine, const Scene& scene) {
  double sum = 0;
  for (const SnapshotClump& c : engine.snapshot().clumps) {
    const GrainModes& modes = scene.grain_shapes[0].modes;
    for (std::size_t k = 0; k < 3; ++k) {
      sum += 0.5 * c.mass * c.velocity[k] * c.velocity[k];
      sum += 0.5 * c.inertia[k] * c.angular_velocity[k] * c.angular_velocity[k];
    }
    for (std::size_t a = 0; a < modes.count; ++a) {
      sum += 0.5 * young * modes.stiffness[7 * a] * c.amplitude[a] * c.amplitude[a];
      sum += 0.5 * density * modes.mass[7 * a] * c.amplitude_rate[a] * c.amplitude_rate[a];
    }
  }
  return sum;
}

/// Two balls that meet off centre, without friction.
Scene collision(Precision precision, bool two_pass) {
  Scene scene = soft_scene(precision);
  scene.grain_contacts.two_pass = two_pass;
  scene.pairs[0].springs.stiffness = 2e4;
  add_soft_shape(scene, soft_ball(bead, 0.1 * bead, 2562, 5));
  add_clump(scene, 0, {0, 0, 0}, {1, 0, 0}, {20, -30, 10}, turn({1, 0.2, 0.5}, 0.6));
  add_clump(scene, 0, {2.05 * bead, 0.5 * bead, 0.2 * bead}, {-1, 0, 0}, {-10, 5, 40}, turn({0.1, 1, 0.2}, 1.3));
  return scene;
}

Real3 momentum_of(Engine& engine) {
  Real3 sum{};
  for (const SnapshotClump& c : engine.snapshot().clumps) { sum = sum + c.mass * c.velocity; }
  return sum;
}

// Kinetic and elastic energy before and after. What is left of the error comes from the normals: the force of a node is
// that of a potential only if the normal is the gradient of the depth, which an interpolated gradient is not quite.
TEST_F(Modes, ACollisionOfTwoDeformableGrainsKeepsMomentumAndEnergy) {
  for (const bool two_pass : {false, true}) {
    const Scene scene = collision(Precision::double_, two_pass);
    const auto engine = make_backend_engine(scene);
    engine->advance(1);
    const double before = energy_of(*engine, scene);
    const Real3 momentum = momentum_of(*engine);
    std::uint64_t touched = 0;
    double most_amplitude = 0, rest = 0;
    for (int k = 0; k < 40; ++k) {
      engine->advance(200);
      touched += engine->counts().contacts;
      const SnapshotClump other = engine->snapshot().clumps[1];
      for (const double e : other.amplitude) { most_amplitude = std::max(most_amplitude, std::abs(e)); }
    }
    for (const SnapshotClump& c : engine->snapshot().clumps) {
      for (const double r : c.amplitude_rate) { rest += r * r; }
    }
    EXPECT_GT(touched, 2u);
    EXPECT_EQ(engine->counts().contacts, 0u) << "they have parted";
    EXPECT_GT(most_amplitude, 0.005 * bead);
    EXPECT_GT(rest, 0) << "they vibrate";
    const double p = length_of(scene.particles.clumps[0].velocity) * engine->snapshot().clumps[0].mass;
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(momentum_of(*engine)[k], momentum[k], 1e-12 * p); }
    EXPECT_NEAR(energy_of(*engine, scene) / before, 1, 2e-3);
  }
}

TEST_F(Modes, ACollisionOfDeformableGrainsDoesNotDependOnDirections) {
  const Scene scene = collision(Precision::double_, false);
  const auto q = turn({0.3, -1, 0.8}, 2.1);
  const auto one = make_backend_engine(scene), two = make_backend_engine(turned_scene(scene, q));
  one->advance(3000);
  two->advance(3000);
  for (std::size_t c = 0; c < 2; ++c) {
    const SnapshotClump a = one->snapshot().clumps[c], b = two->snapshot().clumps[c];
    const Real3 v = physics::turned_by(q, a.velocity);
    for (std::size_t k = 0; k < 3; ++k) { EXPECT_NEAR(b.velocity[k], v[k], 1e-7); }
    for (std::size_t k = 0; k < 6; ++k) { EXPECT_NEAR(b.amplitude[k], a.amplitude[k], 1e-8 * bead); }
  }
}

/// Soft balls and hard spheres that fall into a box.
Scene soft_pile(Precision precision, double verlet) {
  Scene scene = glass_scene(precision, LawKind::hertz_mindlin);
  scene.materials.push_back(scene.materials[0]);
  scene.pairs = std::vector<MaterialPair>(4, scene.pairs[0]);
  scene.verlet_distance = verlet * bead;
  scene.gravity = {0, 0, -9.81};
  scene.time_step = 1.5e-6;
  GrainShape grain = soft_ball(bead, 0.15 * bead, 500, 50);
  grain.modes.damping.ratio = 0.2;
  add_soft_shape(scene, grain);
  couple_strain_modes(grain, bead);
  add_soft_shape(scene, grain);
  add_soft_shape(scene,
                 grain_of(rounded_box({0.6 * bead, 0.5 * bead, 0.4 * bead}, 0.2 * bead), 1.2 * bead, 0.12 * bead, 500));
  scene.grain_materials = {true, false};
  add_box_walls(scene, {3.9 * bead, 3.9 * bead, 0});
  for (SceneBoundary& boundary : scene.boundaries) { boundary.material = 1; }
  each_in_pile(2, [&](const PileBody& body) {
    const auto [i, j, k] = body.place;
    const Real3 x{(1 + 1.9 * i) * bead, (1 + 1.9 * j) * bead, (1 + 1.9 * k) * bead};
    if ((i + j + k) % 3 == 2) {
      physics::add_sphere(scene, x, 0.9 * bead, body.velocity, body.spin, 1);
    } else {
      const auto shape = static_cast<std::uint32_t>((i + 2 * j + k) % 3);
      add_clump(scene, shape, x, body.velocity, body.spin, body.orientation, 0.95);
    }
  });
  return scene;
}

class SoftPile : public BackendTest, public ::testing::WithParamInterface<Precision> {};

TEST_P(SoftPile, HasTheSameBitsWithAnyListsThreadsAndOrderOfNodes) {
  Scene turned = soft_pile(GetParam(), 0.5);
  for (GrainShape& grain : turned.grain_shapes) {
    std::reverse(grain.node.begin(), grain.node.end());
    std::reverse(grain.node_area.begin(), grain.node_area.end());
    for (std::size_t a = 0; a < grain.modes.count; ++a) {
      const auto begin = grain.modes.at_node.begin() + static_cast<std::ptrdiff_t>(a * grain.node.size());
      std::reverse(begin, begin + static_cast<std::ptrdiff_t>(grain.node.size()));
    }
  }
  const auto engine = make_backend_engine(soft_pile(GetParam(), 0.2), 1), other = make_backend_engine(turned, 2);
  engine->advance(500);
  other->advance(500);
  EXPECT_GT(engine->counts().contacts, 2u);
  EXPECT_GT(engine->counts().boundary_contacts, 1u);
  EXPECT_TRUE(engine->hash() == other->hash());
  EXPECT_TRUE(engine->save() == other->save());
}

TEST_P(SoftPile, GoesOnAfterARestartWithItsLedger) {
  Scene scene = soft_pile(GetParam(), 0.2), other = soft_pile(GetParam(), 0.05);
  const auto without = make_backend_engine(scene);
  scene.energies = other.energies = true;
  const auto whole = make_backend_engine(scene), resumed = make_backend_engine(other);
  whole->advance(401);
  EXPECT_GT(whole->counts().contacts, 2u);
  resumed->restore(whole->save());
  EXPECT_TRUE(resumed->hash() == whole->hash());
  whole->advance(150);
  resumed->advance(150);
  without->advance(551);
  EXPECT_TRUE(resumed->hash() == whole->hash());
  EXPECT_TRUE(without->hash() == whole->hash()) << "a ledger changes no bit";
  const EnergyLedger a = whole->energies(), b = resumed->energies();
  EXPECT_GT(a.modes, 0);
  EXPECT_EQ(a.modes, b.modes);
  EXPECT_EQ(a.vibration, b.vibration);
  EXPECT_EQ(a.deformation, b.deformation);
  EXPECT_EQ(a.error, b.error);
  double deformed = 0;
  for (const SnapshotClump& c : whole->snapshot().clumps) {
    for (const double e : c.amplitude) { deformed = std::max(deformed, std::abs(e)); }
  }
  EXPECT_GT(deformed, 1e-3 * bead) << "grains deform";
}

INSTANTIATE_TEST_SUITE_P(Precisions, SoftPile, ::testing::Values(Precision::mixed, Precision::double_));

/// The step that is called stable is: no amplitude grows. Twice that step is not.
TEST_F(Modes, TheCriticalStepOfAGrainThatTouchesNothingIsThatOfItsFastestMode) {
  Scene scene = soft_scene();
  const GrainShape grain = soft_ball(bead, 0.2 * bead, 300);
  add_soft_shape(scene, grain);
  add_clump(scene, 0, {0, 0, 0}, {}, {}, turn({1, 2, 3}, 0.8));
  scene.particles.clumps[0].amplitude = {1e-6 * bead, 0, 0, 0, 0, 1e-6 * bead};
  double fastest = 0;
  for (std::size_t a = 0; a < 6; ++a) {
    fastest = std::max(fastest, young * grain.modes.stiffness[7 * a] / (density * grain.modes.mass[7 * a]));
  }
  const auto engine = make_backend_engine(scene);
  engine->advance(1);
  EXPECT_NEAR(engine->critical_step().value / (2 / std::sqrt(fastest)), 1, 1e-9);
}

/// A grain that bulges out of the ball that the search knows is a fault, not a contact that is missed.
TEST_F(Modes, AGrainThatBulgesTooFarIsAFault) {
  Scene scene = soft_scene();
  add_soft_shape(scene, soft_ball(bead, 0.2 * bead, 300));
  add_clump(scene, 0, {0, 0, 0}, {}, {}, turn({1, 2, 3}, 0.8));
  scene.particles.clumps[0].amplitude = {0, 0, 0, 0, 0, 0.1 * bead};
  scene.particles.clumps[0].amplitude_rate = {0, 0, 0, 0, 0, 1.0};
  EXPECT_NO_THROW(make_backend_engine(scene)->advance(300));
  scene.particles.clumps[0].amplitude_rate = {0, 0, 0, 0, 0, 100.0};
  EXPECT_THROW(make_backend_engine(scene)->advance(300), KernelFault);
}

}  // namespace scree::inline SCREE_BACKEND::modes_test
