#include <gtest/gtest.h>

#include <cmath>

#include "host/scene/adhesion_range.hpp"
#include "host/scene/time_step.hpp"
#include "impacts.hpp"
#include "kernels/interactions/attraction_params.hpp"
#include "kernels/laws/hertz_mindlin.hpp"
#include "kernels/laws/linear_spring_dashpot.hpp"
#include "law_states.hpp"

// Capillary bridges beside a law.
namespace scree::physics::liquid_test {

constexpr double tension = 0.072, angle = 0.3, fraction = 0.01, r1 = 1e-3, r2 = 2e-3, young = 5e6;
constexpr double volume = fraction * 4.0 / 3 * pi * r1 * r1 * r1;  // of the bridge of a sphere of radius r1

using Law = WithLiquid<HertzMindlin<double>, double>;

MaterialPair wet_pair() {
  MaterialPair pair{0.4, 0};
  pair.liquid = LiquidBridges{tension, angle, {}, fraction};
  return pair;
}
Law::Params params() { return wet<HertzMindlin<double>, double>({young, 4e6, 0, 0, 0.4}, wet_pair()); }

/// [N] Willett, Adams, Johnson & Seville (2000), closed form for equal spheres of radius `mean`.
double willett(double gap, double mean) {
  const double s = gap * std::sqrt(mean / volume);
  return 2 * pi * mean * tension * std::cos(angle) / (1 + 1.05 * s + 2.5 * s * s);
}
double rupture() { return (1 + 0.5 * angle) * std::cbrt(volume); }

// R is the harmonic mean of two radii, and twice that of a sphere at a wall. No force before the first touch.
TEST(Liquid, ForceOfABridgeUpToItsRupture) {
  for (const double second : {r2, 0.0}) {
    const auto c = contact_at(0, r1, second);
    const double mean = second > 0 ? 2 * r1 * r2 / (r1 + r2) : 2 * r1;
    LedgerPath<Law> bridge(params(), c);
    EXPECT_EQ(bridge.move_to(-1e-5), 0) << "not yet touched";
    EXPECT_NEAR(bridge.move_to(1e-6), 4.0 / 3 * young * std::sqrt(c.effective_radius) * 1e-9 - willett(0, mean), 1e-12);
    for (const double part : {0.0, 0.01, 0.3, 0.999, 0.5}) {
      EXPECT_NEAR(bridge.move_to(-part * rupture()), -willett(part * rupture(), mean), 1e-13) << part;
    }
    EXPECT_EQ(bridge.move_to(-1.001 * rupture()), 0);
    EXPECT_EQ(bridge.move_to(-0.5 * rupture()), 0) << "it does not come back without a touch";
  }
}

// A given volume instead of a fraction.
TEST(Liquid, VolumeOfABridge) {
  MaterialPair pair = wet_pair();
  pair.liquid = LiquidBridges{tension, angle, volume, {}};
  LedgerPath<Law> bridge(wet<HertzMindlin<double>, double>({young, 4e6, 0, 0, 0.4}, pair), contact_at(0, r1, r2));
  bridge.move_to(0);
  EXPECT_NEAR(bridge.move_to(-1e-5), -willett(1e-5, 2 * r1 * r2 / (r1 + r2)), 1e-13);
}

// The ledger: what opening costs is stored and lost at the rupture. The work is summed by trapezoids.
TEST(Liquid, WorkOfOpeningIsLostAtTheRupture) {
  LedgerPath<Law> bridge(params(), contact_at(0, r1, r2));
  bridge.move_to(0);
  bridge.work = 0;
  constexpr int steps = 20000;
  for (int k = 1; k < steps; ++k) {
    bridge.move_to(-rupture() * k / steps);
    ASSERT_NEAR(bridge.normal, bridge.work, 1e-7 * bridge.work + 1e-18);
  }
  const double work = bridge.work;
  bridge.move_to(-1.00001 * rupture());
  EXPECT_NEAR(bridge.lost, work, 1e-7 * work);
  EXPECT_EQ(bridge.normal, 0);
}

/// [J] of opening a bridge up to the rupture, by Simpson's rule.
double work_of_rupture(double mean) {
  constexpr int n = 1000;
  const double h = rupture() / n;
  double sum = 0;
  for (int k = 0; k <= n; ++k) { sum += (k == 0 || k == n ? 1 : (k % 2 ? 4 : 2)) * willett(h * k, mean); }
  return sum * h / 3;
}

/// Two touching spheres of radius r1 that part, or one that leaves a wall.
Scene parting(double speed, bool wall, LawKind law) {
  MaterialPair pair = wet_pair();
  pair.springs = {.from_moduli = false, .stiffness = 1e3, .shear_stiffness = 1e3};
  Scene scene = empty_scene(law, {young, 0.3, 2000}, {rigid, 0, 1}, pair, 2e-7);
  scene.energies = true;
  if (wall) {
    add_plane(scene, {0, 0, 0}, {0, 0, 1});
    add_sphere(scene, {0, 0, r1 * (1 - 1e-6)}, r1, {0, 0, speed});
  } else {
    add_sphere(scene, {0, 0, r1 * (1 - 1e-6)}, r1, {0, 0, 0.5 * speed});
    add_sphere(scene, {0, 0, -r1 * (1 - 1e-6)}, r1, {0, 0, -0.5 * speed});
  }
  scene.interaction_range = adhesion_range(scene);
  return scene;
}

// Closed form: 1/2 m* (v^2 - v'^2) is the work up to the rupture; slower bodies stay. The first overlap of 1e-6 of the
// radius and the step of the rupture are errors of 1e-3.
TEST(Liquid, PartingCostsTheWorkOfRupture) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::linear_spring_dashpot}) {
    for (const bool wall : {false, true}) {
      const double mass = sphere_mass(r1, 2000) * (wall ? 1 : 0.5), work = work_of_rupture(wall ? 2 * r1 : r1);
      const double escape = std::sqrt(2 * work / mass), fast = 1.5 * escape;
      auto engine = start(parting(fast, wall, law));
      engine->advance(100000);
      EXPECT_EQ(engine->counts().contacts + engine->counts().boundary_contacts, 0U);
      const double left = read(*engine).velocity[2] * (wall ? 1 : 2);
      EXPECT_NEAR(left / std::sqrt(fast * fast - escape * escape), 1, 2e-3);
      const EnergyLedger e = engine->energies();
      EXPECT_NEAR(e.breakage / work, 1, 2e-3);
      EXPECT_LT(std::fabs(e.error), 2e-3 * work);

      engine = start(parting(0.95 * escape, wall, law));
      engine->advance(100000);
      EXPECT_EQ(engine->counts().contacts + engine->counts().boundary_contacts, 1U);
    }
  }
}

