#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/laws/viscous_bonded.hpp"
#include "kernels/laws/with_rolling.hpp"
#include "scenes.hpp"

// Bending and torsion that break bonds: sigma = T/A + beta |M_b| R/I and tau = |S|/A + beta |M_t| R/J, with R = min(r1,
// r2), A = pi R^2, I = pi R^4/4 and J = pi R^4/2 (Potyondy & Cundall 2004).
namespace scree::physics::bond_moments_test {

constexpr double radius = 0.01, young = 1e8, ratio = 0.3, density = 2500, friction = 0.5;
constexpr double area = pi * radius * radius, bending_inertia = 0.25 * area * radius * radius,
                 polar_inertia = 2 * bending_inertia;
constexpr double normal_stiffness = young * area / (2 * radius), shear_stiffness = ratio * normal_stiffness;
constexpr double alpha = 0.4, moment_stiffness = alpha * radius * radius * shear_stiffness;
constexpr double strength = 1e5, cohesion = 6e4, never = 1e9;  // [Pa]

/// One contact whose larger sphere has three times the radius of the other.
template <class Law>
struct Contact {
  using Rolled = WithRolling<Law, double>;
  typename Rolled::Params params;
  typename Rolled::History history{};
  ContactState<double> state{};
  double stiffness = 0;  ///< [N m/rad] against bending and twisting

  Contact(double tensile, double cohesive, double beta, double strength_of_bond) {
    const typename Bonded<double>::Params springs{young, ratio * young, tensile, cohesive, friction, 1, 0, beta};
    if constexpr (std::is_same_v<Law, Bonded<double>>) {
      params.law = springs;
    } else {
      params.law = {springs, 0.1, 0};
    }
    params.rolling_stiffness = params.twisting_stiffness = alpha;
    params.rolling_friction = params.twisting_friction = params.damping = 0;
    Rolled::bond(history, 0, strength_of_bond);
    state.n = {0, 0, 1};
    state.radius1 = radius, state.radius2 = 3 * radius;
    state.effective_mass = 0.01;
    state.time_step = 1e-5;
    state.branch_before = {0, 0, 4 * radius};
    stiffness = alpha * radius * 3 * radius * ratio * young * area / (4 * radius);
  }
  [[nodiscard]] bool whole() const { return Law::whole(history.law); }
  LawResponse<double> step() { return Rolled::evaluate(state, params, history); }

