#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "scenes.hpp"

// Beams of bonded spheres of unequal radii, bent on two supports and twisted. Such a beam is statically determinate:
// statics alone gives the load of each bond, and the springs of the bonds give the deflection as a finite sum. A bond
// of the radii a and b has R = min(a, b), A = pi R^2, K_T = nu E A / (a + b), K_r = alpha a b K_T; K_t likewise.
namespace scree::physics::bonded_beam_test {

constexpr double young = 1e8, ratio = 0.3, density = 2500, alpha = 0.4, twisting_alpha = 0.25;
constexpr double never = 1e7;  // [Pa]
/// [m] From the middle of a beam to its end.
const std::vector<double> half_beam = {0.010, 0.009, 0.011, 0.008, 0.010, 0.012};

struct BeamBond {
  double middle;  ///< [m] place of its contact point along the beam
  double radius;  ///< [m] of its section
  double shear, bending, twisting;
  [[nodiscard]] double area() const { return pi * radius * radius; }
};

/// The bonds of a row of spheres that touch, from the centre of the first one on.
std::vector<BeamBond> bonds_of(const std::vector<double>& radii) {
  std::vector<BeamBond> bonds;
  double centre = 0;
  for (std::size_t i = 0; i + 1 < radii.size(); ++i) {
    const double a = radii[i], b = radii[i + 1], radius = std::min(a, b);
    const double shear = ratio * young * pi * radius * radius / (a + b);
    bonds.push_back({centre + a, radius, shear, alpha * a * b * shear, twisting_alpha * a * b * shear});
    centre += a + b;
  }
  return bonds;
}

Scene beam_scene(double tensile, double cohesion, double contribution) {
  MaterialPair pair;
  pair.bond.tensile_strength = tensile, pair.bond.cohesion = cohesion, pair.bond.moment_contribution = contribution;
  pair.rolling.stiffness = alpha, pair.rolling.twisting_stiffness = twisting_alpha;
  Scene scene = empty_scene(LawKind::bonded, {young, ratio, density}, {young, ratio, density}, pair, 2e-6);
  scene.interaction_range = 1.2;
  return scene;
}

/// The moments [N m] and places of all whole bonds.
struct WholeBonds {
  std::vector<TouchingContact> contacts;
  std::vector<ContactDetail> details;
  explicit WholeBonds(Engine& engine) { contacts = engine.touching_contacts(&details); }
  [[nodiscard]] bool has(std::uint32_t first, std::uint32_t second) const {
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      if (details[c].bonded && contacts[c].first == first && contacts[c].second == second) { return true; }
    }
    return false;
  }
};

/// Half of a beam whose middle neither turns nor moves, while its end bears 1 N across: bond k bears 1 N of shear and
/// the moment of its distance from the end.
struct HalfBeam {
  std::vector<BeamBond> bonds = bonds_of(half_beam);
  std::vector<double> centre, deflection, slope;  ///< [m], [m/N], [rad/N] of each sphere

  HalfBeam() {
    centre = {0};
    for (std::size_t i = 1; i < half_beam.size(); ++i) {
      centre.push_back(centre.back() + half_beam[i - 1] + half_beam[i]);
    }
    for (std::size_t i = 0; i < centre.size(); ++i) {
      double down = 0, turned = 0;
      for (std::size_t k = 0; k < i; ++k) {
        const double bend = arm(k) / bonds[k].bending;
        down += 1 / bonds[k].shear + bend * (centre[i] - bonds[k].middle);
        turned += bend;
      }
      deflection.push_back(down), slope.push_back(turned);
    }
  }
  [[nodiscard]] double arm(std::size_t k) const { return centre.back() - bonds[k].middle; }
  /// [N/m] Load in the middle of the whole beam over its deflection.
  [[nodiscard]] double stiffness() const { return 2 / deflection.back(); }
};

constexpr double speed = 0.02;  // [m/s] of the middle, downwards

/// A beam on two rollers whose middle sphere, the one with the id 0, comes down at a constant speed. All spheres begin
/// with the velocities of a beam that bends without inertia, so nothing swings.
Scene bent_beam(const HalfBeam& half, double tensile, double cohesion, double contribution) {
  Scene scene = beam_scene(tensile, cohesion, contribution);
  scene.groups.resize(3);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.groups[2].fixed = 6;  // y and z
  add_sphere(scene, {0, 0, 0}, half_beam[0], {0, 0, -speed});
  scene.particles.group = {1};
  for (std::size_t i = 1; i < half_beam.size(); ++i) {
    const double part = half.deflection[i] / half.deflection.back(), turn = half.slope[i] / half.deflection.back();
    for (const double side : {1.0, -1.0}) {
      add_sphere(scene, {side * half.centre[i], 0, 0}, half_beam[i], {0, 0, -speed * (1 - part)},
                 {0, -side * speed * turn, 0});
      scene.particles.group.push_back(i + 1 == half_beam.size() ? 2 : 0);
    }
  }
  return scene;
}

// The load over the deflection between two moments; the beam has then bent by 1/3000 of its span. Tolerance 1e-5: the
// squares of the slopes, and the swings that a step of 2e-6 s leaves.
TEST(BondedBeam, StiffnessInThreePointBending) {
  const HalfBeam half;
  const auto engine = start(bent_beam(half, never, never, 1));
  engine->advance(500);
  const double force = read(*engine, 0).force[2], place = read(*engine, 0).position[2];
  engine->advance(1000);
  const double stiffness = (read(*engine, 0).force[2] - force) / (place - read(*engine, 0).position[2]);
  EXPECT_NEAR(stiffness / half.stiffness(), 1, 1e-5);
  // Each bond bears the moment of half of the load about its contact point.
  const double load = read(*engine, 0).force[2];
  const WholeBonds found(*engine);
  ASSERT_EQ(found.contacts.size(), 2 * half.bonds.size());
  for (std::size_t c = 0; c < found.contacts.size(); ++c) {
    const std::size_t k = (found.contacts[c].second - 1) / 2;  // ids grow from the middle outwards
    EXPECT_NEAR(std::abs(found.details[c].moment[1]) / (0.5 * load * half.arm(k)), 1, 1e-4) << c;
    EXPECT_NEAR(norm(found.contacts[c].force) / (0.5 * load), 1, 1e-4) << c;
    EXPECT_EQ(found.details[c].strength, 1);
  }
}