using Rabinovich = WithLiquid<HertzMindlin<double>, double, RabinovichBridge<double>>;

/// [N] Rabinovich, Esayanur & Moudgil (2005), their equations (19) and (20) without the term of the surface tension.
double rabinovich(double gap, double mean) {
  const double half_width = 0.5 * gap * (std::sqrt(1 + 2 * volume / (pi * mean * gap * gap)) - 1);
  return 2 * pi * mean * tension * std::cos(angle) / (1 + 0.5 * gap / half_width);
}

Rabinovich::Params rabinovich_params(double gamma, double theta, double bridge) {
  MaterialPair pair{0.4, 0};
  pair.liquid = LiquidBridges{gamma, theta, bridge, {}, LiquidForce::rabinovich};
  return wet<HertzMindlin<double>, double, RabinovichBridge<double>>({young, 4e6, 0, 0, 0.4}, pair);
}

// The form that is computed has no difference of nearly equal numbers; that of the paper is exact enough at these gaps.
// The work is summed by trapezoids.
TEST(Liquid, ForceAndWorkOfRabinovich) {
  for (const double second : {r2, 0.0}) {
    const double mean = second > 0 ? 2 * r1 * r2 / (r1 + r2) : 2 * r1;
    LedgerPath<Rabinovich> bridge(rabinovich_params(tension, angle, volume), contact_at(0, r1, second));
    bridge.move_to(0);
    bridge.work = 0;
    constexpr int steps = 20000;
    for (int k = 1; k < steps; ++k) {
      const double gap = rupture() * k / steps;
      const double force = bridge.move_to(-gap);
      ASSERT_NEAR(force, -rabinovich(gap, mean), 1e-11 * willett(0, mean));
      ASSERT_NEAR(bridge.normal, bridge.work, 1e-7 * bridge.work + 1e-18);
    }
    const double work = bridge.work;
    EXPECT_EQ(bridge.move_to(-1.00001 * rupture()), 0);
    EXPECT_NEAR(bridge.lost, work, 1e-7 * work);
  }
}

