#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "clump_shapes.hpp"
#include "kernels/fluid/fluid_model.hpp"

// A fluid around particles: drag, buoyancy, the flow on a grid, the energy ledger.
namespace scree::physics::fluid_test {

const SceneFluid water{.density = 1000, .viscosity = 1e-3, .flow = {}, .drag = DragLaw::schiller_naumann};

/// A scene with a fluid at rest, in double precision. The spheres are soft, since they touch nothing.
Scene immersed(double density, const SceneFluid& fluid, double time_step) {
  Scene scene = linear_scene({1e5, 0.3, density}, 0, time_step);
  scene.groups.emplace_back();
  scene.fluid = fluid;
  if (scene.fluid->flow.empty()) { scene.fluid->flow = {{0, 0, 0, 0}}; }
  return scene;
}

SceneFluid creeping(double density, double viscosity) {
  return {.density = density, .viscosity = viscosity, .flow = {}, .drag = DragLaw::stokes};
}

/// [1/s] Rate of Stokes's drag: 6 pi mu r / m.
double stokes_rate(double radius, double density, double viscosity) {
  return 4.5 * viscosity / (density * radius * radius);
}

/// [m/s2] Deceleration by the drag law of Schiller and Naumann at a speed, from the drag coefficient.
double deceleration(double radius, double density, const SceneFluid& fluid, double speed) {
  const double reynolds = 2 * fluid.density * radius * speed / fluid.viscosity;
  const double coefficient = reynolds > 1000 ? 0.44 : 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687));
  const double force = 0.5 * coefficient * fluid.density * pi * radius * radius * speed * speed;
  return force / sphere_mass(radius, density);
}

// Stokes 1851: a grain of sand in water settles at 2/9 (rho_p - rho_f) g r^2 / mu, whatever the step: from 0.01 to 3.4
// times the time of the drag. To 1e-12, rounding: the integration over a step is exact where all forces are constant.
TEST(Fluid, TerminalVelocityInCreepingFlow) {
  constexpr double radius = 5e-5, density = 2650, viscosity = 1e-3;
  const double settled = 2.0 / 9 * (density - 1000) * standard_gravity * radius * radius / viscosity;
  const double rate = stokes_rate(radius, density, viscosity);
  for (const double dt : {2e-5, 1e-3, 5e-3}) {
    Scene scene = immersed(density, creeping(1000, viscosity), dt);
    scene.gravity = {0, 0, -standard_gravity};
    add_sphere(scene, {0, 0, 0}, radius);
    const auto engine = start(scene);
    engine->advance(static_cast<std::uint64_t>(40 / (rate * dt)) + 40);
    EXPECT_NEAR(read(*engine).velocity[2], -settled, 1e-12 * settled) << dt;
  }
}

// The terminal velocity by the law of Schiller and Naumann is the root of the balance of forces, found by bisection
// with the drag coefficient. Reynolds numbers from 0.1 to 20 000, on both sides of 1000. To 1e-9: the root of a power
// law to the rounding of its exponential, 1e-15, and bisection.
TEST(Fluid, TerminalVelocityWithInertia) {
  struct Ball {
    double radius, density;
  };
  for (const Ball& ball : {Ball{3e-5, 2650}, Ball{2e-4, 2650}, Ball{1e-3, 2650}, Ball{1e-3, 7800}, Ball{1e-2, 7800}}) {
    const double weight = standard_gravity * (1 - water.density / ball.density);
    double low = 0, high = 100;
    while (high - low > 1e-14 * high) {
      const double middle = 0.5 * (low + high);
      (deceleration(ball.radius, ball.density, water, middle) < weight ? low : high) = middle;
    }
    Scene scene = immersed(ball.density, water, 0.4 * ball.radius / low);
    scene.gravity = {0, 0, -standard_gravity};
    add_sphere(scene, {0, 0, 0}, ball.radius);
    const auto engine = start(scene);
    const double time = 40 * low / weight;
    engine->advance(static_cast<std::uint64_t>(time / scene.time_step) + 100);
    EXPECT_NEAR(read(*engine).velocity[2], -low, 1e-9 * low) << ball.radius << " " << ball.density;
  }
}

