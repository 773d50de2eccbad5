#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "host/scene/time_step.hpp"
#include "scree/elasticity.hpp"

namespace scree::time_step_test {

/// A scene with one sphere for each pair of radius and material.
Scene scene_of(LawKind law, const std::vector<Material>& materials,
               const std::vector<std::pair<double, std::uint32_t>>& spheres) {
  Scene scene;
  scene.law = law;
  scene.materials = materials;
  for (const auto& [radius, material] : spheres) {
    scene.particles.position.push_back({});
    scene.particles.radius.push_back(radius);
    scene.particles.material.push_back(material);
  }
  return scene;
}

const Material glass{2500, 1e7, 0.25, 0.4, 0.8};
const Material steel{7800, 1e9, 0.3, 0.2, 0.6};
const std::vector<std::string> names = {"glass", "steel"};

// Closed form: pi r sqrt(rho / G) / (0.1631 nu + 0.8766).
TEST(TimeStep, RayleighTimeOfTheSmallestSphere) {
  const auto limit = time_step_limit(scene_of(LawKind::hertz_mindlin, {glass}, {{3e-3, 0}, {2.5e-3, 0}}), names);
  const double expected = std::numbers::pi * 2.5e-3 * std::sqrt(2500 / 4e6) / (0.1631 * 0.25 + 0.8766);
  EXPECT_NEAR(limit.value, expected, 1e-12 * expected);
  EXPECT_EQ(limit.reason, "Rayleigh time 0.000214 s of glass spheres of radius 2.5 mm");
}

TEST(TimeStep, TheWorstMaterialLimits) {
  const auto limit = time_step_limit(scene_of(LawKind::hertz_mindlin, {glass, steel}, {{1e-3, 0}, {2e-3, 1}}), names);
  const double shear = 1e9 / 2.6;
  EXPECT_NEAR(limit.value, std::numbers::pi * 2e-3 * std::sqrt(7800 / shear) / (0.1631 * 0.3 + 0.8766), 1e-12);
  EXPECT_NE(limit.reason.find("steel spheres of radius 2 mm"), std::string::npos);
}

TEST(TimeStep, EqualSpheresOfCundallStrack) {
  // K_N = E r for equal spheres: sqrt(2) sqrt(4/3 pi r^2 rho / E).
  const double r = 5e-3;
  const auto limit = time_step_limit(scene_of(LawKind::cundall_strack, {glass}, {{r, 0}}), names);
  const double mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
  EXPECT_NEAR(limit.value, std::sqrt(2 * mass / (1e7 * r)), 1e-15);
}

TEST(TimeStep, RotationLimitsAboveARatioOfTwoFifths) {
  Material stiff_shear = glass;
  stiff_shear.poisson_ratio = 0.45;
  const double r = 5e-3, mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
  const auto limit = time_step_limit(scene_of(LawKind::cundall_strack, {stiff_shear}, {{r, 0}}), names);
  EXPECT_NEAR(limit.value, std::sqrt(2 * 0.4 * mass / (0.45 * 1e7 * r)), 1e-15);
}

TEST(TimeStep, BondsAndRollingResistance) {
  // K_N = E A / d0 = pi E r / 2 and K_T = 0.45 K_N. A torsional stiffness alpha makes rotation 1 + alpha times as
  // stiff.
  Material own = glass;
  own.poisson_ratio = 0.45;
  const double r = 5e-3, mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
  const double shear = 0.45 * std::numbers::pi * 1e7 * r / 2;
  Scene scene = scene_of(LawKind::bonded, {own}, {{r, 0}});
  EXPECT_NEAR(time_step_limit(scene, names).value, std::sqrt(2 * 0.4 * mass / shear), 1e-15);
  scene.pairs.resize(1);
  scene.pairs[0].rolling.twisting_stiffness = 3;
  EXPECT_NEAR(time_step_limit(scene, names).value, std::sqrt(2 * 0.4 * mass / (4 * shear)), 1e-15);
  scene.law = LawKind::hertz_mindlin;
  const double with = time_step_limit(scene, names).value;
  scene.pairs.clear();
  EXPECT_NEAR(time_step_limit(scene, names).value / with, 2, 1e-12);
}

TEST(TimeStep, AStifferPartnerOrWallLowersTheLimit) {
  const double r = 5e-3, mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
  const Scene two_sizes = scene_of(LawKind::cundall_strack, {glass, steel}, {{r, 0}, {0.1, 1}});
  const auto with_partner = time_step_limit(two_sizes, names);
  const double k1 = 2e7 * r, k2 = 2e9 * 0.1, stiffness = k1 * k2 / (k1 + k2);
  EXPECT_NEAR(with_partner.value, std::sqrt(2 * mass / stiffness), 1e-15);
  EXPECT_NE(with_partner.reason.find("in contact with steel spheres of radius 0.1 m"), std::string::npos);

  Scene with_wall = scene_of(LawKind::cundall_strack, {glass, steel}, {{r, 0}});
  with_wall.boundaries.resize(1);
  with_wall.boundaries[0].name = "floor";
  with_wall.boundaries[0].material = 1;
  const double k3 = 2e9 * r, wall_stiffness = k1 * k3 / (k1 + k3);
  EXPECT_NEAR(time_step_limit(with_wall, names).value, std::sqrt(2 * mass / wall_stiffness), 1e-15);
  EXPECT_NE(time_step_limit(with_wall, names).reason.find("boundary \"floor\""), std::string::npos);
}

/// Growth per step of a mass on a spring and dashpot in the engine's leapfrog, where the dashpot uses the velocity of
/// half a step before: the root of z^2 - (2 - W^2 - 2 zeta W) z + (1 - 2 zeta W) = 0.
double growth(double omega_dt, double zeta) {
  const double half = 1 - 0.5 * omega_dt * omega_dt - zeta * omega_dt, product = 1 - 2 * zeta * omega_dt;
  const double square = half * half - product;
  return square < 0 ? std::sqrt(product) : std::abs(half) + std::sqrt(square);
}

TEST(TimeStep, DashpotsLowerTheLimit) {
  for (const double ratio : {0.05, 0.4, 1.5}) {
    const double r = 5e-3, mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
    Scene scene = scene_of(LawKind::linear_spring_dashpot, {glass}, {{r, 0}});
    scene.pairs.resize(1);
    scene.pairs[0].springs.damping_ratio = ratio;
    scene.pairs[0].springs.shear_damping_ratio = 0;
    const double omega = std::sqrt(2 * 1e7 * r / mass);  // angular frequency of two equal spheres
    const double limit = time_step_limit(scene, names).value;
    EXPECT_NEAR(limit, 2 / omega * (std::sqrt(1 + ratio * ratio) - ratio), 1e-12 * limit);
    EXPECT_LE(growth(0.999 * omega * limit, ratio), 1);
    EXPECT_GT(growth(1.001 * omega * limit, ratio), 1);
  }
}

TEST(TimeStep, ContactTimeGivesTheSameLimitForEveryMass) {
  for (const double r : {1e-4, 5e-3}) {
    Scene scene = scene_of(LawKind::linear_spring_dashpot, {glass}, {{r, 0}});
    scene.pairs.resize(1);
    scene.pairs[0].springs.from_moduli = false;
    scene.pairs[0].springs.stiffness_per_mass = 1e8;
    EXPECT_NEAR(time_step_limit(scene, names).value, 2e-4, 1e-15);
  }
}

TEST(TimeStep, StatedModuliChangeTheRayleighTime) {
  Scene scene = scene_of(LawKind::hertz_mindlin_rescaled, {glass}, {{1e-3, 0}});
  const double before = time_step_limit(scene, names).value;
  const EffectiveModuli own = effective_moduli(glass, glass, {});
  scene.pairs.resize(1);
  scene.pairs[0].effective_young = own.young * 4;
  scene.pairs[0].effective_shear = own.shear * 9;
  EXPECT_NEAR(time_step_limit(scene, names).value / before, 1.0 / 3, 1e-12);
  scene.pairs[0].effective_young = own.young / 4;
  scene.pairs[0].effective_shear = own.shear / 9;
  EXPECT_NEAR(time_step_limit(scene, names).value / before, 2, 1e-12);
}

TEST(TimeStep, NoParticleNoLimit) {
  EXPECT_TRUE(std::isinf(time_step_limit(scene_of(LawKind::hertz_mindlin, {glass}, {}), names).value));
}

TEST(TimeStep, RoundedDownToThreeDigits) {
  EXPECT_EQ(rounded_down(2.6e-4), 2.6e-4);
  EXPECT_EQ(rounded_down(2.6479e-5), 2.64e-5);
  EXPECT_EQ(rounded_down(2.6379e-5), 2.63e-5);
  EXPECT_EQ(rounded_down(9.9999e-5), 9.99e-5);
  EXPECT_EQ(rounded_down(1.0), 1.0);
  EXPECT_EQ(rounded_down(std::nextafter(1.0, 0)), 0.999);
  EXPECT_EQ(rounded_down(12345.0), 12300.0);
}

TEST(TimeStep, LengthsReadWell) {
  EXPECT_EQ(length_text(2.5e-3), "2.5 mm");
  EXPECT_EQ(length_text(0.25), "0.25 m");
  EXPECT_EQ(length_text(8e-5), "80 um");
}

// A Hertzian impact at 1 m/s with the largest overlap from u^(5/2) = 15 m* v^2 / (16 E* sqrt(R*)), and the stiffness 2
// E* sqrt(R* u) (closed form). The largest partner gives the stiffest contact.
TEST(AdaptiveStepRule, OfHertzianImpacts) {
  const auto rule = adaptive_step(scene_of(LawKind::hertz_mindlin, {glass}, {{1e-3, 0}, {3e-3, 0}}), 0.4, 1e-5);
  const auto mass = [](double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500; };
  const double young = 1e7 / (2 * (1 - 0.0625)), shear = 1e7 / (2 * 1.25) / (2 * 1.75);
  const double r = 0.75e-3, m = mass(1e-3) * mass(3e-3) / (mass(1e-3) + mass(3e-3));
  const double u = std::pow(15 * m / (16 * young * std::sqrt(r)), 0.4);
  const double rotation = 0.4 * 2 * young / (8 * shear);  // below 1, so rotation governs
  EXPECT_LT(rotation, 1);
  const double expected = std::sqrt(2 * rotation * mass(1e-3) / (2 * young * std::sqrt(r * u)));
  EXPECT_NEAR(rule.impact_limit_at_unit_speed / expected, 1, 1e-12);
  EXPECT_NEAR(rule.impact_limit / std::sqrt(2 * rotation * mass(1e-3) / (2 * young * 1e-3 * r)), 1, 1e-12);
  EXPECT_EQ(rule.free_limit, 1e-5);
}

TEST(AdaptiveStepRule, LinearImpactsAreAsStiffAtAnySpeed) {
  const Scene scene = scene_of(LawKind::cundall_strack, {glass}, {{5e-3, 0}});
  const auto rule = adaptive_step(scene, 0.4, 1);
  EXPECT_EQ(rule.impact_limit, time_step_limit(scene, names).value);
  EXPECT_GT(rule.impact_limit_at_unit_speed, 1e299);
}

/// Two spheres of 1 mm that do not touch.
Scene two_spheres_apart() {
  Scene scene;
  scene.materials = {Material{2650, 7e7, 0.25, 0.3, 1.0}};
  scene.pairs = {MaterialPair{0.3, 0.0}};
  scene.particles.position = {{0, 0, 0}, {1, 0, 0}};
  scene.particles.radius = {1e-3, 1e-3};
  scene.particles.material = {0, 0};
  scene.particles.velocity.resize(2);
  scene.particles.angular_velocity.resize(2);
  return scene;
}

/// Closed form for a sphere with eight contacts in all directions, at twice the mean force of a packing under this
/// pressure.
TEST(PressedStep, IsThatOfEightContacts) {
  Scene scene = two_spheres_apart();
  const double pi = 3.14159265358979323846, pressure = 1e5;
  const double young = 7e7 / (2 * (1 - 0.0625)), shear = 7e7 / 2.5 / (2 * 1.75), mass = 4.0 / 3 * pi * 1e-9 * 2650;
  const double contact_radius = std::cbrt(0.75 * (2 * 4 * pi * 1e-6 * pressure / 3.6) * 0.5e-3 / young);
  const double rotation = 2 / std::sqrt(2 * (8 * 2.0 / 3 * 8 * shear * contact_radius) / (0.4 * mass));
  EXPECT_NEAR(pressed_step_limit(scene, pressure) / rotation, 1, 1e-12);
  // The stiffness is proportional to the cube root of the pressure.
  EXPECT_NEAR(pressed_step_limit(scene, 64 * pressure) / pressed_step_limit(scene, pressure), 0.5, 1e-12);
  scene.pairs[0].damping_ratio = 0.2;
  const double z = 0.2 * std::sqrt(8 * 2 / 3.0 / 0.4);
  EXPECT_NEAR(pressed_step_limit(scene, pressure) / rotation, std::sqrt(1 + z * z) - z, 1e-12);
}

// Under a force F the contact of JKR is as wide as Hertz's under F + P + sqrt(2 P F + P^2), P = 6 pi gamma R*. With P =
// 4 F this is (5 + sqrt(24)) F. The stiffness is proportional to the width, the cube root of this.
TEST(PressedStep, AdhesionMakesContactsWider) {
  Scene scene = two_spheres_apart();
  const double pi = 3.14159265358979323846, pressure = 1e5, force = 2 * 4 * pi * 1e-6 * pressure / 3.6;
  const double without = pressed_step_limit(scene, pressure);
  scene.pairs[0].law = LawKind::jkr;
  EXPECT_NEAR(pressed_step_limit(scene, pressure) / without, 1, 1e-12);
  scene.pairs[0].surface_energy = 4 * force / (6 * pi * 0.5e-3);
  EXPECT_NEAR(pressed_step_limit(scene, pressure) / without, std::pow(5 + std::sqrt(24), -1.0 / 6), 1e-12);
}

// Two like spheres that overlap: each moves as the other does, so the springs count twice. The shear spring moves and
// turns a sphere: 1 + 5/2 of it.
TEST(TimeStep, CriticalStepOfLoadedContacts) {
  const double r = 2e-3, overlap = 1e-5;
  Scene scene = scene_of(LawKind::hertz_mindlin, {glass}, {{r, 0}, {r, 0}});
  scene.pairs.resize(1);
  scene.particles.position[1] = {2 * r, 0, 0};
  EXPECT_TRUE(std::isinf(loaded_step_limit(scene)));
  scene.particles.position[1] = {0, 2 * r - overlap, 0};
  const EffectiveModuli moduli = effective_moduli(glass, glass, {});
  const double contact_radius = std::sqrt(0.5 * r * overlap), mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
  const double expected = 2 / std::sqrt(2 * 3.5 * 8 * moduli.shear * contact_radius / mass);
  EXPECT_NEAR(loaded_step_limit(scene), expected, 5e-3 * expected);
}

// Under the law jkr the circle is wider: u = a^2/R* - sqrt(4 pi gamma a / E*). A circle of the radius a is chosen, and
// the spheres are put where they have it. The shear spring 8 G* a makes the highest frequency here, as above.
TEST(TimeStep, CriticalStepOfLoadedContactsWithAdhesion) {
  const double r = 2e-3, gamma = 5;
  Scene scene = scene_of(LawKind::jkr, {glass}, {{r, 0}, {r, 0}});
  scene.pairs.resize(1);
  scene.pairs[0].surface_energy = gamma;
  const EffectiveModuli moduli = effective_moduli(glass, glass, {});
  const double mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 2500;
  const double at_no_overlap = std::cbrt(4 * std::numbers::pi * gamma * r * r / 4 / moduli.young);
  for (const double times : {1.02, 1.5, 4.0}) {
    const double a = times * at_no_overlap;
    const double overlap = 2 * a * a / r - std::sqrt(4 * std::numbers::pi * gamma * a / moduli.young);
    ASSERT_GT(overlap, 0);
    scene.particles.position[1] = {0, 2 * r - overlap, 0};
    // A ball has the inertia 0.4 m r^2, and the contact point lies half an overlap below its surface.
    const double lever = 1 - 0.5 * overlap / r;
    const double expected = 2 / std::sqrt(2 * (1 + 2.5 * lever * lever) * 8 * moduli.shear * a / mass);
    EXPECT_NEAR(loaded_step_limit(scene), expected, 5e-3 * expected) << times;
  }
  // Without adhesion it is Hertz's circle.
  scene.pairs[0].surface_energy = 0;
  const double without = loaded_step_limit(scene);
  scene.pairs[0].surface_energy = 1e-12;
  EXPECT_NEAR(loaded_step_limit(scene), without, 1e-6 * without);
}

TEST(TimeStep, TheLargestGoalIsThatOfAServoOrOfTheCell) {
  Scene scene;
  scene.boundaries.resize(1);
  scene.boundaries[0].servo.emplace();
  scene.boundaries[0].servo->stress = TimeTable{{0, 1e5}};
  scene.cell.emplace();
  EXPECT_TRUE(largest_goal_of_stress(scene).of_servo);
  scene.cell->stages.resize(1);
  scene.cell->stages[0].goals[0].reverse_at_stress = 2e5;
  EXPECT_FALSE(largest_goal_of_stress(scene).of_servo);
  EXPECT_EQ(largest_goal_of_stress(scene).pressure, 2e5);
}

}  // namespace scree::time_step_test