// Forces with which Yade checks its models "Willett_analytic" and "Rabinovich" (checkCapillaryModels.py, printed with 9
// and 12 digits): spheres of 19 um with one of 32.5 and of 27.5 um, at 10 degrees, whose overlap of 1e-5 of the
// distance was opened by 249 nm. From the second the surface tension of the paper is taken away, 2 pi R g sin(a) sin(a
// + theta), a^2 = S/R (sqrt(1 + 2V/(pi R S^2)) - 1).
TEST(Liquid, ForcesAreThoseOfYade) {
  const double theta = pi / 18, small = 19e-6;
  const auto gap = [&](double other) { return 249e-9 - 1e-5 * (small + other); };
  MaterialPair pair{0.4, 0};
  pair.liquid = LiquidBridges{24e-3, theta, 12e-19, {}};
  LedgerPath<Law> one(wet<HertzMindlin<double>, double>({young, 4e6, 0, 0, 0.4}, pair), contact_at(0, small, 32.5e-6));
  one.move_to(0);
  EXPECT_NEAR(one.move_to(-gap(32.5e-6)) / -6.78192074e-07, 1, 1e-8);

  LedgerPath<Rabinovich> two(rabinovich_params(28e-3, theta, 36e-19), contact_at(0, small, 27.5e-6));
  two.move_to(0);
  const double mean = 2 * small * 27.5e-6 / (small + 27.5e-6), s = gap(27.5e-6);
  const double a = std::sqrt(s / mean * (std::sqrt(1 + 2 * 36e-19 / (pi * mean * s * s)) - 1));
  const double tension_term = 2 * pi * mean * 28e-3 * std::sin(a) * std::sin(a + theta);
  EXPECT_NEAR(two.move_to(-s) / (tension_term - 1.58617796928e-06), 1, 1e-9);
}

// In a run: a pair that parts loses the work of the rupture.
TEST(Liquid, PartingAgainstRabinovich) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::linear_spring_dashpot}) {
    double work = 0;  // Simpson's rule
    constexpr int n = 1000;
    for (int k = 0; k <= n; ++k) {
      const double gap = rupture() * k / n;
      work += (k == 0 || k == n ? 1 : (k % 2 ? 4 : 2)) * (k == 0 ? willett(0, r1) : rabinovich(gap, r1));
    }
    work *= rupture() / n / 3;
    const double escape = std::sqrt(2 * work / (0.5 * sphere_mass(r1, 2000))), fast = 1.5 * escape;
    Scene scene = parting(fast, false, law);
    for (MaterialPair& pair : scene.pairs) { pair.liquid->force = LiquidForce::rabinovich; }
    const auto engine = start(scene);
    engine->advance(100000);
    EXPECT_EQ(engine->counts().contacts, 0U);
    EXPECT_NEAR(2 * read(*engine).velocity[2] / std::sqrt(fast * fast - escape * escape), 1, 2e-3);
    EXPECT_NEAR(engine->energies().breakage / work, 1, 2e-3);
  }
}