// In creeping flow at rest v = v0 exp(-c t) at any step, here of 1e-3 to 3 times the time of the drag; velocities
// belong to the middle of a step. The spin falls as exp(-15 mu t / (rho r^2)): torque 8 pi mu r^3 omega. To 1e-12,
// rounding.
TEST(Fluid, VelocityAndSpinDecay) {
  constexpr double radius = 1e-3, density = 2650, viscosity = 0.1;
  const double rate = stokes_rate(radius, density, viscosity);
  const double turning =
      8 * pi * viscosity * std::pow(radius, 3) / (0.4 * sphere_mass(radius, density) * radius * radius);
  EXPECT_NEAR(turning / (10.0 / 3 * rate), 1, 1e-14);
  for (const double step : {1e-3, 0.1, 1.0, 3.0}) {
    const double dt = step / rate;
    Scene scene = immersed(density, creeping(1000, viscosity), dt);
    const Real3 v{1e-3 / dt * radius, -2e-3 / dt * radius, 5e-4 / dt * radius}, w{3, 0, -4};
    add_sphere(scene, {0, 0, 0}, radius, v, w);
    const auto engine = start(scene);
    constexpr std::uint64_t steps = 7;
    engine->advance(steps);
    const double t = (steps - 0.5) * dt;
    const Reading now = read(*engine);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(now.velocity[k], v[k] * std::exp(-rate * t), 1e-12 * norm(v)) << step;
      EXPECT_NEAR(now.spin[k], w[k] * std::exp(-turning * t), 1e-12 * norm(w)) << step;
    }
  }
}

