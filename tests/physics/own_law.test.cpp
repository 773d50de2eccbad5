#include "examples/own_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// The law of examples/own_law.hpp, called as a plain function.
namespace scree::own_law_test {

using Law = WaltonBraun<double>;

constexpr double stiff = 4e4, softening = 0.25, shear = 3e4;  // [N/m], [-], [N/m]
const Law::Params params{.young1 = 0,
                         .young2 = 0,
                         .shear1 = 0,
                         .shear2 = 0,
                         .stiffness = stiff,
                         .shear_stiffness = shear,
                         .softening = softening,
                         .friction = 0.3};

ContactState<double> contact_at(double overlap, double time_step = 1e-6) {
  ContactState<double> contact{};
  contact.n = {0, 0, 1};
  contact.branch_before = {0, 0, 1};
  contact.overlap = overlap;
  contact.time_step = time_step;
  contact.radius1 = 1e-3;
  contact.radius2 = 2e-3;
  return contact;
}

double normal_force(double overlap, Law::History& history) {
  return Law::evaluate(contact_at(overlap), params, history).normal;
}

// Along the two springs: the dent is 3/4 of the deepest overlap. Closed form, to rounding.
TEST(OwnLaw, LoadsUnloadsAndReloadsAlongItsSprings) {
  Law::History history{};
  EXPECT_DOUBLE_EQ(normal_force(1e-5, history), 0.1);
  EXPECT_DOUBLE_EQ(normal_force(4e-5, history), 0.4);
  EXPECT_NEAR(normal_force(3.5e-5, history), stiff * 0.5e-5, 1e-12) << "down along the stiff spring";
  EXPECT_EQ(normal_force(2e-5, history), 0) << "in the dent";
  EXPECT_NEAR(normal_force(3.5e-5, history), stiff * 0.5e-5, 1e-12) << "and up along it again";
  EXPECT_DOUBLE_EQ(normal_force(6e-5, history), 0.6) << "beyond the deepest overlap along the soft spring";
  EXPECT_DOUBLE_EQ(history.deepest, 6e-5);
}

struct Impact {
  double restitution, deepest;  // [-], [m]
};

/// A head-on impact by the leapfrog scheme, in 1/`steps` of the time that loading takes.
Impact impact(double speed, double mass, int steps) {
  const double dt = 0.5 * 3.141592653589793 * std::sqrt(mass / (softening * stiff)) / steps;
  Law::History history{};
  double overlap = 0, velocity = speed, force = 0;  // velocity: of the approach
  do {
    overlap += dt * velocity;
    force = Law::evaluate(contact_at(overlap, dt), params, history).normal;
    velocity -= dt / mass * force;
  } while (force > 0);
  return {-velocity / speed, history.deepest};
}

// Half of an oscillation on each spring: e = sqrt(k_1/k_2) at any speed, u_max = v sqrt(m/k_1). The force is continuous
// and linear between two kinks, so the error falls at least with the step: 1e-3 at 1000 steps.
TEST(OwnLaw, TheRestitutionFollowsFromTheTwoSprings) {
  for (const double speed : {0.01, 1.0, 30.0}) {
    const Impact after = impact(speed, 2e-3, 1000);
    EXPECT_NEAR(after.restitution, std::sqrt(softening), 1e-3) << speed;
    EXPECT_NEAR(after.deepest / (speed * std::sqrt(2e-3 / (softening * stiff))), 1, 1e-3) << speed;
  }
}

// Springs 2 E r of unlike spheres, one after the other. Closed form, to rounding.
TEST(OwnLaw, TheSpringsFollowFromTheModuli) {
  Law::Params of_moduli = params;
  of_moduli.stiffness = of_moduli.shear_stiffness = 0;
  of_moduli.young1 = 3e7, of_moduli.young2 = 1e7, of_moduli.shear1 = 1e7, of_moduli.shear2 = 1e7;
  Law::History history{};
  const ContactState<double> contact = contact_at(1e-6);
  EXPECT_DOUBLE_EQ(Law::stiffness(contact, of_moduli, history).normal, 1.2e4);  // 3e4 and 2e4 in series
  EXPECT_DOUBLE_EQ(Law::evaluate(contact, of_moduli, history).normal, softening * 1.2e4 * 1e-6);
  EXPECT_DOUBLE_EQ(Law::shear_stiffness(contact, of_moduli), 1e4 * 2e4 / 3e4);
}

// K_T dt v until Coulomb's limit.
TEST(OwnLaw, SticksAndSlides) {
  ContactState<double> contact = contact_at(4e-5);
  Law::History history{};
  contact.slip = {1e-3, 0, 0};
  EXPECT_DOUBLE_EQ(Law::evaluate(contact, params, history).tangential.x, -shear * 1e-6 * 1e-3);
  contact.slip = {0, -100, 0};
  EXPECT_NEAR(Law::evaluate(contact, params, history).tangential.y, 0.3 * 0.4, 1e-15);
}

}  // namespace scree::own_law_test