  /// [N m] The largest moment before the bond breaks, at a constant rate of turning.
  double largest_moment(const Vec3d& spin, const Vec3d& shear) {
    state.spin = spin, state.shear = shear;
    double most = 0;
    for (int k = 0; k < 10000 && whole(); ++k) {
      most = std::max(norm(history.bending), std::abs(history.twisting));
      static_cast<void>(step());
    }
    EXPECT_FALSE(whole());
    return most;
  }
};

/// In the step that follows, one step's increment later, the moment exceeds the one that the bond bears.
void expect_largest(double found, double exact, double increment) {
  EXPECT_LE(found, exact * (1 + 1e-12));
  EXPECT_GT(found, exact * (1 - 1e-12) - increment);
  EXPECT_GT(exact, 50 * increment);
}

template <class Law>
void expect_largest_moments() {
  for (const double beta : {0.25, 1.0}) {
    for (const double s : {0.7, 1.0}) {
      for (const double part : {-0.5, 0.0, 0.5}) {  // F_N over that at which the bond breaks in tension
        const double normal = part * strength * area, rate = 0.2;
        const double shorter = normal / (young * area / (4 * radius));
        Contact<Law> bent(strength, never, beta, s);
        bent.state.overlap = bent.state.overlap_before = shorter;
        const double increment = bent.stiffness * rate * bent.state.time_step;
        expect_largest(bent.largest_moment({0.6 * rate, -0.8 * rate, 0}, {}),
                       (s * strength + normal / area) * bending_inertia / (beta * radius), increment);

        Contact<Law> twisted(never, cohesion, beta, s);
        twisted.state.overlap = twisted.state.overlap_before = shorter;
        const double shear = 0.3 * s * cohesion * area;
        const double limit = std::max(s * cohesion + friction * normal / area, 0.0);
        expect_largest(twisted.largest_moment({0, 0, rate}, {shear, 0, 0}),
                       (limit - shear / area) * polar_inertia / (beta * radius), increment);
      }
    }
  }
}

// At a constant normal force and a constant shear force, for both forms of the law.
TEST(BondMoments, LargestMomentsOfOneContact) {
  expect_largest_moments<Bonded<double>>();
  expect_largest_moments<ViscousBonded<double>>();
}

// Torsion without a shear force breaks the bond, too, also where tension leaves no strength in shear.
TEST(BondMoments, TorsionAlone) {
  Contact<Bonded<double>> twisted(never, cohesion, 0.5, 1);
  const double increment = twisted.stiffness * twisted.state.time_step;
  expect_largest(twisted.largest_moment({0, 0, 1}, {}), cohesion * polar_inertia / (0.5 * radius), increment);
  Contact<Bonded<double>> pulled(never, cohesion, 0.5, 1);
  pulled.state.overlap = -3 * cohesion / friction / young * 4 * radius;
  static_cast<void>(pulled.step());
  EXPECT_TRUE(pulled.whole());
  pulled.state.spin = {0, 0, 1};
  static_cast<void>(pulled.step());
  EXPECT_FALSE(pulled.whole());
}

// Without the factor moments of any size leave the bond whole: no infinite number times 0.
TEST(BondMoments, FactorOfZeroLeavesTheBond) {
  Contact<Bonded<double>> bond(strength, cohesion, 0, 1);
  bond.state.spin = {1e12, 0, 1e12};
  static_cast<void>(bond.step());
  EXPECT_TRUE(bond.whole());
  EXPECT_GT(norm(bond.history.bending), 1e3 * strength * bending_inertia / radius);
  ContactState<float> c{};
  c.radius1 = c.radius2 = 1;
  const float infinite = std::numeric_limits<float>::infinity();
  const auto loads = Bonded<float>::by_moments(c, {1, 1, 1, 1, 0, 1, 0}, infinite, infinite);
  EXPECT_EQ(loads.tension, 0);
  EXPECT_EQ(loads.shear, 0);
}

// The ledger of a bond with dashpots that is pulled by less than its strength, and breaks as it is bent: the forces
// that drop at once are lost by breakage, not by viscosity. Stored before, plus the work of the last step.
TEST(BondMoments, BrokenBondsHaveNoViscousForce) {
  using Law = ViscousBonded<double>;
  Contact<Law> bond(strength, never, 1, 1);
  const double pull = 0.5 * strength * area, stretch = pull / (young * area / (4 * radius));
  bond.state.overlap = bond.state.overlap_before = -stretch;
  bond.state.spin = {1, 0, 0};
  LawEnergies<double> e{};
  double stored = 0, moment = 0;
  while (bond.whole()) {
    const auto before = bond.history;
    const auto response = bond.step();
    moment = norm(before.bending);
    e = Contact<Law>::Rolled::energies(bond.state, bond.params, response, stored, before, bond.history);
    stored = e.stored;
  }
  const double increment = bond.stiffness * bond.state.time_step;
  EXPECT_EQ(e.viscous_normal, 0);
  EXPECT_EQ(norm(e.viscous_couple), 0);
  EXPECT_EQ(e.stored, 0);
  EXPECT_EQ(e.normal, 0);
  EXPECT_EQ(e.friction, 0);
  const double snapped = 0.5 * pull * stretch, bent = 0.5 * moment * (moment + increment) / bond.stiffness;
  EXPECT_NEAR(e.breakage, snapped + bent, 1e-12 * (snapped + bent));
}

/// Two bonded spheres along x.
Scene pair_of(double tensile, double cohesive, double beta, double time_step) {
  MaterialPair pair;
  pair.friction = friction;
  pair.bond.tensile_strength = tensile, pair.bond.cohesion = cohesive;
  pair.bond.moment_contribution = beta;
  pair.rolling.stiffness = pair.rolling.twisting_stiffness = alpha;
  Scene scene = empty_scene(LawKind::bonded, {young, ratio, density}, {young, ratio, density}, pair, time_step);
  scene.interaction_range = 1.2;
  add_sphere(scene, {0, 0, 0}, radius);
  add_sphere(scene, {2 * radius, 0, 0}, radius);
  return scene;
}

/// [s] When the bond of two spheres breaks that keep their velocities.
double time_of_break(Scene scene) {
  scene.groups.resize(2);
  scene.groups[1].fixed = fixed_translation | fixed_rotation;
  scene.particles.group.assign(2, 1);
  const auto engine = start(scene);
  while (engine->counts().broken_bonds == 0 && engine->time() < 1000 * scene.time_step) { engine->advance(1); }
  EXPECT_EQ(engine->counts().broken_bonds, 1U);
  return engine->time();
}

// A cantilever: opposite spins bend a bond without shear, and the spheres move apart. Tension and moment grow with time
// until T/A + beta M R/I is the strength. Likewise for shear, by equal spins about z, and torsion. The bond breaks in
// the first step in which the load exceeds the strength. Positions and velocities belong to moments half a step apart,
// and the engine tells the time after the step: from one step early to two steps late.
TEST(BondMoments, BreakAtTheLoadOfABeam) {
  for (const Precision precision : {Precision::double_, Precision::mixed}) {
    for (const double damping : {0.0, 0.1}) {
      for (const double beta : {0.5, 1.0}) {
        const double dt = 1e-5, spin = 0.5, speed = 2e-3;
        Scene bent = pair_of(strength, never, beta, dt);
        bent.precision = precision;
        bent.energies = damping > 0;
        bent.pairs[0].bond.damping = damping;
        bent.particles.velocity[1] = {speed, 0, 0};
        bent.particles.angular_velocity = {{0, -spin, 0}, {0, spin, 0}};
        const double tension = normal_stiffness * speed / area,
                     bending = beta * moment_stiffness * 2 * spin * radius / bending_inertia;
        const double late = time_of_break(bent) - strength / (tension + bending);
        EXPECT_GT(strength / (tension + bending), 100 * dt);
        EXPECT_NEAR(late, 0.5 * dt, 1.5 * dt) << damping << " " << beta;

        Scene twisted = pair_of(never, cohesion, beta, dt);
        twisted.precision = precision;
        twisted.pairs[0].bond.damping = damping;
        twisted.particles.angular_velocity = {{-spin, 0, 0.2 * spin}, {spin, 0, 0.2 * spin}};
        const double shear = shear_stiffness * 2 * radius * 0.2 * spin / area,
                     torsion = beta * moment_stiffness * 2 * spin * radius / polar_inertia;
        const double later = time_of_break(twisted) - cohesion / (shear + torsion);
        EXPECT_GT(cohesion / (shear + torsion), 100 * dt);
        EXPECT_NEAR(later, 0.5 * dt, 1.5 * dt) << damping << " " << beta;
      }
    }
  }
}

// Free spheres with opposite spins swing as the bond bends, I w' = -M for each and M' = 2 K_r w: the moment grows to w
// sqrt(2 K_r I) at most. With the factor 1 the bond breaks at the moment M of its strength, loses M^2 / (2 K_r) and
// leaves the rest as rotation. It breaks up to a step late, by less than 1/1000 of the moment.
TEST(BondMoments, ABreakLosesTheEnergyOfBending) {
  const double inertia = 0.4 * sphere_mass(radius, density) * radius * radius;
  const double frequency = std::sqrt(2 * moment_stiffness / inertia);
  const double moment = strength * bending_inertia / radius,
               spin = 2 * moment / std::sqrt(2 * moment_stiffness * inertia);
  for (const double damping : {0.0, 0.1}) {
    for (const double beta : {1.0, 0.0}) {
      Scene scene = pair_of(strength, cohesion, beta, 4e-4 / frequency);
      scene.energies = true;
      scene.pairs[0].bond.damping = damping;
      scene.particles.angular_velocity = {{0, -spin, 0}, {0, spin, 0}};
      const auto engine = start(scene);
      engine->advance(4000);
      const EnergyLedger e = engine->energies();
      const double whole = inertia * spin * spin, lost = 0.5 * moment * moment / moment_stiffness;
      EXPECT_EQ(engine->counts().broken_bonds, beta > 0 ? 1U : 0U);
      EXPECT_NEAR(e.breakage, beta > 0 ? lost : 0, 4e-3 * lost);
      EXPECT_NEAR(e.friction, 0, 1e-12 * lost);
      EXPECT_LT(std::abs(e.error), 1e-3 * whole) << damping << " " << beta;
      if (beta > 0) {
        EXPECT_NEAR(e.elastic, 0, 1e-12 * lost);
        EXPECT_NEAR(e.kinetic_rotation, whole - lost, 4e-3 * lost);
      }
    }
  }
}

}  // namespace scree::physics::bond_moments_test
