#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/laws/bonded.hpp"
#include "scenes.hpp"

// Bonded contacts, as a functor and in runs. Spheres have the radius r, E = 1e8 Pa and G / E = 0.3; A = pi r^2.
namespace scree::physics::bonds_test {

constexpr double radius = 0.01, young = 1e8, ratio = 0.3, density = 2500;
constexpr double area = pi * radius * radius;
constexpr double normal_stiffness = young * area / (2 * radius), shear_stiffness = ratio * normal_stiffness;
constexpr double unbreakable = 0.1 * young;

/// An empty scene of bonded spheres with the same values for all pairs of materials.
Scene bonded_scene(const Bond& bond, double time_step, const RollingResistance& rolling = {}) {
  MaterialPair pair;
  pair.friction = 0.5;
  pair.bond = bond;
  pair.rolling = rolling;
  Scene scene = empty_scene(LawKind::bonded, {young, ratio, density}, {young, ratio, density}, pair, time_step);
  scene.interaction_range = 1.05 * bond.interaction_range * (1 + bond.tensile_strength / young);
  return scene;
}

ContactState<double> contact_at(double radius1, double radius2, double length, const Vec3d& slip = {}) {
  ContactState<double> c{};
  c.n = {0, 0, 1};
  c.overlap = radius1 + radius2 - length;
  c.slip = slip;
  c.radius1 = radius1;
  c.radius2 = radius2;
  c.effective_mass = 0.005;
  c.time_step = 1e-5;
  c.branch_before = {0, 0, length};
  return c;
}

// A02, spheres with r = 0.01 and 0.015 m, R_I = 1.5. At a distance of 0.036 m there is a bond without force, whose
// contact point divides the line of centres into 0.0155 and 0.0205 m; at 0.037501 m there is no bond. Tolerance of
// lengths: 1e-14 m.
TEST(Bonds, A02InteractionRadius) {
  for (const double length : {0.036, 0.037501}) {
    Scene scene = bonded_scene({unbreakable, unbreakable, 1.5}, 1e-6);
    add_sphere(scene, {0, 0, 0}, 0.01);
    add_sphere(scene, {0, 0, length}, 0.015);
    const auto engine = start(scene);
    engine->advance(1);
    EXPECT_EQ(engine->counts().bonds, length < 0.0375 ? 1u : 0u);
    EXPECT_EQ(engine->counts().contacts, engine->counts().bonds);
    for (const std::size_t i : {0u, 1u}) { EXPECT_EQ(norm(read(*engine, i).force), 0); }
  }
  // The lever arms of a shear force show where the contact point is: the same force turns both bodies from rest.
  Scene scene = bonded_scene({unbreakable, unbreakable, 1.5}, 1e-6);
  add_sphere(scene, {0, 0, 0}, 0.01, {0.001, 0, 0});
  add_sphere(scene, {0, 0, 0.036}, 0.015);
  const auto engine = start(scene);
  engine->advance(1);
  const double force = read(*engine, 1).force[0], half_step = 0.5e-6;
  const auto lever = [&](std::size_t i, double r) {
    return read(*engine, i).spin[1] * 0.4 * sphere_mass(r, density) * r * r / (half_step * force);
  };
  EXPECT_GT(force, 0);
  EXPECT_NEAR(-lever(0, 0.01), 0.0155, 1e-14);
  EXPECT_NEAR(-lever(1, 0.015), 0.0205, 1e-14);
}

// Stored by logarithmic strain x: E A d0 ((1 - x) ln(1 - x) + x), here by its series in long double. Errors in units of
// the last place: four of the stiffness, two each of strain, square and length, and up to ten over x where the closed
// form is used, that is from x = 1/4 on.
template <class R>
void expect_energy_of_logarithmic_strain(double places) {
  const typename Bonded<R>::Params params{R(young), R(ratio * young), R(1e12), R(1e12), R(0.5), R(1), R(1)};
  const typename Bonded<R>::History bond{R(1), R(0)};
  ContactState<R> c{};
  c.radius1 = c.radius2 = R(radius);
  c.effective_radius = R(0.5) * c.radius1;
  const double length = 2 * double(c.radius1), section = pi * double(c.radius1) * double(c.radius1);
  for (const double strain : {1e-7, 5e-6, 1e-3, 0.1, 0.2499, 0.2501, 0.5, 0.79}) {
    c.overlap = static_cast<R>(strain * length);
    const long double x = static_cast<long double>(c.overlap) / length;
    long double exact = 0, power = x;
    for (int n = 2; n < 1000; ++n) { exact += (power *= x) / (static_cast<long double>(n) * (n - 1)); }
    const LawEnergies<R> e = Bonded<R>::energies(c, params, {}, R(0), bond, bond);
    EXPECT_NEAR(double(e.normal) / (young * section * length * double(exact)), 1, places) << strain;
  }
}

TEST(Bonds, EnergyOfLogarithmicStrain) {
  expect_energy_of_logarithmic_strain<double>(60 * 0x1p-53);
  expect_energy_of_logarithmic_strain<float>(60 * 0x1p-24);
}

// A03: with K_N = 1e5 N/m and d0 = 0.02 m, the force at 0.016 m is 446.2871026284 N with logarithmic strain and 400 N
// with linear strain; at 0.024 m it is -400 N with both. Tolerance 1e-12.
TEST(Bonds, A03LinearAndLogarithmicStrain) {
  for (const bool logarithmic : {false, true}) {
    const Bonded<double>::Params params{1e5 * 0.02 / area, 1e7, 1e12, 1e12, 0.5, 1, logarithmic ? 1.0 : 0.0};
    Bonded<double>::History history{1, 0};
    const auto force = [&](double length) {
      return Bonded<double>::evaluate(contact_at(radius, radius, length), params, history).normal;
    };
    EXPECT_NEAR(force(0.016) / (logarithmic ? 446.2871026284 : 400), 1, 1e-12);
    EXPECT_NEAR(force(0.024) / -400, 1, 1e-12);
    // At d0 the slope is that of one spring; 0.02 - 1e-9 itself is rounded by 3e-18.
    EXPECT_NEAR(force(0.02 - 1e-9) / 1e-4, 1, 1e-6);
    EXPECT_EQ(history.state, 1);
  }
}

// The logarithm of the law against that of the C library: 1e-15 up to a compression by 0.8, and 1e-12 beyond.
TEST(Bonds, Logarithm) {
  for (double t = 1e-9; t < 0.95; t *= 1.3) {
    EXPECT_NEAR(math::log_of_one_minus(t) / std::log1p(-t), 1, t < 0.8 ? 4e-15 : 1e-12) << t;
  }
  EXPECT_EQ(math::log_of_one_minus(0.0), 0);
}

// Area and stiffness for unequal spheres: A is the area of the smaller sphere, and d0 the distance at which the bond
// was made, also with an overlap.
TEST(Bonds, StiffnessFromAreaAndLength) {
  const Bonded<double>::Params params{2e7, 6e6, 1e12, 1e12, 0.5, 1, 0};
  Bonded<double>::History history{1, 2e-4};
  const double length = 0.03 - 2e-4;
  const auto response = Bonded<double>::evaluate(contact_at(0.01, 0.02, length - 1e-5, {3, 0, 0}), params, history);
  EXPECT_NEAR(response.normal / (2e7 * area / length * 1e-5), 1, 1e-10);
  EXPECT_NEAR(response.tangential.x / (-6e6 * area / length * 3e-5), 1, 1e-12);
}

// Shear at constant compression, in closed form: the bond breaks above (cohesion) A + F_N tan(phi), then the contact
// slides at F_N tan(phi).
TEST(Bonds, BreaksInShearAtMohrCoulomb) {
  constexpr double cohesion = 2e4;
  const Bonded<double>::Params params{young, ratio * young, 1e6, cohesion, 0.5, 1, 0};
  for (const double shorter : {1e-6, 0.0, -1e-7}) {  // compression, none, tension
    Bonded<double>::History history{1, 0};
    const double normal = normal_stiffness * shorter, limit = cohesion * area + 0.5 * normal;
    ContactState<double> c = contact_at(radius, radius, 2 * radius - shorter, {0, 1e-3, 0});
    double most = 0;
    int steps = 0;
    for (; history.state == 1 && steps < 10000; ++steps) {
      most = norm(Real3{c.shear.x, c.shear.y, c.shear.z});
      const auto response = Bonded<double>::evaluate(c, params, history);
      c.shear = response.shear;
    }
    const double increment = shear_stiffness * 1e-3 * c.time_step;
    EXPECT_LE(most, limit);
    EXPECT_GT(most, limit - 1.001 * increment);
    EXPECT_NEAR(std::abs(c.shear.y), 0.5 * std::max(normal, 0.0), 1e-12) << shorter;
    EXPECT_GT(steps, 100);
  }
}

/// Relative speed of two bonded spheres that fly apart, `steps` steps after the start. `broken` gets the number of
/// broken bonds.
double speed_after(double speed, double strength, std::uint64_t& broken) {
  const double reduced = 0.5 * sphere_mass(radius, density), period = 2 * pi / std::sqrt(normal_stiffness / reduced);
  Scene scene = bonded_scene({strength, unbreakable}, period / 20000);
  add_sphere(scene, {0, 0, 0}, radius, {0, 0, -0.5 * speed});
  add_sphere(scene, {0, 0, 2 * radius}, radius, {0, 0, 0.5 * speed});
  const auto engine = start(scene);
  engine->advance(6000);
  broken = engine->counts().broken_bonds;
  EXPECT_EQ(engine->counts().bonds, 1 - broken);
  return read(*engine, 1).velocity[2] - read(*engine, 0).velocity[2];
}

// Closed form: a pair that flies apart at v pulls with at most v sqrt(K_N m*), and breaks if this exceeds (strength) A.
// The remaining speed follows from the energy in the spring at the break. Tolerance 1e-3 of v for steps of 1/20000 of
// the period.
TEST(Bonds, BreaksInTensionAtItsStrength) {
  constexpr double strength = 1e5;
  const double root = std::sqrt(normal_stiffness * 0.5 * sphere_mass(radius, density));
  const double critical = strength * area / root;
  std::uint64_t broken = 0;
  EXPECT_LT(speed_after(0.999 * critical, strength, broken), 0) << "it comes back";
  EXPECT_EQ(broken, 0u);
  static_cast<void>(speed_after(1.001 * critical, strength, broken));
  EXPECT_EQ(broken, 1u);
  EXPECT_NEAR(speed_after(2 * critical, strength, broken) / critical, std::sqrt(3.0), 2e-3);
  EXPECT_EQ(broken, 1u);
}

// A broken bond keeps its springs for friction: a pair that was bonded with an overlap does not spring apart. A contact
// that begins later starts without this offset.
TEST(Bonds, BrokenBondsKeepTheirLength) {
  const Bonded<double>::Params params{young, ratio * young, 1e4, 1e4, 0.5, 1, 0};
  Bonded<double>::History history{1, 1e-4};
  const auto normal = [&](double overlap) {
    return Bonded<double>::evaluate(contact_at(radius, radius, 2 * radius - overlap), params, history).normal;
  };
  EXPECT_EQ(normal(0.5e-4), 0);  // breaks in tension
  EXPECT_EQ(history.state, -1);
  EXPECT_EQ(normal(0.9e-4), 0);
  EXPECT_NEAR(normal(1.1e-4) / (young * area / (2 * radius - 1e-4) * 1e-5), 1, 1e-9);
  EXPECT_EQ(normal(-1e-6), 0);  // apart, so the contact forgets its offset
  EXPECT_EQ(history.state, 0);
  EXPECT_EQ(history.offset, 0);
  EXPECT_NEAR(normal(1e-5) / (normal_stiffness * 1e-5), 1, 1e-9);
  EXPECT_EQ(history.state, 0);
}

TEST(Bonds, ParticlesThatMeetLaterAreNotBonded) {
  Scene scene = bonded_scene({unbreakable, unbreakable, 1.2}, 1e-6);
  add_sphere(scene, {0, 0, 0}, radius, {0, 0, 0.5});
  add_sphere(scene, {0, 0, 2.6 * radius}, radius, {0, 0, -0.5});
  const auto engine = start(scene);
  engine->advance(1);
  EXPECT_EQ(engine->counts().bonds, 0u);
  engine->advance(20000);
  EXPECT_EQ(engine->counts().contacts, 0u);
  EXPECT_NEAR(read(*engine, 1).velocity[2], 0.5, 1e-3);  // the speed after an elastic impact
}

// A23, torsion oscillator: two spheres with K_t = 0.05 N m spin against each other about the normal. Period 2 pi sqrt(I
// / (2 K_t)) = 1.2859502672e-2 s (closed form); tolerance 1e-3.
TEST(Bonds, A23TorsionOscillator) {
  const double alpha = 0.05 / (radius * radius * shear_stiffness);
  Scene scene = bonded_scene({unbreakable, unbreakable}, 1e-5, {.twisting_stiffness = alpha});
  add_sphere(scene, {0, 0, 0}, radius, {}, {0, 0, 0.1});
  add_sphere(scene, {0, 0, 2 * radius}, radius, {}, {0, 0, -0.1});
  const auto engine = start(scene);
  const auto zeros = zero_crossings(*engine, 5, 0.1, [](Engine& e) { return read(e).spin[2]; });
  ASSERT_EQ(zeros.size(), 5u);
  EXPECT_NEAR((zeros[4] - zeros[0]) / 2 / 1.2859502672e-2, 1, 1e-3);
}

// Sound in a chain of n equal spheres with free ends. The standing wave of one half length, v_i ~ cos(pi (i + 1/2) /
// n), has the angular frequency 2 sqrt(K_N / m) sin(pi / (2 n)), exact for the chain. Its phase velocity is 2 r
// sqrt(K_N / m) except for 2.6e-4, the dispersion of the chain. Tolerance 1e-4 for steps of 1/4000 of the period.
TEST(Bonds, WaveSpeedOfAChain) {
  constexpr int n = 40;
  const double root = std::sqrt(normal_stiffness / sphere_mass(radius, density));
  const double period = 2 * pi / (2 * root * std::sin(pi / (2 * n)));
  Scene scene = bonded_scene({unbreakable, unbreakable}, period / 4000);
  for (int i = 0; i < n; ++i) {
    add_sphere(scene, {2 * radius * i, 0, 0}, radius, {1e-4 * std::cos(pi * (i + 0.5) / n), 0, 0});
  }
  const auto engine = start(scene);
  const auto zeros = zero_crossings(*engine, 3, 2.5 * period, [](Engine& e) { return read(e).velocity[0]; });
  ASSERT_EQ(zeros.size(), 3u);
  EXPECT_NEAR((zeros[2] - zeros[0]) / period, 1, 1e-4);
  const double phase_velocity = 2 * radius * n / (zeros[1] - zeros[0]);
  EXPECT_NEAR(phase_velocity / (2 * radius * root), 1, 1e-3);
}

// A cantilever: a plate bends a chain of spheres at its end; the first sphere is too heavy to move. Each contact is a
// hinge of rigidity K_r and a slider of rigidity K_T at its contact point, so a force P in the centre of the last
// sphere lowers it by P sum[1 / K_T + (x_end - x_contact)^2 / K_r] (closed form). The compliance of the plate's contact
// does not count, since positions of spheres are compared. Tolerance 2e-3 for a deflection of 1e-3 of the length.
TEST(Bonds, CantileverOfSpheres) {
  constexpr int n = 8;
  constexpr double alpha = 0.5;
  Scene scene = bonded_scene({unbreakable, unbreakable}, 1e-5, {.stiffness = alpha, .twisting_stiffness = alpha});
  scene.integration.damping = 0.3;
  Material anchor = scene.materials[0];
  anchor.density = 1e15;
  scene.materials.push_back(anchor);
  const MaterialPair bonded = scene.pairs[0];
  MaterialPair smooth;
  smooth.law = LawKind::cundall_strack;
  scene.pairs = {bonded, smooth, bonded, smooth, smooth, smooth, bonded, smooth, bonded};
  double compliance = 0;
  for (int i = 0; i < n; ++i) {
    add_sphere(scene, {2 * radius * i, 0, 0}, radius, {}, {}, i == 0 ? 2 : 0);
    if (i == n - 1) { break; }
    const double arm = 2 * radius * (n - 1 - i) - radius;
    compliance += 1 / shear_stiffness + arm * arm / (alpha * radius * radius * shear_stiffness);
  }
  const double end = 2 * radius * (n - 1);
  add_mesh(scene, parallelogram({end - 0.5 * radius, -radius, radius}, {radius, 0, 0}, {0, 2 * radius, 0}),
           {{Translation{{0, 0, -0.01}}, 0, 0.015}});
  const auto engine = start(scene);
  engine->advance(60000);
  const double down = -read(*engine, n - 1).position[2], force = engine->boundary_loads()[0].force[2];
  EXPECT_GT(down, 1e-4);
  EXPECT_LT(std::abs(read(*engine, n - 1).velocity[2]), 1e-8) << "not at rest yet";
  EXPECT_NEAR(down / (force * compliance), 1, 2e-3);
  EXPECT_EQ(engine->counts().bonds, std::uint64_t(n - 1));
}

// E01 with couples: a cluster that is torn apart and tumbles keeps its momentum to 1e-11, and its angular momentum
// (orbits and spins) to 1e-10 of the sum of the magnitudes.
TEST(Bonds, E01MomentumWithCouples) {
  Scene scene = bonded_scene(
      {4e4, 4e4, 1.1}, 5e-6,
      {.stiffness = 0.3, .friction = 0.1, .twisting_stiffness = 0.2, .twisting_friction = 0.05, .damping = 0.1});
  Numbers numbers(7);
  for (int k = 0; k < 5; ++k) {
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 5; ++i) {
        const Real3 spin = numbers.in_cube(20), velocity = numbers.in_cube(0.3);
        const double size = numbers.between(0.9, 1.0) * radius;
        const Real3 shift = numbers.in_cube(0.05 * radius);
        add_sphere(scene, 2.05 * radius * Real3{double(i), double(j), double(k)} + shift, size, velocity, spin);
      }
    }
  }
  const auto engine = start(scene);
  struct Sums {
    Real3 momentum{}, angular{};
    double momenta = 0, angulars = 0;
  };
  const auto sums = [&] {
    const Snapshot s = engine->snapshot();
    Sums all;
    for (std::size_t i = 0; i < s.id.size(); ++i) {
      const double mass = sphere_mass(s.radius[i], density);
      const Real3 p = mass * s.velocity[i],
                  l = cross(s.position[i], p) + (0.4 * mass * s.radius[i] * s.radius[i]) * s.angular_velocity[i];
      all.momentum = all.momentum + p;
      all.angular = all.angular + l;
      all.momenta += norm(p);
      all.angulars += norm(l);
    }
    return all;
  };
  const Sums before = sums();
  engine->advance(4000);
  const Sums after = sums();
  EXPECT_LT(norm(after.momentum - before.momentum), 1e-11 * before.momenta);
  EXPECT_LT(norm(after.angular - before.angular), 1e-10 * before.angulars);
  const EngineCounts counts = engine->counts();
  EXPECT_GT(counts.broken_bonds, 20u);
  EXPECT_GT(counts.bonds, 20u);
  // Without the couples the same cluster moves differently, so the couples took part.
  for (MaterialPair& pair : scene.pairs) { pair.rolling = {}; }
  const auto plain = start(scene);
  plain->advance(4000);
  EXPECT_GT(norm(read(*plain).spin - read(*engine).spin), 1e-3);
}

}  // namespace scree::physics::bonds_test