// Springs against rolling, twisting and slip end with the overlap, while the bridge goes on: their energy is lost then,
// and the ledger closes. 1e-3 for the step.
TEST(Liquid, SpringsOfAContactThatOpensLoseTheirEnergy) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::linear_spring_dashpot}) {
    Scene scene = parting(0, false, law);
    for (MaterialPair& pair : scene.pairs) {
      pair.friction = 0.5;
      pair.rolling = {.stiffness = 0.3, .friction = 0.1, .twisting_stiffness = 0.3, .twisting_friction = 0.1};
    }
    scene.particles.velocity = {{0.02, 0, -0.05}, {-0.02, 0, 0.05}};
    scene.particles.angular_velocity = {{30, 20, 40}, {-10, 50, -20}};
    const auto engine = start(scene);
    engine->advance(1);
    const EnergyLedger first = engine->energies();
    engine->advance(60000);
    const EnergyLedger last = engine->energies();
    const double kinetic = first.kinetic_translation + first.kinetic_rotation;
    EXPECT_LT(std::abs(last.friction), kinetic);
    EXPECT_LT(std::abs(last.breakage), kinetic);
    EXPECT_LT(std::abs(last.error), 1e-3 * kinetic);
  }
}

// --- viscous liquid ----------------------------------------------------------------------------------------------

constexpr double viscosity = 0.05, roughness = 2e-6;

/// [N s/m] Pitois, Moucheront & Chateau (2000), their equation for equal spheres of the radius `mean`.
double pitois(double gap, double mean) {
  const double h = std::max(gap, roughness);
  const double part = 1 - h / std::sqrt(h * h + 2 * volume / (pi * mean));
  return 1.5 * pi * viscosity * mean * mean * part * part / h;
}
/// [N s/m] Goldman, Cox & Brenner (1967), with the reduced radius.
double goldman(double gap, double mean) {
  const double reduced = 0.5 * mean, h = std::max(gap, roughness);
  return 6 * pi * viscosity * reduced * (8.0 / 15 * std::log(reduced / h) + 0.9588);
}
MaterialPair viscous_pair(double gamma) {
  MaterialPair pair{0.4, 0};
  pair.liquid = LiquidBridges{.surface_tension = gamma,
                              .contact_angle = angle,
                              .volume_fraction = fraction,
                              .viscosity = viscosity,
                              .roughness = roughness};
  return pair;
}

// At a gap, at the roughness and while the bodies overlap; 1e-12 is rounding.
TEST(Liquid, AViscousLiquidResistsMotion) {
  const auto dry = wet<HertzMindlin<double>, double>({young, 4e6, 0, 0, 0.4}, wet_pair());
  const auto viscous = wet<HertzMindlin<double>, double>({young, 4e6, 0, 0, 0.4}, viscous_pair(tension));
  for (const double second : {r2, 0.0}) {
    const double mean = second > 0 ? 2 * r1 * r2 / (r1 + r2) : 2 * r1;
    for (const double overlap : {1e-6, 0.0, -0.5e-6, -2e-6, -1e-5, -0.9 * rupture()}) {
      auto c = contact_at(overlap, r1, second);
      c.normal_velocity = 0.3;
      c.slip = {0.2, -0.4, 0};
      c.time_step = 1e-9;
      Law::History without{volume}, with{volume};
      const LawResponse<double> a = Law::evaluate(c, dry, without), b = Law::evaluate(c, viscous, with);
      EXPECT_EQ(with.volume, without.volume);
      EXPECT_NEAR(a.normal - b.normal, 0.3 * pitois(-overlap, mean), 1e-12 * std::fabs(b.normal)) << overlap;
      EXPECT_NEAR(a.tangential.x - b.tangential.x, 0.2 * goldman(-overlap, mean), 1e-12) << overlap;
      EXPECT_NEAR(a.tangential.y - b.tangential.y, -0.4 * goldman(-overlap, mean), 1e-12) << overlap;
      EXPECT_EQ(a.shear.x, b.shear.x) << "the spring is that of the law";
      const double bound = Law::stiffness(c, viscous).normal_dashpot;
      EXPECT_GE(bound, pitois(-overlap, mean));
      EXPECT_GE(Law::stiffness(c, viscous).shear_dashpot, goldman(-overlap, mean) * (1 - 1e-12));
    }
    auto c = contact_at(-1e-6, r1, second);
    c.normal_velocity = 0.3;
    Law::History none{0};
    EXPECT_EQ(Law::evaluate(c, viscous, none).normal, 0) << "there is no liquid before a touch";
  }
}