// A ball that is thrown into water slows down by the law of Schiller and Naumann. The reference solves the equation of
// motion by the method of Runge and Kutta in steps of a thousandth. The coefficient of the drag is that of the velocity
// at the beginning of each step, so the error is of first order: half as large with half the step (1.8 to 2.2), and
// below 2e-3 with the smaller one.
TEST(Fluid, DecayWithInertiaIsOfFirstOrder) {
  constexpr double radius = 2e-3, density = 2650, speed = 0.2, time = 0.05;
  const auto slows = [&](double v) { return -deceleration(radius, density, water, v); };
  const auto exact = [&](double until) {
    double v = speed;
    constexpr int n = 20000;
    const double h = until / n;
    for (int k = 0; k < n; ++k) {
      const double a = slows(v), b = slows(v + 0.5 * h * a), c = slows(v + 0.5 * h * b), d = slows(v + h * c);
      v += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return v;
  };
  const auto error = [&](double dt) {
    Scene scene = immersed(density, water, dt);
    add_sphere(scene, {0, 0, 0}, radius, {speed, 0, 0});
    const auto engine = start(scene);
    const auto steps = static_cast<std::uint64_t>(std::llround(time / dt));
    engine->advance(steps);
    return read(*engine).velocity[0] / exact((static_cast<double>(steps) - 0.5) * dt) - 1;
  };
  const double coarse = error(1e-3), fine = error(5e-4);
  EXPECT_GT(coarse / fine, 1.8);
  EXPECT_LT(coarse / fine, 2.2);
  EXPECT_LT(std::fabs(fine), 2e-3);
}

// Archimedes: a sphere and a clump of the density of the fluid stay where they are, to the last bit, in both
// precisions: the buoyancy is the weight times the ratio of the densities, which is 1.
TEST(Fluid, NeutralParticlesStay) {
  for (const Precision precision : {Precision::mixed, Precision::double_}) {
    Scene scene = immersed(1000, water, 1e-3);
    scene.precision = precision;
    scene.gravity = {1, 2, -standard_gravity};
    scene.clump_shapes = {dumbbell(1e-3, 1e-3)};
    add_sphere(scene, {0.1, 0.2, 0.3}, 1e-3);
    add_clump(scene, 0, {0.4, 0.2, 0.3});
    const auto engine = start(scene);
    engine->advance(500);
    const Snapshot now = engine->snapshot({});
    EXPECT_EQ(now.position[0], (Real3{0.1, 0.2, 0.3}));
    EXPECT_EQ(now.clumps[0].position, (Real3{0.4, 0.2, 0.3}));
  }
}

// A clump feels what a sphere of its volume feels: both settle at the same velocity, at a Reynolds number of some 100.
// Its spin about a principal axis falls at the rate 8 pi mu r^3 over the mean of its moments of inertia. To 1e-11: the
// cube root of the volume, and a sum of squares over several steps.
TEST(Fluid, AClumpIsASphereOfItsVolume) {
  constexpr double member = 1e-3, density = 2650;
  const double radius = member * std::cbrt(2.0);
  Scene scene = immersed(density, water, 2e-4);
  scene.gravity = {0, 0, -standard_gravity};
  scene.clump_shapes = {dumbbell(member, member)};
  add_sphere(scene, {0, 0, 0}, radius);
  add_clump(scene, 0, {1, 0, 0}, {}, {0, 0, 0.5});
  const Real3 inertia = scene.clump_shapes[0].inertia;
  const double mean = density * (inertia[0] + inertia[1] + inertia[2]) / 3;
  const double turning = 8 * pi * water.viscosity * std::pow(radius, 3) / mean;
  const auto engine = start(scene);
  constexpr std::uint64_t steps = 5000;
  engine->advance(steps);
  const Snapshot now = engine->snapshot({});
  EXPECT_LT(now.velocity[0][2], -0.2);
  EXPECT_NEAR(now.clumps[0].velocity[2] / now.velocity[0][2], 1, 1e-11);
  const double left = std::exp(-turning * (steps - 0.5) * scene.time_step);
  EXPECT_NEAR(now.clumps[0].angular_velocity[2] / (0.5 * left), 1, 1e-11);
}

// A wind that grows as a t carries a grain along behind it: v = a (t - 1/c) after a while. With steps, and the flow of
// the middle of each kick, the lag is (dt/2) coth(c dt/2), and the start, a kick of half a step in still air, decays
// exactly. To 1e-12, rounding.
TEST(Fluid, AGrainLagsBehindAGrowingFlow) {
  constexpr double radius = 5e-5, density = 2650, viscosity = 1.8e-5, growth = 0.2, dt = 5e-4;
  const double rate = stokes_rate(radius, density, viscosity);
  SceneFluid wind = creeping(1.2, viscosity);
  wind.flow = {{0, 0, 0, 0}, {10, 10 * growth, 0, -20 * growth}};
  Scene scene = immersed(density, wind, dt);
  add_sphere(scene, {0, 0, 0}, radius);
  const auto engine = start(scene);
  const auto steps = static_cast<std::uint64_t>(0.12 / dt);
  engine->advance(steps);
  const double t = (static_cast<double>(steps) - 0.5) * dt, lag = 0.5 * dt / std::tanh(0.5 * rate * dt);
  const double exact = growth * (t - lag + (lag - 0.5 * dt) * std::exp(-rate * (t - 0.5 * dt)));
  const Reading now = read(*engine);
  EXPECT_NEAR(lag * rate, 1, 1e-4);
  EXPECT_NEAR(now.velocity[0] / exact, 1, 1e-12);
  EXPECT_NEAR(now.velocity[2] / now.velocity[0], -2, 1e-12);
}

// A parcel falls as the grains for which it stands: with 3 times their radius and a scale of 3 at the same velocity.
// All rates are equal but for rounding, to 1e-11. So do spins decay.
TEST(Fluid, AParcelFallsAsItsGrains) {
  constexpr double grain = 3e-4, density = 2650;
  const auto fall = [&](double scale) {
    SceneFluid fluid = water;
    fluid.grain_scale = scale;
    Scene scene = immersed(density, fluid, 1e-4);
    scene.gravity = {0, 0, -standard_gravity};
    add_sphere(scene, {0, 0, 0}, scale * grain, {0.02, 0, 0}, {7, 0, 0});
    const auto engine = start(scene);
    engine->advance(300);
    return read(*engine);
  };
  const Reading one = fall(1), parcel = fall(3);
  EXPECT_LT(one.velocity[2], -0.05);
  for (std::size_t k : {0u, 2u}) { EXPECT_NEAR(parcel.velocity[k] / one.velocity[k], 1, 1e-11); }
  EXPECT_NEAR(parcel.spin[0] / one.spin[0], 1, 1e-11);
}

// Archimedes at a surface: a sphere of half the density of the fluid floats with its centre in the surface, one of 5/32
// of the density with its centre half a radius above it, where a cap of 5/32 of its volume is submerged. Above the
// surface a sphere feels nothing. To 1e-9 of the radius after the oscillation has died out.
TEST(Fluid, SpheresFloat) {
  constexpr double radius = 0.01;
  SceneFluid oil = creeping(1000, 2);
  oil.surface = FluidSurface{{0, 0, 0.3}, {0, 0, 1}};
  struct Float {
    double density, above;
  };
  for (const Float& part : {Float{500, 0}, Float{1000 * 5.0 / 32, 0.5}}) {
    Scene scene = immersed(part.density, oil, 5e-4);
    scene.gravity = {0, 0, -standard_gravity};
    add_sphere(scene, {0, 0, 0.302}, radius);
    const auto engine = start(scene);
    engine->advance(8000);
    EXPECT_NEAR(read(*engine).position[2], 0.3 + part.above * radius, 1e-9 * radius) << part.density;
  }
  Scene scene = immersed(2000, oil, 1e-4);
  add_sphere(scene, {0, 0, 0.311}, radius, {1, 0, 0}, {0, 2, 0});
  const auto engine = start(scene);
  engine->advance(100);
  EXPECT_EQ(read(*engine).velocity, (Real3{1, 0, 0}));
  EXPECT_EQ(read(*engine).spin, (Real3{0, 2, 0}));
}

// Fixed components feel nothing, and free ones of the same sphere do.
TEST(Fluid, FixedParticlesFeelNothing) {
  Scene scene = immersed(2650, water, 1e-4);
  scene.gravity = {0, 0, -standard_gravity};
  SceneGroup held;
  held.fixed = fixed_translation | fixed_rotation;
  SceneGroup rail;
  rail.fixed = 1;
  scene.groups.push_back(held);
  scene.groups.push_back(rail);
  add_sphere(scene, {0, 0, 0}, 1e-3, {0.1, 0.2, 0}, {1, 0, 0});
  add_sphere(scene, {1, 0, 0}, 1e-3, {0.1, 0.2, 0});
  scene.particles.group = {1, 2};
  const auto engine = start(scene);
  engine->advance(100);
  EXPECT_EQ(read(*engine).velocity, (Real3{0.1, 0.2, 0}));
  EXPECT_EQ(read(*engine).spin, (Real3{1, 0, 0}));
  EXPECT_EQ(read(*engine, 1).velocity[0], 0.1);
  EXPECT_LT(read(*engine, 1).velocity[1], 0.19);
}

// The force on all particles balances their weight once they have settled: spheres of three sizes and a clump, whose
// drag carries what the buoyancy leaves. To 1e-11, as the terminal velocities.
TEST(Fluid, TheForceOnAllCarriesTheirWeight) {
  constexpr double density = 2650;
  Scene scene = immersed(density, creeping(1000, 0.1), 1e-3);
  scene.gravity = {1, 0, -standard_gravity};
  scene.clump_shapes = {dumbbell(1e-3, 1e-3)};
  double mass = density * scene.clump_shapes[0].volume;
  for (const double radius : {5e-4, 1e-3, 1.5e-3}) {
    add_sphere(scene, {1e3 * radius, 0, 0}, radius);
    mass += sphere_mass(radius, density);
  }
  add_clump(scene, 0, {3, 0, 0});
  const auto engine = start(scene);
  engine->advance(2000);
  const Real3 force = engine->fluid_force();
  EXPECT_NEAR(force[0] / -mass, 1, 1e-11);
  EXPECT_EQ(force[1], 0);
  EXPECT_NEAR(force[2] / (mass * standard_gravity), 1, 1e-11);
}

// A flow that grows over time acts on two fixed spheres: the force is the sum of the drag coefficients at the flow of
// the present time, and of the displaced weights, also before the first step. A third sphere lies above the surface. A
// parcel of scale 2 has the drag of the grains for which it stands, eight times that of a sphere of half its radius. To
// 1e-12, rounding.
TEST(Fluid, TheForceOnAllIsTheSumOfTheDrags) {
  constexpr double radius = 1e-3, density = 1e9, dt = 1e-4;
  for (const double scale : {1.0, 2.0}) {
    SceneFluid stream = water;
    stream.grain_scale = scale;
    stream.flow = {{0, 0.1, 0, 0}, {1, 0.5, -0.8, 0}};
    stream.surface = FluidSurface{{0, 0, 1}, {0, 0, 1}};
    Scene scene = immersed(density, stream, dt);
    scene.gravity = {0, 0, -standard_gravity};
    SceneGroup held;
    held.fixed = fixed_translation | fixed_rotation;
    scene.groups.push_back(held);
    for (const double height : {0.0, 0.5, 2.0}) { add_sphere(scene, {0, 0, height}, radius); }
    scene.particles.group = {1, 1, 1};
    const auto engine = start(scene);
    for (const std::uint64_t steps : {0, 3000}) {
      engine->advance(steps);
      const double time = static_cast<double>(steps) * dt, u[2] = {0.1 + 0.4 * time, -0.8 * time};
      const double speed = std::hypot(u[0], u[1]), grain = radius / scale, n_grains = 2 * std::pow(scale, 3);
      const double drag = n_grains * sphere_mass(grain, density) * deceleration(grain, density, water, speed);
      const Real3 force = engine->fluid_force();
      EXPECT_NEAR(force[0], drag * u[0] / speed, 1e-12 * drag) << scale;
      EXPECT_NEAR(force[1], drag * u[1] / speed, 1e-12 * drag) << scale;
      const double displaced = 2 * sphere_mass(radius, water.density) * standard_gravity;
      EXPECT_NEAR(force[2] / displaced, 1, 1e-12) << scale;
    }
  }
}

// The quick exponential of kernels: a few units in the last place, over the whole range.
TEST(Fluid, TheQuickExponential) {
  Numbers random(3);
  for (int k = 0; k < 10000; ++k) {
    const double x = random.between(-1, 1) * (k % 2 == 0 ? 700 : 2);
    EXPECT_NEAR(math::quick_exponential(x) / std::exp(x), 1, 2e-15) << x;
  }
  EXPECT_EQ(math::quick_exponential(0), 1);
}

// The ledger closes: what a sphere loses beside its weight is the work of the fluid, drag and buoyancy, exactly. A
// clump that turns has an error of (c dt)^2/12 of the energy of its rotation, with c dt = 0.003. Nothing else is
// damped.
TEST(Fluid, TheLedgerCloses) {
  constexpr double density = 2650, radius = 1e-3;
  for (const bool clump : {false, true}) {
    SceneFluid stream = water;
    stream.viscosity = 0.05;
    stream.flow = {{0, 0, 0, 0}, {0.05, 0.3, 0, 0.1}};
    Scene scene = immersed(density, stream, 2e-5);
    scene.gravity = {0, 0, -standard_gravity};
    scene.energies = true;
    scene.clump_shapes = {dumbbell(radius, radius)};
    if (clump) {
      add_clump(scene, 0, {0, 0, 0}, {0.1, 0, 0}, {10, 30, 20});
    } else {
      add_sphere(scene, {0, 0, 0}, radius, {0.1, 0, 0}, {10, 30, 20});
    }
    const auto engine = start(scene);
    engine->advance(1);
    const EnergyLedger first = engine->energies();
    engine->advance(3000);
    const EnergyLedger last = engine->energies();
    const double before = first.kinetic_translation + first.kinetic_rotation - first.gravity - first.fluid;
    const double after = last.kinetic_translation + last.kinetic_rotation - last.gravity - last.fluid;
    EXPECT_NE(last.fluid, 0);
    EXPECT_EQ(last.damping, 0);
    const double most = std::fmax(first.kinetic_rotation, std::fabs(last.fluid));
    EXPECT_NEAR(after, before, (clump ? 1e-5 : 1e-11) * most) << clump;
    EXPECT_LT(std::fabs(last.error), (clump ? 1e-5 : 1e-11) * most) << clump;
  }
}

// Between the points of a grid the flow is trilinear, so a field that is linear in each coordinate is exact, to 1e-14.
// Outside it is that of the nearest place of the grid, and along an axis with a single point it does not change.
TEST(Fluid, AFlowOnAGrid) {
  const auto u = [](const Vec3d& x) { return Vec3d{1 + x.x * x.y, 2 * x.x - 3 * x.y + x.z, x.x * x.y * x.z - 0.5}; };
  const Vec3d first{-1, 0.5, 2}, spacing{0.25, 0.5, 0.1};
  std::vector<Vec3d> values;
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 5; ++i) { values.push_back(u({-1 + 0.25 * i, 0.5 + 0.5 * j, 2 + 0.1 * k})); }
    }
  }
  FlowField field{{values.data(), values.size()}, {5, 3, 4}, first, spacing};
  const auto expect_at = [&](const Vec3d& place, const Vec3d& nearest) {
    const Vec3d found = field.at(place), exact = u(nearest);
    EXPECT_NEAR(found.x, exact.x, 1e-14);
    EXPECT_NEAR(found.y, exact.y, 2e-14);
    EXPECT_NEAR(found.z, exact.z, 1e-14);
  };
  Numbers random(2);
  for (int k = 0; k < 100; ++k) {
    const double x = random.between(-1, 0), y = random.between(0.5, 1.5), z = random.between(2, 2.3);
    expect_at({x, y, z}, {x, y, z});
  }
  expect_at({0, 1.5, 2.3}, {0, 1.5, 2.3});
  expect_at({-7, 1, 9}, {-1, 1, 2.3});
  expect_at({5, 1.7, 2.05}, {0, 1.5, 2.05});
  expect_at({NAN, 1, 2}, {-1, 1, 2});
  const std::vector<Vec3d> line(values.begin(), values.begin() + 5);
  FlowField flat{{const_cast<Vec3d*>(line.data()), line.size()}, {5, 1, 1}, first, {0.25, 0, 0}};
  EXPECT_NEAR(flat.at({-0.6, 99, -99}).x, u({-0.6, 0.5, 2}).x, 1e-14);
}

}  // namespace scree::physics::fluid_test