/// What a beam bears in its middle until a bond breaks, and by how much the load grows in a step.
struct Break {
  double load = 0, increment = 0;  ///< [N]
  std::optional<WholeBonds> after{};
};
Break break_beam(const Scene& scene) {
  Break found;
  const auto engine = start(scene);
  while (engine->counts().broken_bonds == 0 && engine->step() < 40000) {
    const double before = found.load;
    found.load = read(*engine, 0).force[2];
    found.increment = found.load - before;
    engine->advance(1);
  }
  EXPECT_GT(engine->step(), 1000U);
  EXPECT_GE(engine->counts().broken_bonds, 1U);
  found.after.emplace(*engine);
  return found;
}

// The bond with the largest beta M R / I breaks first, here one beside the middle sphere, whose section is that of its
// smaller neighbour. It breaks in the first step in which the stress exceeds the strength: the load of the step before
// is less, by at most what a step adds. Beside that 1e-4 of the load, for the pull along the beam that bends.
TEST(BondedBeam, BreaksByBendingUnderTheLoadOfStatics) {
  const HalfBeam half;
  for (const double beta : {0.4, 1.0}) {
    constexpr double strength = 3e4;
    std::vector<double> stress;  // per load
    for (std::size_t k = 0; k < half.bonds.size(); ++k) {
      const BeamBond& bond = half.bonds[k];
      stress.push_back(beta * 0.5 * half.arm(k) * 4 / (bond.area() * bond.radius));
    }
    const auto most = std::max_element(stress.begin(), stress.end());
    ASSERT_EQ(most, stress.begin());
    const double expected = strength / *most;
    const Break found = break_beam(bent_beam(half, strength, never, beta));
    EXPECT_LE(found.load, expected * (1 + 1e-4));
    EXPECT_GE(found.load, expected * (1 - 1e-4) - found.increment);
    EXPECT_LT(found.increment, 1e-3 * expected);
    EXPECT_FALSE(found.after->has(0, 1) && found.after->has(0, 2));
    EXPECT_TRUE(found.after->has(1, 3) && found.after->has(2, 4));
  }
}

// All bonds bear the same shear force, half of the load, so the smallest section breaks. Bending does not count here.
TEST(BondedBeam, BreaksInShearUnderTheLoadOfStatics) {
  const HalfBeam half;
  constexpr double cohesion = 1e3;
  const auto thin = std::min_element(half.bonds.begin(), half.bonds.end(),
                                     [](const BeamBond& a, const BeamBond& b) { return a.radius < b.radius; });
  const double expected = 2 * cohesion * thin->area();
  const Break found = break_beam(bent_beam(half, never, cohesion, 1));
  EXPECT_LE(found.load, expected * (1 + 1e-4));
  EXPECT_GE(found.load, expected * (1 - 1e-4) - found.increment);
  EXPECT_TRUE(found.after->has(0, 1) && found.after->has(0, 2));
}

// A bar whose ends turn against each other: all bonds bear the same torque, which is the angle over the sum of 1/K_t,
// and the bar breaks where beta M R / J first exceeds the cohesion: at the thinnest sphere, whose two bonds are alike.
// The spheres begin with the spins of a bar without inertia and keep them. Tolerance 1e-9 for the torque, one step for
// the break.
TEST(BondedBeam, TorsionOfABar) {
  const std::vector<BeamBond> bonds = bonds_of(half_beam);
  constexpr double rate = 0.5, cohesion = 1e4, beta = 0.8;  // [rad/s] of the last sphere; the first one rests
  Scene scene = beam_scene(never, cohesion, beta);
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  double compliance = 0, thinnest = 1;
  for (const BeamBond& bond : bonds) {
    compliance += 1 / bond.twisting;
    thinnest = std::min(thinnest, bond.radius);
  }
  double centre = 0, part = 0;
  for (std::size_t i = 0; i < half_beam.size(); ++i) {
    if (i > 0) { centre += half_beam[i - 1] + half_beam[i], part += 1 / bonds[i - 1].twisting / compliance; }
    add_sphere(scene, {centre, 0, 0}, half_beam[i], {}, {rate * part, 0, 0});
    scene.particles.group.push_back(i == 0 || i + 1 == half_beam.size() ? 1 : 0);
  }
  const auto engine = start(scene);
  constexpr int steps = 1000;
  engine->advance(steps);
  const double torque = rate * steps * scene.time_step / compliance;
  const WholeBonds twisted(*engine);
  ASSERT_EQ(twisted.contacts.size(), bonds.size());
  for (const ContactDetail& detail : twisted.details) { EXPECT_NEAR(-detail.moment[0] / torque, 1, 1e-9); }

  const double most = cohesion * pi * thinnest * thinnest * thinnest / (2 * beta), end = most * compliance / rate;
  while (engine->counts().broken_bonds == 0 && engine->time() < 2 * end) { engine->advance(1); }
  EXPECT_GT(end, 2 * steps * scene.time_step);
  EXPECT_NEAR(engine->time(), end, 1.01 * scene.time_step);
  EXPECT_LE(engine->counts().broken_bonds, 2U);
}

}  // namespace scree::physics::bonded_beam_test