/// [m/s] What two spheres of radius r1 lose of their relative speed while a bridge opens: the integral of the dashpot
/// over the gap, over the reduced mass, by Simpson's rule from the roughness on.
double lost_speed(double mass) {
  constexpr int n = 20000;
  const double low = std::log(roughness), high = std::log(rupture()), h = (high - low) / n;
  double sum = 0;
  for (int k = 0; k <= n; ++k) {
    const double gap = std::exp(low + h * k);
    sum += (k == 0 || k == n ? 1 : (k % 2 ? 4 : 2)) * gap * pitois(gap, r1);
  }
  return (sum * h / 3 + roughness * pitois(0, r1)) / mass;
}

// With hardly any tension m* dv/dS = -c(S). The first overlap and the steps of the rupture are errors of 1e-3. The
// ledger calls the loss viscous.
TEST(Liquid, PartingAgainstAViscousLiquid) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    MaterialPair pair = viscous_pair(1e-9);
    Scene scene = empty_scene(LawKind::hertz_mindlin, {young, 0.3, 2000}, {rigid, 0, 1}, pair, 2e-8);
    scene.precision = precision;
    scene.energies = true;
    const double mass = 0.5 * sphere_mass(r1, 2000), lost = lost_speed(mass), speed = 1.5 * lost;
    add_sphere(scene, {0, 0, r1 * (1 - 1e-9)}, r1, {0, 0, 0.5 * speed});
    add_sphere(scene, {0, 0, -r1 * (1 - 1e-9)}, r1, {0, 0, -0.5 * speed});
    scene.interaction_range = adhesion_range(scene);
    const auto engine = start(scene);
    engine->advance(1);
    const double stable = engine->critical_step().value;
    EXPECT_LT(stable, 1.01 * mass / (6 * pi * viscosity * 0.25 * r1 * r1 / roughness) * 2);
    engine->advance(200000);
    ASSERT_EQ(engine->counts().contacts, 0U);
    EXPECT_NEAR(2 * read(*engine).velocity[2], speed - lost, 2e-3 * speed);
    const double before = 0.5 * mass * speed * speed, after = 0.5 * mass * (speed - lost) * (speed - lost);
    const EnergyLedger e = engine->energies();
    EXPECT_NEAR(e.viscous, before - after, 3e-3 * before);
    EXPECT_LT(std::fabs(e.error), 1e-4 * before);
  }
}

// The step that a case gets by itself follows the dashpot where it is stronger than the springs: m/c for equal spheres.
TEST(Liquid, AViscousLiquidLimitsTheTimeStep) {
  for (const LawKind law : {LawKind::hertz_mindlin, LawKind::linear_spring_dashpot}) {
    MaterialPair pair = viscous_pair(tension);
    pair.liquid->viscosity = 100;
    pair.springs = {.from_moduli = false, .stiffness = 1, .shear_stiffness = 1};
    Scene scene = empty_scene(law, {young, 0.3, 2000}, {rigid, 0, 1}, pair, 1e-8);
    add_sphere(scene, {0, 0, 0}, r1);
    add_sphere(scene, {0, 0, 3 * r1}, r1);
    const double dashpot = 6 * pi * 100 * 0.25 * r1 * r1 / roughness, limit = sphere_mass(r1, 2000) / dashpot;
    EXPECT_NEAR(time_step_limit(scene, {"a", "b"}).value, limit, 0.01 * limit);
  }
}

}  // namespace scree::physics::liquid_test
